import type { Fence } from './fenced-block.ts'
import { fenceAfter } from './fenced-block.ts'

const TAG = /<(\/?)(think|thinking|reasoning)[ \t]*>/gi

interface Tag {
  readonly isClosing: boolean
  readonly name: string
  readonly start: number
  readonly end: number
}

/**
 * `text` (line feeds only) without its thinking sections: what stands between `<think>`, `<thinking>` or `<reasoning>` and its closing
 * tag; everything before a closing tag that was never opened (some servers swallow the opening one); everything behind an opening tag
 * at the start of a line that is never closed. A tag inside a fenced block is program text, unless a lone closing tag has a line to
 * itself: then the fence belongs to a draft that was never finished. Linear in the length of the text.
 */
export function withoutThinking(text: string): string {
  return withoutUnopened(withoutPairs(text))
}

function withoutPairs(text: string): string {
  const tags = findTags(text)
  const fences = createFenceReader(text)
  const nextClosing = createClosingFinder(tags)
  let kept = ''
  let keptTo = 0
  for (const opening of tags) {
    if (opening.isClosing || opening.start < keptTo || fences.isFenced(opening.start)) continue
    const closing = nextClosing(opening)
    if (closing === undefined && !isLineStart(text, opening.start)) continue
    kept += text.slice(keptTo, opening.start)
    if (closing === undefined) return kept
    keptTo = closing.end
    fences.skipTo(keptTo)
  }
  return kept + text.slice(keptTo)
}

function withoutUnopened(text: string): string {
  const fences = createFenceReader(text)
  let from = 0
  for (const tag of findTags(text)) {
    if (tag.isClosing && (!fences.isFenced(tag.start) || isAlone(text, tag))) from = tag.end
  }
  return text.slice(from)
}

function findTags(text: string): Tag[] {
  return [...text.matchAll(TAG)].map((match) => ({
    isClosing: match[1] === '/',
    name: (match[2] ?? '').toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** Finds the first closing tag behind an opening one; openings must be asked for in order. */
function createClosingFinder(tags: readonly Tag[]): (opening: Tag) => Tag | undefined {
  const places = new Map<string, number>()
  const closings = new Map<string, Tag[]>()
  for (const tag of tags) {
    const known = closings.get(tag.name) ?? []
    if (tag.isClosing) known.push(tag)
    closings.set(tag.name, known)
  }
  return ({ name, end }) => {
    const candidates = closings.get(name) ?? []
    let at = places.get(name) ?? 0
    while (at < candidates.length && (candidates[at]?.start ?? 0) < end) at++
    places.set(name, at)
    return candidates[at]
  }
}

/** Tells of ascending offsets whether they lie in a fenced block. */
function createFenceReader(text: string): { isFenced(offset: number): boolean; skipTo(offset: number): void } {
  let fence: Fence | null = null
  let lineStart = 0
  let lineEnd = endOfLine(text, 0)
  function startLine(at: number): void {
    lineStart = at
    lineEnd = endOfLine(text, at)
  }
  return {
    isFenced(offset) {
      while (lineEnd < offset) {
        fence = fenceAfter(fence, text.slice(lineStart, lineEnd))
        startLine(lineEnd + 1)
      }
      return fence !== null
    },
    skipTo: startLine,
  }
}

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  return feed < 0 ? text.length : feed
}

function isLineStart(text: string, at: number): boolean {
  let start = at
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start--
  return start === 0 || text[start - 1] === '\n'
}

function isAlone(text: string, tag: Tag): boolean {
  let end = tag.end
  while (text[end] === ' ' || text[end] === '\t') end++
  return isLineStart(text, tag.start) && (end >= text.length || text[end] === '\n')
}
