import { BenchError } from '../bench-error.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import type { Fixture } from '../corpus/fixture.ts'
import { loadCorpus } from '../corpus/load-corpus.ts'
import type { Engine } from '../engine/engine.ts'
import { generate } from '../generate/generate.ts'
import type { EndedLine, Journal } from '../generate/journal.ts'
import { createLedger, type Ledger } from '../generate/ledger.ts'
import { orderAttempts } from '../generate/order.ts'
import type { Plan } from '../generate/plan.ts'
import type { Provider } from '../models/provider.ts'
import type { PreflightLine, VerifiedLine } from '../verify/journal-lines.ts'
import { tryReference } from '../verify/oracle.ts'
import { runPreflight } from '../verify/preflight.ts'
import { preflightTable } from '../verify/preflight-table.ts'
import { createRunKey } from '../verify/run-key.ts'
import type { Verification } from '../verify/verdict.ts'
import { createVerifier, type Verifier } from '../verify/verify.ts'
import { buildPlan, chooseFixtures, resolveConditions } from './build-plan.ts'
import { type OpenSubject, openSubject } from './open-subject.ts'

/** What a sweep says while it runs. */
export type SweepEvent =
  | { readonly kind: 'planned'; readonly plan: Plan; readonly attempts: number }
  | { readonly kind: 'preflight'; readonly line: PreflightLine }
  | {
      readonly kind: 'attempt'
      readonly cell: string
      readonly fixture: string
      readonly verdict: Verification['verdict'] | null
      readonly spentUsd: number
    }

export interface SweepDeps {
  /** Opened once the configuration was found to be in order, since it may have to be built. The sweep closes it. */
  openEngine(): Promise<Engine>
  /** Opened once everything was found to be in order, so that a wrong configuration leaves no file behind. */
  openJournal(): Journal
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  onEvent(event: SweepEvent): void
}

/**
 * One run over all its cells: plan, preflight, then every attempt generated, verified and journaled.
 * All results are in the journal; reports are made from it.
 * @throws BenchError for whatever a user can mend: before the journal is opened, or when the preflight fails.
 */
export async function runSweep(
  config: SweepConfig,
  purpose: Plan['purpose'],
  corpusDir: string,
  deps: SweepDeps,
): Promise<void> {
  const corpus = await loadCorpus(corpusDir)
  const fixtures = chooseFixtures(corpus, config)
  // Before the subjects: a missing key must not hide that a condition is unknown.
  await resolveConditions(config.subjects.flatMap((subject) => subject.condition ?? config.condition))
  const subjects = await Promise.all(config.subjects.map((options) => openSubject(options, config, deps.env)))
  try {
    // For its problems: only then may an engine be built.
    await buildPlan(config, corpus, fixtures, subjects, purpose)
    const engine = await deps.openEngine()
    try {
      const key = createRunKey()
      const verifier = createVerifier({ engine, key })
      const excluded = config['exclude-failing-references'] ? await failingReferences(verifier, fixtures) : []
      const fit = fixtures.filter(({ id }) => excluded.every(({ fixture }) => fixture !== id))
      if (fit.length === 0) throw nothingLeft(engine, excluded)
      const plan = await buildPlan(config, corpus, fit, subjects, purpose, excluded)
      const providers = await startProviders(subjects, plan)
      const journal = deps.openJournal()
      try {
        await runPlan({ plan, fixtures: fit, providers, journal, engine, key, verifier }, config, deps)
      } finally {
        journal.close()
      }
    } finally {
      await engine.close()
    }
  } finally {
    await Promise.all(subjects.map((subject) => subject.close()))
  }
}

async function failingReferences(verifier: Verifier, fixtures: readonly Fixture[]): Promise<Plan['excluded']> {
  const tried = await Promise.all(fixtures.map((fixture) => tryReference(verifier, fixture)))
  return tried.flatMap((failure) => (failure === null ? [] : [{ fixture: failure.fixture, reason: failure.found }]))
}

async function startProviders(subjects: readonly OpenSubject[], plan: Plan): Promise<ReadonlyMap<string, Provider>> {
  const started = subjects.map(async (subject) => {
    const prompts = plan.prompts.filter((prompt) => subject.conditions.includes(prompt.condition))
    return [subject.subject.id, await subject.start(prompts)] as const
  })
  // All are awaited before one may fail: a server that is still opening could not be closed.
  const settled = await Promise.allSettled(started)
  return new Map(
    settled.map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    }),
  )
}

