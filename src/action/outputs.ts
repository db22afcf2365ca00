import path from 'node:path'
import type { UploadResult } from './artifact.ts'
import { gateWithout } from './gate.ts'
import type { Job } from './job.ts'
import type { Judged } from './judge.ts'
import { PAGE, type Pages } from './pages.ts'

const WORST_FIRST = ['regressed', 'blocked', 'cannot-tell', 'no-baseline', 'not-detected', 'improved']

/** Tells the workflow what came out. */
export function setOutputs(job: Job, judged: readonly Judged[], uploaded: UploadResult, pages: Pages): void {
  const gateOf = ({ comparison }: Judged) => comparison?.outcome ?? gateWithout(job)
  const gates = judged.map(gateOf).filter((gate) => gate !== 'none')
  gates.sort((a, b) => WORST_FIRST.indexOf(a) - WORST_FIRST.indexOf(b))
  const isComplete = (each: Judged) => each.error === null && each.report?.run.complete === true
  job.setOutput('gate', gates[0] ?? gateWithout(job))
  job.setOutput('complete', String(judged.length > 0 && judged.every(isComplete)))
  job.setOutput('spend-usd', spendUsd(job, judged))
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

/** Empty where it cannot be told; for what a step compares others have paid. */
function spendUsd({ inputs, names }: Job, judged: readonly Judged[]): string {
  // Without a journal nothing was asked, unless one of a shard or of an earlier attempt is there that no report could be made of.
  const mayHaveSpent = inputs.mode === 'merge' || names.attempt > 1
  const isTold = ({ report, files }: Judged) => report !== null || (files.length === 0 && !mayHaveSpent)
  if (inputs.mode === 'compare' || !judged.every(isTold)) return ''
  return String(Number(judged.reduce((sum, { report }) => sum + (report?.spend.spentUsd ?? 0), 0).toFixed(9)))
}

/** Only of one row that the report itself lets stand in a headline. */
function headlineRate(judged: readonly Judged[]): string {
  const rows = judged.flatMap(({ report }) => report?.rows ?? [])
  const [row] = rows
  if (rows.length !== 1 || row === undefined || row.headline.kind !== 'ok') return ''
  const rate = row.passAtK.find(({ k }) => k === 1)?.value ?? null
  return rate === null ? '' : String(rate)
}

/** Tells that a step came to nothing. */
export function setFailedOutputs(job: Job): void {
  job.setOutput('gate', gateWithout(job))
  job.setOutput('complete', 'false')
}
