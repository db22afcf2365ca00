import { auditReport, describeProblem, inspectCorpus, loadCorpus } from '../corpus/load-corpus.ts'
import { preflightTable } from '../sweep/preflight-table.ts'
import { preflightLine } from '../sweep/run-sweep.ts'
import { createRunKey } from '../verify/run-key.ts'
import type { CorpusJob } from './action-config.ts'
import { type Job, openJobEngine } from './job.ts'

/** Checks corpora, and references and planted bad programs on the engine; asks no model. Gives what failed. */
export async function checkJob(job: Job, corpora: readonly CorpusJob[]): Promise<string[]> {
  const failures: string[] = []
  for (const { name, folder, config } of corpora) {
    const { problems, fixtures } = auditReport(await inspectCorpus(folder))
    for (const problem of problems) job.annotate('error', describeProblem(problem), `Corpus ${name}`)
    if (problems.length > 0) failures.push(`the corpus ${name} has ${problems.length} problems`)
    else job.note(`${name}: ${fixtures} problems, and nothing is wrong with them`)
    const engine = await openJobEngine(job, config)
    try {
      const line = await preflightLine(engine, createRunKey(), (await loadCorpus(folder)).fixtures)
      job.note(
        `${name}: ${line.references} references and ${line.saboteurs} planted bad programs tried on ${engine.identity.version}`,
      )
      if (line.failures.length === 0) continue
      job.annotate('error', preflightTable(line.failures), `Preflight ${name}`)
      failures.push(`the preflight of ${name} has ${line.failures.length} failures`)
    } finally {
      await engine.close()
    }
  }
  return failures
}
