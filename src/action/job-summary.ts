import { appendFile } from 'node:fs/promises'
import { escapeMarkdown } from '../report/escape.ts'
import { dollars, plural } from '../report/format.ts'
import { renderSummary, SUMMARY_BYTES } from '../report/summary-markdown.ts'
import { renderCompared } from './comparison-section.ts'
import type { Job } from './job.ts'
import type { Judged } from './judge.ts'
import { linkInto, type Pages } from './pages.ts'

/** The shortest summary of a report that can be made. */
export const LEAST_SUMMARY_BYTES = 64 * 1024
/** What naming a corpus takes. */
const POINTER_BYTES = 1024

/** Adds to the summary of the job; trouble with it is a warning. */
export async function appendSummary(job: Job, markdown: string): Promise<void> {
  const file = job.keys.env.GITHUB_STEP_SUMMARY ?? ''
  if (file === '') return
  await appendFile(file, markdown).catch((error: Error) =>
    job.annotate('warning', `The summary cannot be written: ${error.message}.`),
  )
}

function failedParts(failures: readonly string[]): string[] {
  return failures.length === 0 ? [] : [failedSection(failures)]
}

/** Why a step fails. */
export function failedSection(failures: readonly string[]): string {
  const items = failures.slice(0, 20).map((why) => {
    const lines = why
      .slice(0, 4000)
      .split('\n')
      .filter((line) => line.trim() !== '')
    return `- ${lines.map(escapeMarkdown).join('<br>\n  ')}`
  })
  return `## Failed\n\n${items.join('\n')}\n`
}

/** What a check of corpora came to. */
export function renderChecks({
  fine,
  failures,
  note,
}: {
  readonly fine: readonly string[]
  readonly failures: readonly string[]
  /** What a reader might miss otherwise. */
  readonly note: string | null
}): string {
  const passed = fine.map((words) => `- ${escapeMarkdown(words)}`)
  const parts = [
    ...failedParts(failures),
    ...(note === null ? [] : [`> ${escapeMarkdown(note)}\n`]),
    ...(passed.length > 0 ? [`## Checked\n\n${passed.join('\n')}\n`] : []),
  ]
  return `${parts.join('\n')}\n`
}

/** What a shard (`2/5`) made; all else would read as if it were the whole. */
export function renderShard(shard: string, judged: readonly Judged[], failures: readonly string[]): string {
  const lines = judged.flatMap(({ name, report }) => {
    if (report === null) return []
    const verdicts = report.attempts.filter(({ verification }) => verification !== null).length
    const cap = report.spend.capUsd === null ? 'no cap' : `its part of the cap is ${dollars(report.spend.capUsd)}`
    const words = `${name}: ${plural(verdicts, 'verdict')}, ${dollars(report.spend.spentUsd)} spent, ${cap}`
    return [`- ${escapeMarkdown(words)}`]
  })
  const title = `## Shard ${escapeMarkdown(shard)}`
  const own = `${title}\n\n${lines.join('\n')}\n\nThe result is that of the job with mode merge.\n`
  return `${[...failedParts(failures), own].join('\n')}\n`
}

/** Of each corpus first the comparison, then the report. At most 900 KiB, whatever is in it. */
export function renderJobSummary(
  judged: readonly Judged[],
  failures: readonly string[],
  pages: Pages = new Map(),
): string {
  const parts = failedParts(failures)
  let left = SUMMARY_BYTES - Buffer.byteLength(parts.join('')) - 1024
  judged.forEach((each, index) => {
    const { name, report } = each
    const title = judged.length > 1 ? `# ${escapeMarkdown(name)}\n\n` : ''
    const section = renderCompared(each, linkInto(pages, each))
    const compared = section === '' ? '' : `${section}\n`
    if (report === null) return
    const around = Buffer.byteLength(title + compared)
    // Where an equal share is too short for a summary, the first have one and the last are only named.
    const share = Math.max(LEAST_SUMMARY_BYTES, Math.floor(left / (judged.length - index)) - around)
    const isFitting = share + around <= left - POINTER_BYTES * (judged.length - index - 1)
    const part = isFitting
      ? title + compared + renderSummary(report, share)
      : `${title}The summary of this corpus did not fit; see its summary.md.\n`
    left -= Buffer.byteLength(part)
    parts.push(part)
  })
  return `${parts.join('\n')}\n`
}
