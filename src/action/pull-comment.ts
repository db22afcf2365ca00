import { BenchError } from '../bench-error.ts'
import { COMPARISON_BYTES, renderComparison } from '../compare/comparison-markdown.ts'
import { escapeMarkdown } from '../report/escape.ts'
import type { Report } from '../report/schema.ts'
import { renderSummary } from '../report/summary-markdown.ts'
import { safeUrl, type UploadResult } from './artifact.ts'
import { COMMENT_CHARACTERS, markerOf, writeComment } from './comment.ts'
import { isKeyless } from './event.ts'
import { type Job, shortlyAfterCancel } from './job.ts'
import { LEAST_SUMMARY_BYTES } from './job-summary.ts'
import type { Judged } from './judge.ts'
import { linkInto, type Pages } from './pages.ts'

/** Writes the comment of a pull request; trouble with it changes no verdict. */
export async function commentOnPull(job: Job, render: (key: string) => string): Promise<void> {
  const { event, inputs, api, names } = job
  // A plan and a check come to nothing that is compared, and a shard decides nothing: who merges has the word.
  if (event.kind !== 'pull-request' || !inputs.wantsComment || ['plan', 'check', 'shard'].includes(inputs.mode)) return
  if (isKeyless(event)) return job.note('No comment is written: the token of a fork or of Dependabot cannot.')
  if (api === null) return job.note('No comment is written, since there is no token.')
  const key = `${names.base} ${job.keys.env.GITHUB_WORKFLOW ?? ''} ${job.keys.env.GITHUB_JOB ?? ''}`
  const writing = writeComment(api, event.number, key, render(key))
  const result = await shortlyAfterCancel(job, writing, { kind: 'failed', why: 'the job was cancelled' })
  if (result.kind === 'written') return job.note(`comment: ${result.isNew ? 'written' : 'updated'}`)
  job.annotate('warning', `The comment was not written: ${result.why}. It needs "permissions: pull-requests: write".`)
}

/** At most what a comment holds, of as many corpora as fit. */
export function renderComment(
  judged: readonly Judged[],
  key: string,
  link: string | null,
  pages: Pages = new Map(),
): string {
  const foot = link === null ? '' : `\n[Reports, programs and verdicts](${link})\n`
  const room = COMMENT_CHARACTERS - markerOf(key).length - foot.length - 200
  const parts: string[] = []
  let used = 0
  for (const each of judged) {
    const part = commentPart(each, judged.length > 1, pages)
    if (used + part.length > room) {
      parts.push('More did not fit here.\n')
      break
    }
    parts.push(part)
    used += part.length + 1
  }
  return parts.join('\n') + foot
}

function commentPart(each: Judged, isTitled: boolean, pages: Pages): string {
  const { name, report, comparison, error, judgeError } = each
  const title = isTitled ? `# ${escapeMarkdown(name)}\n\n` : ''
  if (comparison !== null) return title + renderComparison(comparison, COMPARISON_BYTES, linkInto(pages, each))
  const trouble = error ?? judgeError
  const why = trouble instanceof BenchError ? `**${escapeMarkdown(trouble.message.slice(0, 2000))}**\n\n` : ''
  if (report === null) return `${title}${why}There is no report.\n`
  return title + why + shortSummary(report)
}

/** The rows and what they can show; the details are in the artifact. */
function shortSummary(report: Report): string {
  const whole = renderSummary(report, LEAST_SUMMARY_BYTES)
  const details = whole.indexOf('\n<details>')
  const core = details < 0 ? whole : whole.slice(0, details + 1)
  return core.length <= COMPARISON_BYTES ? core : 'The summary is too long for a comment.\n'
}

/** Where all files are, or else the run. */
export function linkToFiles(job: Job, uploaded: UploadResult): string | null {
  if (uploaded.kind === 'uploaded' && uploaded.url !== null) return uploaded.url
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = job.keys.env
  return safeUrl(`${server}/${repository}/actions/runs/${job.names.runId}`)
}
