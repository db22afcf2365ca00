import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { COMPARISON_BYTES, type LinkAttempt, renderComparison } from '../compare/comparison-markdown.ts'
import type { Comparison } from '../compare/comparison-schema.ts'
import { describeChangeSide, describeOutcome, listReasons, titleOf } from '../compare/comparison-words.ts'
import { escapeMarkdown } from '../report/escape.ts'
import { nameAnchors } from '../report/html/anchors.ts'
import { infraReasons } from '../report/infra-reasons.ts'
import type { Report } from '../report/schema.ts'
import { renderSummary, SUMMARY_BYTES } from '../report/summary-markdown.ts'
import { comparisonFiles, type UploadResult, uploadFolder, uploadPage } from './artifact.ts'
import { COMMENT_CHARACTERS, markerOf, writeComment } from './comment.ts'
import { isKeyless } from './event.ts'
import type { Job } from './job.ts'
import { isJudged } from './judge.ts'
import type { Scored } from './score-corpus.ts'

/** A corpus with what the gate says of it. */
export interface Judged extends Scored {
  readonly comparison: Comparison | null
  /** Why nothing could be compared, although something was to be. */
  readonly judgeError: unknown
}

/** The shortest summary that can be made. */
const LEAST_SUMMARY_BYTES = 64 * 1024
const PAGE = 'report.html'
/** What naming a corpus takes. */
const POINTER_BYTES = 1024

/** Uploads the files of all corpora as one artifact. */
export async function upload(
  job: Job,
  judged: readonly Judged[],
  { root, name, further }: { readonly root: string; readonly name: string; readonly further: readonly string[] },
): Promise<UploadResult> {
  const files = [
    ...judged.flatMap(({ files: own, output, comparison }) =>
      comparison === null ? own : [...own, ...comparisonFiles(output.folder)],
    ),
    ...further,
  ]
  if (files.length === 0) return { kind: 'failed', why: 'there is no file', isLost: false }
  const { env } = job.keys
  const result = await uploadFolder(name, files, root, { env, retentionDays: job.inputs.retentionDays })
  if (result.kind === 'failed') {
    job.annotate('warning', `The files were not uploaded: ${result.why}. They are in ${root} of this machine.`)
  } else job.note(`artifact: ${result.name} (${files.length} files)`)
  return result
}

/** Addresses of pages by the name of their corpus. */
export type Pages = ReadonlyMap<string, string>

/** Uploads the page of each corpus once more by itself, for links to single programs; trouble with it is told, no more. */
export async function uploadPages(job: Job, judged: readonly Judged[], name: string): Promise<Pages> {
  const pages = new Map<string, string>()
  const { env } = job.keys
  for (const { name: corpus, files } of judged) {
    const page = files.find((file) => path.basename(file) === PAGE)
    // A shard is only a part, and a cancelled job has no time.
    if (page === undefined || job.inputs.mode === 'shard' || job.signal.aborted) continue
    const own = judged.length === 1 ? name : `${name}-${corpus}`
    const uploaded = await uploadPage(own, page, job.scratch, { env, retentionDays: job.inputs.retentionDays })
    if (uploaded.kind === 'failed') job.note(`The page of ${corpus} was not uploaded by itself: ${uploaded.why}`)
    else if (uploaded.url !== null) pages.set(corpus, uploaded.url)
  }
  return pages
}

/** Leads to an attempt in the page of its report. */
function linkInto(pages: Pages, { name, report }: Judged): LinkAttempt {
  const page = pages.get(name)
  if (page === undefined || report === null) return () => null
  const anchors = nameAnchors(report)
  return (attempt) => `${page}#${anchors.attempt(attempt)}`
}

/** Adds to the summary of the job: of each corpus first the comparison, then the report. */
export async function writeJobSummary(
  job: Job,
  judged: readonly Judged[],
  failures: readonly string[],
  pages: Pages,
): Promise<void> {
  await appendSummary(job, renderJobSummary(judged, failures, pages))
}

