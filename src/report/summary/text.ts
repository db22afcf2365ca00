import { markdownTable } from 'markdown-table'
import { clip, escapeMarkdown } from '../escape.ts'
import { UNKNOWN } from '../format.ts'

/** Foreign text is cut to this in tables and headlines; report.json has it whole. */
const CELL_CHARACTERS = 100

/** Any text as one line of Markdown that says just that. */
export function text(value: string, limit = CELL_CHARACTERS): string {
  return escapeMarkdown(clip(value, limit))
}

/** Cells are Markdown already. `align` has a letter a column: l, r or c. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], align: string): string {
  const cells = rows.map((row) => row.map((cell) => (cell === UNKNOWN ? `*${UNKNOWN}*` : cell)))
  return markdownTable([head, ...cells], { align: [...align], alignDelimiters: false })
}

/** What a reader opens when wanted; `title` is Markdown-free. */
export function folded(title: string, body: string): string {
  return `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`
}

/** Words of this program's own that stay on one line. */
export function unbroken(words: string): string {
  return words.replaceAll(' ', '&nbsp;')
}

const CELLS = 10

/** A share as ten blocks; whatever is above 0 shows at least one, and only 1 shows all. */
export function blocks(share: number): string {
  const inside = Math.min(CELLS - 1, Math.max(1, Math.round(share * CELLS)))
  const full = share <= 0 ? 0 : share >= 1 ? CELLS : inside
  return '▰'.repeat(full) + '▱'.repeat(CELLS - full)
}
