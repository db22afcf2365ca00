import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { compareReports } from '../compare/compare-reports.ts'
import type { Comparison } from '../compare/comparison-schema.ts'
import { loadCorpus } from '../corpus/load-corpus.ts'
import { readReport } from '../report/read-report.ts'
import type { Report } from '../report/schema.ts'
import type { Look } from '../stats/gate.ts'
import { writeComparison } from '../sweep/comparison-files.ts'
import { reverify } from '../sweep/reverify.ts'
import type { CorpusSweep } from './action-config.ts'
import { readTrustedFile } from './base-file.ts'
import { countPushes, findBaseline } from './baseline.ts'
import { type Job, openJobEngine } from './job.ts'

const MAX_REPORT_BYTES = 256 * 1024 * 1024
const FINDINGS_SHOWN = 5

/**
 * Compares a report with the baseline that the inputs name, and writes comparison.json and comparison.md beside it. Null where
 * nothing was to be compared.
 * @throws BenchError where there is a baseline that cannot be had or believed.
 */
export async function judge(
  job: Job,
  head: { readonly report: Report; readonly folder: string; readonly reportEntry: string },
  sweep: CorpusSweep | null,
): Promise<Comparison | null> {
  const { inputs } = job
  if (inputs.baseline.kind === 'none') return null
  const base = await readBaseline(job, head, sweep)
  const sides = { baseSubject: inputs.baseSubject, headSubject: inputs.headSubject }
  const comparison = compareReports(base, head.report, {
    alpha: inputs.alpha,
    margin: inputs.margin,
    look: inputs.look ?? (await findLook(job)),
    condition: inputs.compareCondition,
    preset: null,
    draws: null,
    ...(inputs.baseline.kind === 'same-run' ? chooseSides(head.report, sides) : sides),
  })
  await writeComparison(head.folder, comparison)
  return comparison
}

/** Of two subjects the first is the base. */
function chooseSides(
  { plan }: Report,
  given: { readonly baseSubject: string | null; readonly headSubject: string | null },
) {
  const ids = plan.subjects.map(({ id }) => id)
  const other = (id: string | null) =>
    id !== null && ids.length === 2 ? (ids.find((each) => each !== id) ?? null) : null
  if (given.baseSubject === null && given.headSubject === null && ids.length === 2) {
    return { baseSubject: ids[0] ?? null, headSubject: ids[1] ?? null }
  }
  const sides = {
    baseSubject: given.baseSubject ?? other(given.headSubject),
    headSubject: given.headSubject ?? other(given.baseSubject),
  }
  if (sides.baseSubject !== null && sides.headSubject !== null) return sides
  throw new BenchError({
    code: 'action/same-run',
    message: `The baseline is to be a subject of the same run, which has ${ids.length}: ${ids.join(', ')}.`,
    hint: 'Name both with the inputs base-subject and head-subject.',
  })
}

async function readBaseline(
  job: Job,
  head: { readonly report: Report; readonly reportEntry: string },
  sweep: CorpusSweep | null,
): Promise<Report | null> {
  const { baseline } = job.inputs
  if (baseline.kind === 'same-run') return head.report
  if (baseline.kind === 'path') {
    const baseSha = job.event.kind === 'pull-request' ? job.event.base.sha : null
    const deps = { exec: job.exec, env: job.keys.env, api: job.api, workspace: job.workspace, baseSha }
    const { text } = await readTrustedFile(baseline.path, MAX_REPORT_BYTES, deps)
    return readReport(baseline.path, text)
  }
  const { api, event, keys } = job
  if (api === null) {
    throw new BenchError({
      code: 'action/no-access',
      message: 'The baseline is auto, but there is no token to look for it.',
      hint: 'Leave the input github-token as it is by default, or give the path of a report with the input baseline.',
    })
  }
  const isPull = event.kind === 'pull-request'
  const found = await findBaseline({
    api,
    runId: job.names.runId,
    branch: isPull ? event.base.ref : (keys.env.GITHUB_REF_NAME ?? ''),
    sha: isPull ? event.base.sha : (keys.env.GITHUB_SHA ?? ''),
    artifactName: job.inputs.artifactName,
    reportEntry: head.reportEntry,
  })
  if (found.kind === 'none') {
    job.annotate('warning', `There is no baseline: ${found.why}.`, 'No baseline')
    return null
  }
  job.note(`baseline: ${found.from}`)
  await believe(job, found.report, head.report, sweep)
  return found.report
}

/**
 * Verifies every answer of a downloaded report again. One of another corpus or engine need not be: it is not comparable, and
 * the comparison says so.
 * @throws BenchError `action/baseline-not-reproduced`
 */
async function believe(job: Job, report: Report, head: Report, sweep: CorpusSweep | null): Promise<void> {
  const isAlike = report.plan.corpus.hash === head.plan.corpus.hash && report.engine?.sha256 === head.engine?.sha256
  if (!isAlike) return
  if (sweep === null) throw new Error('nothing says what the baseline is verified with')
  const { fixtures } = await loadCorpus(sweep.folder)
  const engine = await openJobEngine(job, sweep.config)
  try {
    const { verdicts, findings } = await reverify(engine, fixtures, report)
    job.note(`baseline: ${verdicts} verdicts verified again, ${findings.length} findings`)
    if (findings.length === 0) return
    const shown = findings.slice(0, FINDINGS_SHOWN).map(({ of, problem }) => `${of}: ${problem}`)
    throw new BenchError({
      code: 'action/baseline-not-reproduced',
      message: `The baseline does not come out again, so nothing is compared with it: ${shown.join('; ')}${findings.length > FINDINGS_SHOWN ? ` and ${findings.length - FINDINGS_SHOWN} more` : ''}.`,
      hint: 'Run the workflow on the base branch again. If that does not help: vox-efficacy reproduce REPORT.json.',
    })
  } finally {
    await engine.close()
  }
}

/** The look at a pull request is that of its push; any other event looks once, unless a horizon is given. */
async function findLook({ event, api, names, annotate }: Job): Promise<Look> {
  if (event.kind !== 'pull-request') return { kind: 'single' }
  const counted = api === null ? null : await countPushes(api, names.runId, event.head.ref)
  if (counted !== null) return { kind: 'push', j: counted }
  annotate(
    'warning',
    `GitHub does not tell which push this is; the ${event.commits} commits of the branch are counted instead. Give the job "permissions: actions: read", or the input push.`,
  )
  return { kind: 'push', j: event.commits }
}

/** Where the report of a corpus lies within the artifact. */
export function reportEntryOf(root: string, report: string): string {
  return path.relative(root, report).split(path.sep).join('/')
}