/** Adds to the summary of the job; trouble with it is a warning. */
export async function appendSummary(job: Job, markdown: string): Promise<void> {
  const file = job.keys.env.GITHUB_STEP_SUMMARY ?? ''
  if (file === '') return
  await appendFile(file, markdown).catch((error: Error) =>
    job.annotate('warning', `The summary cannot be written: ${error.message}.`),
  )
}

/** Says why a step came to nothing, wherever what it came to would stand: an older comment must not speak for it. */
export async function publishFailure(job: Job, why: string): Promise<void> {
  await appendSummary(job, `${failedSection([why])}\n`)
  job.setOutput('gate', isJudged(job) ? 'blocked' : 'none')
  job.setOutput('complete', 'false')
  job.setOutput('skipped', 'false')
  const { mode } = job.inputs
  // A plan and a check never comment, and a fork's token cannot.
  if (mode === 'plan' || mode === 'check' || isKeyless(job.event)) return
  await writeOwnComment(job, () => failedSection([why]))
}

/** What a check of corpora came to. */
export async function writeCheckSummary(
  job: Job,
  { fine, failures }: { readonly fine: readonly string[]; readonly failures: readonly string[] },
): Promise<void> {
  const passed = fine.map((words) => `- ${escapeMarkdown(words)}`)
  const parts = [
    ...(failures.length > 0 ? [failedSection(failures)] : []),
    ...(passed.length > 0 ? [`## Checked\n\n${passed.join('\n')}\n`] : []),
  ]
  await appendSummary(job, `${parts.join('\n')}\n`)
}

function failedSection(failures: readonly string[]): string {
  const lines = failures.slice(0, 20).map((why) => `- ${escapeMarkdown(why.slice(0, 2000))}`)
  return `## Failed\n\n${lines.join('\n')}\n`
}

