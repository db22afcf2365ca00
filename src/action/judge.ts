import { BenchError } from '../bench-error.ts'
import { compareReports } from '../compare/compare-reports.ts'
import type { Comparison } from '../compare/comparison-schema.ts'
import { findHeadRow, pairRows } from '../compare/pair-rows.ts'
import { loadCorpus } from '../corpus/load-corpus.ts'
import type { Plan } from '../generate/plan.ts'
import type { Report } from '../report/schema.ts'
import type { Look } from '../stats/gate.ts'
import { writeComparison } from '../sweep/comparison-files.ts'
import { reverify } from '../sweep/reverify.ts'
import type { Origin } from './baseline.ts'
import type { CorpusSweep } from './corpora.ts'
import type { ActionInputs } from './inputs.ts'
import { type Job, openJobEngine, untilCancelled } from './job.ts'
import type { Baseline } from './open-baseline.ts'
import { countPushes } from './pushes.ts'
import type { Scored } from './score-corpus.ts'

/** A corpus with what the gate says of it. */
export interface Judged extends Scored {
  readonly comparison: Comparison | null
  /** Why nothing could be compared, although something was to be. */
  readonly judgeError: unknown
  /** The run that it was compared with, where the baseline is from one. */
  readonly origin?: Origin | null
}

const FINDINGS_SHOWN = 5

/**
 * Whether it is clear which rows of a sweep are compared, before it is paid for.
 * @throws BenchError `action/same-run`, `compare/...`
 */
export function checkRows({ inputs }: Job, baseline: Baseline, plan: Plan): void {
  const choice = { ...choiceOf(inputs, baseline, plan), condition: inputs.compareCondition }
  const head = { plan }
  if (baseline.kind === 'absent') findHeadRow(head, choice)
  else pairRows(baseline.kind === 'same-run' ? head : { plan: baseline.report.plan }, head, choice)
}

/** What the gate says of a corpus; of a run that failed it says nothing. */
export async function judgeScored(
  job: Job,
  scored: Scored,
  openBaseline: () => Promise<Baseline | null>,
  sweep: CorpusSweep | null,
): Promise<Judged> {
  const { report, output } = scored
  if (report === null || scored.error !== null) return { ...scored, comparison: null, judgeError: null }
  let origin: Origin | null = null
  try {
    const baseline = await untilCancelled(job, openBaseline)
    if (baseline?.kind === 'report') origin = baseline.origin
    const head = { report, folder: output.folder }
    const comparison = baseline && (await untilCancelled(job, () => judge(job, baseline, head, sweep)))
    return { ...scored, comparison, judgeError: null, origin }
  } catch (error) {
    return { ...scored, comparison: null, judgeError: error, origin }
  }
}

/**
 * Compares a report with its baseline, and writes comparison.json and comparison.md beside it.
 * @throws BenchError where the baseline cannot be believed, or it is not clear what is compared.
 */
async function judge(
  job: Job,
  baseline: Baseline,
  head: { readonly report: Report; readonly folder: string },
  sweep: CorpusSweep | null,
): Promise<Comparison> {
  const { inputs } = job
  if (baseline.kind === 'report' && baseline.origin !== null) await believe(job, baseline.report, head.report, sweep)
  const comparison = compareReports(baseReportOf(baseline, head.report), head.report, {
    alpha: inputs.alpha,
    margin: inputs.margin,
    look: inputs.look ?? (await findLook(job)),
    condition: inputs.compareCondition,
    preset: null,
    draws: null,
    ...choiceOf(inputs, baseline, head.report.plan),
  })
  await writeComparison(head.folder, comparison)
  return comparison
}

function baseReportOf(baseline: Baseline, head: Report): Report | null {
  switch (baseline.kind) {
    case 'absent':
      return null
    case 'same-run':
      return head
    case 'report':
      return baseline.report
  }
}

function choiceOf({ baseSubject, headSubject }: ActionInputs, { kind }: Baseline, plan: Plan) {
  return kind === 'same-run' ? chooseSides(plan, { baseSubject, headSubject }) : { baseSubject, headSubject }
}

/** Of two subjects the first is the base. */
function chooseSides(plan: Plan, given: { readonly baseSubject: string | null; readonly headSubject: string | null }) {
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
  const counted = api === null ? null : await countPushes(api, names.runId, event)
  if (counted !== null) return { kind: 'push', j: counted }
  annotate(
    'warning',
    `GitHub does not tell which push this is; the ${event.commits} commits of the branch are counted instead. Give the job "permissions: actions: read", or the input push.`,
  )
  return { kind: 'push', j: event.commits }
}
