import { auditReport, describeProblem, inspectCorpus, loadCorpus } from '../corpus/load-corpus.ts'
import { plural } from '../report/format.ts'
import { preflightTable } from '../sweep/preflight-table.ts'
import { preflightLine } from '../sweep/run-sweep.ts'
import { createRunKey } from '../verify/run-key.ts'
import type { CorpusJob } from './corpora.ts'
import { type Job, openJobEngine } from './job.ts'
import { appendSummary, renderChecks } from './job-summary.ts'

/**
 * Checks corpora, and references and planted bad programs on the engine; asks no model. Gives what failed.
 * @param note why no more than that was done
 */
export async function checkJob(job: Job, corpora: readonly CorpusJob[], note: string | null): Promise<string[]> {
  job.setOutput('complete', 'false')
  job.setOutput('gate', 'none')
  const failures: string[] = []
  const fine: string[] = []
  for (const corpus of corpora) {
    const outcome = await checkCorpus(job, corpus)
    if (outcome.kind === 'failed') failures.push(outcome.why)
    else fine.push(outcome.words)
  }
  await appendSummary(job, renderChecks({ fine, failures, note }))
  return failures
}

type Outcome = { readonly kind: 'fine'; readonly words: string } | { readonly kind: 'failed'; readonly why: string }

async function checkCorpus(job: Job, { name, folder, config }: CorpusJob): Promise<Outcome> {
  const { problems, fixtures } = auditReport(await inspectCorpus(folder))
  for (const problem of problems) job.annotate('error', describeProblem(problem), `Corpus ${name}`)
  // No engine is built for a corpus that cannot be read.
  if (problems.length > 0)
    return { kind: 'failed', why: `the corpus ${name} has ${plural(problems.length, 'problem')}` }
  job.note(`${name}: ${fixtures} problems, and nothing is wrong with them`)
  const engine = await openJobEngine(job, config)
  try {
    const line = await preflightLine(engine, createRunKey(), (await loadCorpus(folder)).fixtures)
    const tried = `${line.references} references and ${line.saboteurs} planted bad programs tried on ${engine.identity.version}`
    job.note(`${name}: ${tried}`)
    if (line.failures.length === 0) return { kind: 'fine', words: `${name}: ${fixtures} problems; ${tried}` }
    job.annotate('error', preflightTable(line.failures), `Preflight ${name}`)
    return { kind: 'failed', why: `the preflight of ${name} has ${plural(line.failures.length, 'failure')}` }
  } finally {
    await engine.close()
  }
}