/** At most 900 KiB, whatever is in it. */
export function renderJobSummary(
  judged: readonly Judged[],
  failures: readonly string[],
  pages: Pages = new Map(),
): string {
  const parts = failures.length === 0 ? [] : [failedSection(failures)]
  let left = SUMMARY_BYTES - Buffer.byteLength(parts.join('')) - 1024
  judged.forEach((each, index) => {
    const { name, report, comparison } = each
    const title = judged.length > 1 ? `# ${escapeMarkdown(name)}\n\n` : ''
    const compared =
      comparison === null ? '' : `${renderComparison(comparison, COMPARISON_BYTES, linkInto(pages, each))}\n`
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

const RENEWED = 'The step does not fail for that outside of pull requests: this run is the next baseline.'

/**
 * Whether a branch's own run was measured otherwise than its baseline. Were that a failure, it would never become the next one, and
 * every run after it would fail alike.
 */
function isRenewal({ event }: Job, { outcome, mismatches, blocks }: Comparison): boolean {
  return event.kind === 'other' && outcome === 'blocked' && mismatches.length > 0 && blocks.length === 0
}

/** Whether the step fails for a comparison. */
export function failsGate(job: Job, comparison: Comparison): boolean {
  return job.inputs.isGated && !comparison.passes && !isRenewal(job, comparison)
}

/** What a reader must not miss, the most telling first: regressions, then infra errors. */
export function annotateFindings(job: Job, judged: readonly Judged[]): void {
  for (const { comparison } of judged) {
    if (comparison === null) continue
    const level = comparison.passes ? 'notice' : failsGate(job, comparison) ? 'error' : 'warning'
    const renewed = isRenewal(job, comparison) ? [RENEWED] : []
    const words = [describeOutcome(comparison), ...listReasons(comparison), ...renewed]
    job.annotate(level, words.join('\n'), titleOf(comparison))
  }
  for (const { comparison } of judged) {
    for (const change of comparison?.regressions ?? []) {
      const level = comparison?.outcome === 'regressed' && job.inputs.isGated ? 'error' : 'warning'
      job.annotate(
        level,
        `BASE: ${describeChangeSide(change.base)}; HEAD: ${describeChangeSide(change.head)}`,
        `${change.fixture} ${change.title}`,
      )
    }
  }
  for (const { report } of judged) {
    if (report === null) continue
    for (const [cell, reasons] of infraReasons(report)) job.annotate('warning', reasons, `Infra errors: ${cell}`)
  }
}

/** Writes the comment of a pull request; trouble with it changes no verdict. */
export async function comment(
  job: Job,
  judged: readonly Judged[],
  uploaded: UploadResult,
  pages: Pages,
): Promise<void> {
  await writeOwnComment(job, (key) => renderComment(judged, key, linkOf(job, uploaded), pages))
}

async function writeOwnComment(job: Job, render: (key: string) => string): Promise<void> {
  const { event, inputs, api, names } = job
  // A shard decides nothing: who merges has the word.
  if (event.kind !== 'pull-request' || !inputs.wantsComment || inputs.mode === 'shard') return
  if (api === null) return job.note('No comment is written, since there is no token.')
  const key = `${names.base} ${job.keys.env.GITHUB_WORKFLOW ?? ''} ${job.keys.env.GITHUB_JOB ?? ''}`
  const result = await writeComment(api, event.number, key, render(key))
  if (result.kind === 'written') return job.note(`comment: ${result.isNew ? 'written' : 'updated'}`)
  job.annotate(
    'warning',
    `The comment was not written: ${result.why}. It needs "permissions: pull-requests: write", which a fork does not get.`,
  )
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

function linkOf(job: Job, uploaded: UploadResult): string | null {
  const url = uploaded.kind === 'uploaded' ? uploaded.url : null
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = job.keys.env
  const link = url ?? `${server}/${repository}/actions/runs/${job.names.runId}`
  return /^https?:\/\/[^\s()<>"]+$/.test(link) ? link : null
}

const WORST_FIRST = ['regressed', 'blocked', 'cannot-tell', 'no-baseline', 'not-detected', 'improved']

/** Tells the workflow what came out. */
export function setOutputs(job: Job, judged: readonly Judged[], uploaded: UploadResult, pages: Pages): void {
  const gateOf = ({ comparison }: Judged) => comparison?.outcome ?? (isJudged(job) ? 'blocked' : 'none')
  const gates = judged.map(gateOf).filter((gate) => gate !== 'none')
  gates.sort((a, b) => WORST_FIRST.indexOf(a) - WORST_FIRST.indexOf(b))
  const isComplete = (each: Judged) => each.error === null && each.report?.run.complete === true
  job.setOutput('gate', gates[0] ?? 'none')
  job.setOutput('complete', String(judged.length > 0 && judged.every(isComplete)))
  job.setOutput('spend-usd', String(judged.reduce((sum, { report }) => sum + (report?.spend.spentUsd ?? 0), 0)))
  job.setOutput('skipped', 'false')
  job.setOutput('artifact', uploaded.kind === 'uploaded' ? uploaded.name : '')
  job.setOutput('artifact-url', uploaded.kind === 'uploaded' ? (uploaded.url ?? '') : '')
  const reports = judged.map((each) => ({
    corpus: each.name,
    report: each.report === null ? null : each.output.report,
    gate: gateOf(each),
    complete: isComplete(each),
  }))
  job.setOutput('reports', JSON.stringify(reports))
  const first = judged[0]
  if (first === undefined || first.report === null) return
  const beside = (name: string) => path.join(first.output.folder, name)
  job.setOutput('page-url', pages.get(first.name) ?? '')
  job.setOutput('report', first.output.report)
  if (first.comparison !== null) job.setOutput('comparison', beside('comparison.json'))
  const told = {
    ...{ summary: beside('summary.md'), page: beside(PAGE), attempts: first.output.journal },
    ...{ leaderboard: beside('leaderboard.json'), scoreboard: beside('scoreboard.json') },
  }
  for (const [name, file] of Object.entries(told)) {
    if (first.files.includes(file)) job.setOutput(name as keyof typeof told, file)
  }
  job.setOutput('headline', headlineRate(judged))
}

/** Only of one row that the report itself lets stand in a headline. */
function headlineRate(judged: readonly Judged[]): string {
  const rows = judged.flatMap(({ report }) => report?.rows ?? [])
  const [row] = rows
  if (rows.length !== 1 || row === undefined || row.headline.kind !== 'ok') return ''
  const rate = row.passAtK.find(({ k }) => k === 1)?.value ?? null
  return rate === null ? '' : String(rate)
}
