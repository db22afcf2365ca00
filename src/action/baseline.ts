import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { readReport } from '../report/read-report.ts'
import type { Report } from '../report/schema.ts'
import type { ApiResult, GitHubApi } from './github-api.ts'
import { readZip } from './zip.ts'

export interface BaselineSearch {
  readonly api: GitHubApi
  readonly runId: string
  /** The branch whose runs count, and a commit that theirs must lead to. */
  readonly branch: string
  readonly sha: string
  /** The commit that is measured; what came of its own runs says nothing of the baseline. */
  readonly measured: string
  readonly artifactName: string
  /** Path of the report within an artifact. */
  readonly reportEntry: string
}

/** A run of the workflow, as GitHub tells it. */
export interface NamedRun {
  readonly id: number
  readonly event: string
  readonly commit: string
  readonly url: string
  /** What came of it, or else how far it is. */
  readonly state: string
}

/** The run that a baseline is from. */
export interface Origin extends NamedRun {
  /** A newer one of another commit that would be the baseline had it succeeded: the base has more than was compared with. */
  readonly newer: NamedRun | null
}

export type FoundBaseline =
  | { readonly kind: 'found'; readonly report: Report; readonly origin: Origin }
  /** There is none yet. */
  | { readonly kind: 'none'; readonly why: string }

/** A report of 10,000 attempts has some 60 MB; one that is all brackets takes fifteen times its size when it is read. */
const MAX_ARCHIVE_BYTES = 128 * 1024 * 1024
const LIMITS = { entries: 2000, bytes: 1024 * 1024 * 1024, ratio: 200 }
const CANDIDATES = 20
/** Of newer runs that were no success; to know where their commits lead takes a request each. */
const NEWER = 10
/** Of artifacts of one run: each of 256 shards has some. */
const PAGES = 20

const runSchema = z.object({
  id: z.number().int(),
  workflow_id: z.number().int(),
  event: z.string(),
  /** Null while it is under way. */
  conclusion: z.string().nullish(),
  status: z.string().nullish(),
  head_sha: z.string(),
  head_branch: z.string().nullish(),
  repository: z.object({ id: z.number() }),
  head_repository: z.object({ id: z.number() }).nullish(),
  html_url: z.string().default(''),
})
type WorkflowRun = z.infer<typeof runSchema>
const artifactSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  expired: z.boolean(),
  size_in_bytes: z.number(),
  digest: z.string().nullish(),
})
type Artifact = z.infer<typeof artifactSchema>

/**
 * The report of the branch's newest successful scheduled or push run of this workflow. Only runs of this repository count,
 * whose commit leads to `sha`: a fork, or a branch of the same name that was thrown away, must not set the bar.
 * @throws BenchError `action/no-access` where GitHub does not tell; `archive/refused`, `report/invalid`, `action/other-archive`.
 */
export async function findBaseline(search: BaselineSearch): Promise<FoundBaseline> {
  const { api, runId, branch, sha } = search
  const own = await demand(api.get(`actions/runs/${encodeURIComponent(runId)}`), runSchema, 'this run')
  const listed = new Map<number, WorkflowRun>()
  // Each event apart: runs of other events, which anybody can start, must not push these off the page. Nor must those that failed.
  for (const wanted of ['event=push&status=success', 'event=schedule&status=success', 'event=push', 'event=schedule']) {
    const query = `${wanted}&branch=${encodeURIComponent(branch)}&exclude_pull_requests=true&per_page=100`
    const answer = api.get(`actions/workflows/${own.workflow_id}/runs?${query}`)
    const shape = z.object({ workflow_runs: z.array(runSchema) })
    const { workflow_runs } = await demand(answer, shape, 'the runs of this workflow')
    for (const run of workflow_runs) listed.set(run.id, run)
  }
  const alike = [...listed.values()].filter((run) => isAlike(run, own, branch)).sort((a, b) => b.id - a.id)
  const candidates = alike.filter(isSuccess)
  let leading = 0
  for (const run of candidates) {
    if (leading === CANDIDATES) break
    if (!(await leadsTo(run.head_sha, sha, api))) continue
    leading += 1
    const artifact = await findArtifact(run, search)
    if (artifact === null) continue
    const report = await download(artifact, search)
    if (report === null) continue
    const newer = await findNewer(run, alike, search)
    return { kind: 'found', report, origin: { ...named(run), newer: newer === null ? null : named(newer) } }
  }
  const why =
    candidates.length === 0
      ? `${branch} has no successful scheduled or push run of this workflow`
      : leading === 0
        ? `none of the ${candidates.length} newest successful runs of this workflow on ${branch} leads to this base`
        : `of the newest successful runs of this workflow on ${branch} that lead to this base, ${leading} in all, none has an artifact ${search.artifactName}-…`
  return { kind: 'none', why }
}

/** For people. */
export function wordRun({ id, event, commit }: NamedRun): string {
  return `run ${id} (${event}) of ${commit.slice(0, 12)}`
}

function named({ id, event, head_sha, html_url, conclusion, status }: WorkflowRun): NamedRun {
  return { id, event, commit: head_sha, url: html_url, state: conclusion ?? status ?? 'under way' }
}

function isSuccess({ conclusion }: WorkflowRun): boolean {
  return conclusion === 'success'
}

