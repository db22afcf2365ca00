import path from 'node:path'
import { readNamedReport } from '../sweep/named-report.ts'
import { prepareOutput } from '../sweep/output-folder.ts'
import { readSweeps } from './action-config.ts'
import { artifactName } from './artifact.ts'
import { deliver } from './deliver.ts'
import type { Job } from './job.ts'
import { judgeScored } from './judge.ts'
import { openBaseline } from './open-baseline.ts'

/** Compares a report that is there already, and publishes what came out. Gives why the step fails. */
export async function compareMode(job: Job): Promise<string[]> {
  const { inputs, workspace, names } = job
  const file = path.resolve(workspace, inputs.reportPath ?? '')
  const report = await readNamedReport(file)
  const output = await prepareOutput(path.resolve(workspace, String(inputs.given.output ?? 'out')))
  try {
    const [sweep = null] = inputs.baseline.kind === 'auto' ? await readSweeps(job) : []
    const scored = {
      name: report.plan.corpus.name,
      output: { ...output, report: file },
      report,
      files: [],
      error: null,
    }
    const judged = await judgeScored(job, scored, () => openBaseline(job, path.basename(file)), sweep)
    // The report itself is in the artifact of the step that made it, which has the name of a whole sweep.
    const name = artifactName(names, { kind: 'compare' })
    const delivery = { root: output.folder, name, further: [], failures: [] }
    return (await deliver(job, [judged], delivery)).failures
  } finally {
    output.release()
  }
}
