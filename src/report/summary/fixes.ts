import { listFixes } from '../fix-words.ts'
import type { Report } from '../schema.ts'
import { table, text, unbroken } from './text.ts'

/** What second turns mended; null where no row has any. */
export function fixesSection({ rows }: Report): string | null {
  const views = listFixes(rows)
  if (views.length === 0) return null
  const body = views.map((view) => [
    `**${text(view.cell)}**`,
    unbroken(view.passedAtOnce),
    view.given,
    unbroken(view.mended),
    unbroken(view.after),
    view.failures.map((failure) => text(failure)).join('<br>'),
  ])
  const head = ['', 'Passed at once', 'Given back', 'Mended, 95 % interval', 'Passed in the end', 'By first failure']
  return `### What diagnostics mend\n\n${table(head, body, 'lrrrrl')}`
}