/** Of runs that are newer than the baseline and were no success, the newest that leads to the base. */
async function findNewer(
  baseline: WorkflowRun,
  newestFirst: readonly WorkflowRun[],
  { sha, measured, api }: BaselineSearch,
): Promise<WorkflowRun | null> {
  if (baseline.head_sha === sha) return null
  const newer = newestFirst.filter(
    (run) =>
      run.id > baseline.id &&
      ![baseline.head_sha, measured].includes(run.head_sha) &&
      !isSuccess(run) &&
      // That was not to measure its commit.
      run.conclusion !== 'skipped',
  )
  const ofBase = newer.find(({ head_sha }) => head_sha === sha)
  if (ofBase !== undefined) return ofBase
  // The first after the baseline: those behind the base lead past it.
  for (const run of newer.slice(-NEWER)) {
    // What is only told must not stop what is decided.
    if (await leadsTo(run.head_sha, sha, api).catch(() => false)) return run
  }
  return null
}

/** Whether it could be the baseline, were it a success. */
function isAlike(run: WorkflowRun, own: WorkflowRun, branch: string): boolean {
  return (
    run.id !== own.id &&
    run.workflow_id === own.workflow_id &&
    (run.event === 'schedule' || run.event === 'push') &&
    run.head_branch === branch &&
    run.repository.id === own.repository.id &&
    run.head_repository?.id === own.repository.id
  )
}

async function leadsTo(ancestor: string, sha: string, api: GitHubApi): Promise<boolean> {
  if (ancestor === sha) return true
  const where = `compare/${encodeURIComponent(ancestor)}...${encodeURIComponent(sha)}?per_page=1`
  const answer = await api.get(where)
  // A commit that was pushed away leads nowhere.
  if (answer.kind === 'failed' && answer.status === 404) return false
  const shape = z.object({ status: z.string() })
  const { status } = await demand(Promise.resolve(answer), shape, 'how commits follow each other')
  return status === 'ahead' || status === 'identical'
}

async function findArtifact(run: WorkflowRun, { api, artifactName }: BaselineSearch): Promise<Artifact | null> {
  const artifacts: Artifact[] = []
  const shape = z.object({ artifacts: z.array(artifactSchema) })
  for (let page = 1; page <= PAGES; page++) {
    const answer = api.get(`actions/runs/${run.id}/artifacts?per_page=100&page=${page}`)
    const listed = (await demand(answer, shape, 'the artifacts of a run')).artifacts
    artifacts.push(...listed)
    if (listed.length < 100) break
  }
  const prefix = `${artifactName}-${run.id}-`
  const attempts = artifacts.flatMap((artifact) => {
    const attempt = artifact.name.startsWith(prefix) ? artifact.name.slice(prefix.length) : ''
    return /^\d+$/.test(attempt) && !artifact.expired ? [{ artifact, attempt: Number(attempt) }] : []
  })
  return attempts.sort((a, b) => b.attempt - a.attempt)[0]?.artifact ?? null
}

/** Null where it is gone meanwhile. */
async function download(
  { id, name, size_in_bytes, digest }: Artifact,
  { api, reportEntry }: BaselineSearch,
): Promise<Report | null> {
  if (size_in_bytes > MAX_ARCHIVE_BYTES)
    throw otherArchive(name, `it has ${size_in_bytes} bytes, and ${MAX_ARCHIVE_BYTES} are taken`)
  const result = await api.download(`actions/artifacts/${id}/zip`, MAX_ARCHIVE_BYTES)
  if (result.kind === 'failed' && (result.status === 404 || result.status === 410)) return null
  if (result.kind === 'failed') throw noAccess(`the artifact ${name}`, result.message)
  const [algorithm, hash] = (digest ?? '').split(':')
  if (algorithm === 'sha256' && createHash('sha256').update(result.value).digest('hex') !== hash)
    throw otherArchive(name, 'its SHA-256 is not the one that GitHub tells')
  const entry = readZip(result.value, LIMITS).find((each) => each.name === reportEntry)
  if (entry === undefined) throw otherArchive(name, `it has no ${reportEntry}`)
  if (entry.bytes > MAX_ARCHIVE_BYTES)
    throw otherArchive(name, `its ${reportEntry} has ${entry.bytes} bytes, and ${MAX_ARCHIVE_BYTES} are taken`)
  return readReport(`${name}/${reportEntry}`, entry.read().toString('utf8'))
}

async function demand<Schema extends z.ZodType>(
  request: Promise<ApiResult<unknown>>,
  schema: Schema,
  what: string,
): Promise<z.infer<Schema>> {
  const result = await request
  if (result.kind === 'failed') throw noAccess(what, result.message)
  const parsed = schema.safeParse(result.value)
  if (parsed.success) return parsed.data
  throw noAccess(what, 'the answer has another form than documented')
}

function noAccess(what: string, message: string): BenchError {
  return new BenchError({
    code: 'action/no-access',
    message: `The baseline was not found, since GitHub does not tell of ${what}: ${message}.`,
    hint: 'Give the job "permissions: actions: read, contents: read", or the path of a report with the input baseline.',
  })
}

function otherArchive(name: string, why: string): BenchError {
  return new BenchError({
    code: 'action/other-archive',
    message: `The artifact ${name} is no baseline: ${why}.`,
    hint: 'Let the base branch run this workflow again, with the same inputs artifact-name and corpus.',
  })
}
