/** A fenced code block of a Markdown text. */
export interface FencedBlock {
  readonly isVox: boolean
  /** The lines between the fences, without the fence's own indentation. */
  readonly code: string
  /** No closing fence: the block ends with the text or where the next block opens. */
  readonly isOpen: boolean
}

/** An opening fence. */
export interface Fence {
  readonly indent: number
  readonly mark: string
  readonly length: number
  readonly info: string
}

const FENCE = /^([ \t]*)(`{3,}|~{3,})(.*)$/
const VOX_TAG = /^\{?[ \t]*\.?vox(?![a-z0-9_])/i
const MARKDOWN_TAG = /^\{?[ \t]*\.?(?:markdown|md)(?![a-z0-9_])/i

/**
 * All fenced blocks of `text` (line feeds only) in order. A block tagged as Markdown that holds blocks counts as those. Linear in the
 * length of the text for a bounded depth of such wrapping, which `depth` gives.
 */
export function findBlocks(text: string, depth = 2): FencedBlock[] {
  const blocks: FencedBlock[] = []
  let fence: Fence | null = null
  let lines: string[] = []

  function close(isOpen: boolean): void {
    if (fence === null) return
    const code = lines.join('\n')
    const inner = depth > 0 && MARKDOWN_TAG.test(fence.info) ? findBlocks(code, depth - 1) : []
    if (inner.length > 0) blocks.push(...inner)
    else blocks.push({ isVox: VOX_TAG.test(fence.info), code, isOpen })
    lines = []
  }

  for (const line of text.split('\n')) {
    const next: Fence | null = fenceAfter(fence, line)
    if (next === fence) {
      if (fence !== null) lines.push(withoutIndent(line, fence.indent))
      continue
    }
    close(next !== null)
    fence = next
  }
  close(true)
  return blocks
}

/**
 * The fence that is open behind `line` when `open` was open before it. As in CommonMark a block is closed by a fence of its own mark,
 * at least as long and without an info string. Two things differ, as answers need them: any indentation is allowed, and a fence of
 * the same length with an info string opens the next block instead of being content.
 */
export function fenceAfter(open: Fence | null, line: string): Fence | null {
  const fence = readFence(line)
  if (fence === null) return open
  if (open === null) return fence
  if (fence.mark !== open.mark) return open
  if (fence.info === '') return fence.length >= open.length ? null : open
  return fence.length === open.length ? fence : open
}

function readFence(line: string): Fence | null {
  const match = FENCE.exec(line)
  if (match === null) return null
  const [, indent = '', marks = '', rest = ''] = match
  const mark = marks.charAt(0)
  // A backtick behind the marks makes the line inline code.
  if (mark === '`' && rest.includes('`')) return null
  return { indent: indent.length, mark, length: marks.length, info: rest.trim() }
}

function withoutIndent(line: string, indent: number): string {
  let at = 0
  while (at < indent && (line[at] === ' ' || line[at] === '\t')) at++
  return line.slice(at)
}
