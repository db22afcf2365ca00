import { BenchError } from '../bench-error.ts'
import { COMPARISON_BYTES } from '../compare/comparison-markdown.ts'
import { escapeMarkdown } from '../report/escape.ts'
import type { Report } from '../report/schema.ts'
import { renderSummary } from '../report/summary-markdown.ts'
import { safeUrl, type UploadResult } from './artifact.ts'
import { COMMENT_CHARACTERS, type CommentRun, markerOf, writeComment } from './comment.ts'
import { renderCompared } from './comparison-section.ts'
import { isKeyless } from './event.ts'
import { type Job, shortlyAfterCancel } from './job.ts'
import { LEAST_SUMMARY_BYTES } from './job-summary.ts'
import type { Judged } from './judge.ts'
import { linkInto, type Pages } from './pages.ts'

/** Writes the comment of a pull request; trouble with it changes no verdict. */
export async function commentOnPull(job: Job, render: () => string): Promise<void> {
  const { event, inputs, api, names } = job
  // A plan and a check come to nothing that is compared, and a shard decides nothing: who merges has the word.
  if (event.kind !== 'pull-request' || !inputs.wantsComment || ['plan', 'check', 'shard'].includes(inputs.mode)) return
  if (isKeyless(event)) return job.note('No comment is written: the token of a fork or of Dependabot cannot.')
  if (api === null) return job.note('No comment is written, since there is no token.')
  const { env } = job.keys
  const key = `${names.base} ${env.GITHUB_WORKFLOW ?? ''} ${env.GITHUB_JOB ?? ''}`
  const run = runOf(env)
  const writing = writeComment(api, event.number, { key, run }, `${render()}\n${wordRun(run, event.head.sha)}\n`)
  const result = await shortlyAfterCancel(job, writing, { kind: 'failed', why: 'the job was cancelled' })
  if (result.kind === 'written') return job.note(`comment: ${result.isNew ? 'written' : 'updated'}`)
  if (result.kind === 'outdated') {
    return job.note(`comment: not written, since run ${result.by} has written a newer one`)
  }
  job.annotate('warning', `The comment was not written: ${result.why}. It needs "permissions: pull-requests: write".`)
}

function runOf({ GITHUB_RUN_NUMBER, GITHUB_RUN_ATTEMPT, GITHUB_WORKFLOW_REF = '' }: NodeJS.ProcessEnv): CommentRun {
  return {
    number: Number(GITHUB_RUN_NUMBER) || 0,
    attempt: Number(GITHUB_RUN_ATTEMPT) || 1,
    workflow: GITHUB_WORKFLOW_REF.split('@refs/', 1)[0] ?? '',
  }
}

/** What a comment speaks of, for people. */
function wordRun({ number, attempt }: CommentRun, sha: string): string {
  return `Run ${number}${attempt > 1 ? `, attempt ${attempt},` : ''} of ${escapeMarkdown(sha.slice(0, 7))}.`
}

/** For what tells of the run, to programs and to people, and for a word on what did not fit. */
const AROUND_CHARACTERS = 400

/** At most what a comment holds, of as many corpora as fit. */
export function renderComment(judged: readonly Judged[], link: string | null, pages: Pages = new Map()): string {
  const foot = link === null ? '' : `\n[Reports, programs and verdicts](${link})\n`
  const room = COMMENT_CHARACTERS - markerOf('').length - foot.length - AROUND_CHARACTERS
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
  const compared = renderCompared(each, linkInto(pages, each))
  if (comparison !== null) return title + compared
  const trouble = error ?? judgeError
  const why = trouble instanceof BenchError ? `**${escapeMarkdown(trouble.message.slice(0, 2000))}**\n\n` : ''
  if (report === null) return `${title}${why}There is no report.\n`
  return title + why + compared + shortSummary(report)
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