interface PlannedRun {
  readonly plan: Plan
  readonly fixtures: readonly Fixture[]
  readonly providers: ReadonlyMap<string, Provider>
  readonly journal: Journal
  readonly engine: Engine
  readonly key: string
  readonly verifier: Verifier
}

async function runPlan(run: PlannedRun, config: SweepConfig, { signal, onEvent }: SweepDeps): Promise<void> {
  const { plan, fixtures, providers, journal, engine, key, verifier } = run
  const attempts = orderAttempts(
    plan.cells,
    plan.fixtures.map((fixture) => fixture.id),
    plan.samples,
    plan.seed,
  )
  journal.append({ kind: 'planned', at: new Date().toISOString(), plan })
  onEvent({ kind: 'planned', plan, attempts: attempts.length })
  const preflight = await preflightLine(engine, key, fixtures, verifier)
  journal.append(preflight)
  onEvent({ kind: 'preflight', line: preflight })
  if (preflight.failures.length > 0) throw unfit(engine, preflight)

  let isCapped = false
  const byId = new Map(fixtures.map((fixture) => [fixture.id, fixture]))
  const ledger = createLedger(config['max-spend-usd'] ?? null)
  await generate(plan, attempts, {
    providers,
    ledger,
    journal,
    signal,
    concurrency: config.concurrency,
    requestsPerSample: config.retries + 1,
    async onAnswered({ attempt, cell, fixture: id, completion }) {
      const fixture = byId.get(id)
      let verification: Verification | null = null
      if (completion.kind === 'answered' && fixture !== undefined) {
        verification = await verifier.verify(fixture, completion)
        journal.append<VerifiedLine>({ kind: 'verified', attempt, verification })
      }
      if (completion.kind === 'not-attempted' && completion.why === 'spend-cap') isCapped = true
      onEvent({ kind: 'attempt', cell, fixture: id, verdict: verification?.verdict ?? null, spentUsd: ledger.spentUsd })
    },
  })
  journal.append<EndedLine>(endedLine(key, ledger, config, stopReason(signal, isCapped, ledger)))
}

/** Oracle and saboteurs on this machine, as a line of the journal. */
export async function preflightLine(
  engine: Engine,
  key: string,
  fixtures: readonly Fixture[],
  verifier?: Verifier,
): Promise<PreflightLine> {
  const startedMs = performance.now()
  const result = await runPreflight(engine, key, fixtures, verifier)
  return {
    kind: 'preflight',
    engine: engine.identity,
    sandbox: engine.sandbox,
    references: result.references,
    saboteurs: result.saboteurs,
    failures: result.kind === 'failed' ? [...result.failures] : [],
    elapsedMs: Math.round(performance.now() - startedMs),
  }
}

function stopReason(signal: AbortSignal, isCapped: boolean, { overruns }: Ledger): string | null {
  if (signal.aborted) return 'the run was cancelled'
  if (isCapped && overruns.length > 0) {
    const attempts = overruns.map(({ attempt }) => attempt).join(', ')
    return `a bill was above the worst case, so that the spend cap could not be kept any more: ${attempts}`
  }
  return isCapped ? 'the spend cap was reached' : null
}

function endedLine(runKey: string, ledger: Ledger, config: SweepConfig, stoppedBecause: string | null): EndedLine {
  return {
    kind: 'ended',
    at: new Date().toISOString(),
    stoppedBecause,
    runKey,
    spend: { capUsd: config['max-spend-usd'] ?? null, spentUsd: ledger.spentUsd, overruns: [...ledger.overruns] },
  }
}

function unfit({ identity }: Engine, { failures, references }: PreflightLine): BenchError {
  const failed = failures.filter(({ planted }) => planted === 'reference').length
  return new BenchError({
    code: 'infra/preflight',
    message: `The preflight failed, so nothing was asked of any model. ${identity.version} and this corpus do not tell good programs from bad: ${failed} of ${references} references fail.\n${preflightTable(failures)}`,
    hint:
      failed > 0
        ? 'Take a vox that is as new as the corpus. With --exclude-failing-references these problems are left out, and nothing may be gated on the result.'
        : 'See: vox-efficacy oracle. Numbers from this pair of engine and corpus would be worthless.',
  })
}

function nothingLeft({ identity }: Engine, excluded: Plan['excluded']): BenchError {
  return new BenchError({
    code: 'infra/preflight',
    message: `Every reference fails on ${identity.version}, so no problem is left. The first: ${excluded[0]?.fixture}: ${excluded[0]?.reason}`,
    hint: 'Take a vox that is as new as the corpus; `vox-efficacy oracle` lists each reason.',
  })
}
