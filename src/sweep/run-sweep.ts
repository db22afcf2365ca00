import { BenchError } from '../bench-error.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import type { Fixture } from '../corpus/fixture.ts'
import { loadCorpus } from '../corpus/load-corpus.ts'
import type { Engine } from '../engine/engine.ts'
import { generate, type KeptAnswer } from '../generate/generate.ts'
import { attemptId, type EndedLine, type Journal, type ResumedLine } from '../generate/journal.ts'
import { createLedger, type Ledger } from '../generate/ledger.ts'
import type { Plan } from '../generate/plan.ts'
import { capOf, countAttempts, isOfShard, parseShard, type Shard } from '../generate/shard.ts'
import { openSpendBook, type SpendBook } from '../generate/spend-book.ts'
import { createEndpointGate, type EndpointGate } from '../models/endpoint-gate.ts'
import type { Provider } from '../models/provider.ts'
import { listBookings, spentByCell, sumBookings } from '../score/book-spend.ts'
import type { JoinedRun } from '../score/join-records.ts'
import { keptOnResume } from '../score/journal-part.ts'
import { describeFeedback } from '../verify/feedback.ts'
import type { PreflightLine, VerifiedLine } from '../verify/journal-lines.ts'
import { tryReference } from '../verify/oracle.ts'
import { runPreflight } from '../verify/preflight.ts'
import { createRunKey } from '../verify/run-key.ts'
import { isMendable, type Verification } from '../verify/verdict.ts'
import { createVerifier, type Verifier } from '../verify/verify.ts'
import type { Asking, OpenSubject } from './asking.ts'
import { createAttemptTally, type TalliedAttempt } from './attempt-tally.ts'
import { buildPlan, chooseFixtures, resolveConditions } from './build-plan.ts'
import { checkContexts } from './context-fit.ts'
import { openSubjects } from './open-subject.ts'
import { type CatalogueDeps, withCatalogue } from './pin-catalogue.ts'
import { preflightTable } from './preflight-table.ts'
import { refuseOtherPlan } from './refuse-other-plan.ts'
import { compareWithRegistered, type RegisteredPlan, readRegisteredPlan } from './registration.ts'
import { createServing } from './serving.ts'

/** What a sweep says while it runs. */
export type SweepEvent =
  /** Something that does not stop the run. */
  | { readonly kind: 'warning'; readonly text: string }
  | {
      readonly kind: 'planned'
      readonly plan: Plan
      /** The part of the plan that is made; null for all of it. */
      readonly shard: Shard | null
      readonly attempts: number
      readonly kept: number
      /** By cell, what earlier parts of a run that is resumed have spent; empty in a new run. */
      readonly spentByCell: ReadonlyMap<string, number>
      /** All of that together. */
      readonly spentUsd: number
    }
  | { readonly kind: 'preflight'; readonly line: PreflightLine }
  | (TalliedAttempt & {
      readonly kind: 'attempt'
      readonly cell: string
      readonly fixture: string
      readonly sample: number
      readonly verdict: Verification['verdict'] | null
      /** By the whole run so far. */
      readonly spentUsd: number
    })

const CANCELLED = 'the run was cancelled'
/** Why a run ended whose own cap had no room for another request. */
export const CAP_REACHED = 'the spend cap was reached'

export interface SweepDeps extends CatalogueDeps {
  /** Opened once the configuration was found to be in order, since it may have to be built. The sweep closes it. */
  openEngine(): Promise<Engine>
  /** Opened once everything was found to be in order, so that a wrong configuration leaves no file behind. */
  openJournal(): Journal
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  onEvent(event: SweepEvent): void
  /** Called once everything but the journal is there, and models are about to be asked. */
  beforeAsking?(): Promise<void>
  /** Split among the shards in place of the month's cap, where it is known what the books of all hold; else this run's book says it. */
  readonly monthLeftUsd?: number
  /** The run to continue: `openJournal` then opens its journal. */
  readonly earlier?: JoinedRun
  /** Folder of answers to paid requests, for sweeps that name none; without it such answers are not kept. */
  readonly responseStore?: string
  /** Where the key that chooses the controls comes from; set only to compare the verdicts of two runs. */
  readonly createRunKey?: () => string
}

/**
 * One run over all its cells, or a shard of it: plan, preflight, then every attempt generated, verified and journaled. Of an earlier run
 * the answers are kept and verified again: its key was told to nobody, or to everybody.
 * All results are in the journal; reports are made from it. Once `deps.signal` is aborted it ends early, and says so there.
 * @throws BenchError for whatever a user can mend: before the journal is opened, or when the preflight fails;
 * `resume/other-plan` when the earlier run was of another plan or shard.
 */
export async function runSweep(
  config: SweepConfig,
  purpose: Plan['purpose'],
  corpusDir: string,
  deps: SweepDeps,
): Promise<void> {
  const shard = shardOfConfig(config)
  const corpus = await loadCorpus(corpusDir)
  const fixtures = chooseFixtures(corpus, config)
  const { registered: file } = config
  const registered = file !== undefined && deps.earlier === undefined ? await readRegisteredPlan(file) : null
  // Before the subjects: a missing key must not hide that a condition is unknown.
  await resolveConditions(config.subjects.flatMap((subject) => subject.condition ?? config.condition))
  const opened = await openSubjects(config, deps.env)
  let book: SpendBook | null = null
  try {
    const { subjects, catalogue, warnings } = await withCatalogue(opened, config, deps)
    // For its problems: only then may an engine be built.
    const whole = await buildPlan(config, corpus, fixtures, subjects, purpose, { catalogue })
    for (const warning of [...warnings, ...(await checkContexts(whole))])
      deps.onEvent({ kind: 'warning', text: warning })
    book = openBook(config, shard, deps.monthLeftUsd)
    const engine = await deps.openEngine()
    try {
      const key = (deps.createRunKey ?? createRunKey)()
      const verifier = createVerifier({ engine, key })
      const excluded = config['exclude-failing-references'] ? await failingReferences(verifier, fixtures) : []
      const fit = fixtures.filter(({ id }) => excluded.every(({ fixture }) => fixture !== id))
      if (fit.length === 0) throw nothingLeft(engine, excluded)
      const plan =
        excluded.length === 0 ? whole : await buildPlan(config, corpus, fit, subjects, purpose, { excluded, catalogue })
      if (deps.earlier !== undefined) refuseOtherPlan(deps.earlier.planned, { plan, shard })
      const deadline = new AbortController()
      const fault = new AbortController()
      const until = AbortSignal.any([deps.signal, deadline.signal, fault.signal])
      const warn = (text: string) => deps.onEvent({ kind: 'warning', text })
      const kept = keptAnswers(plan, deps.earlier)
      const unanswered = unansweredSubjects(plan, shard, kept)
      const providers = await startProviders(subjects, plan, {
        gateOf: createGates(config.concurrency),
        until,
        unanswered,
        responseStore: deps.responseStore ?? null,
        serving: createServing(config, { env: deps.env, until, cancelled: deps.signal, warn }),
        warn,
      })
      if (unanswered.size > 0) await deps.beforeAsking?.()
      const journal = deps.openJournal()
      const deadlineMin = config['deadline-min']
      const timer = deadlineMin && setTimeout(() => deadline.abort(), deadlineMin * 60_000)
      try {
        await runPlan(
          {
            plan,
            shard,
            registered,
            fixtures: fit,
            providers,
            kept,
            journal,
            engine,
            key,
            verifier,
            book,
            deadline: deadline.signal,
            stopAsking: () => fault.abort(),
          },
          config,
          deps,
        )
      } finally {
        clearTimeout(timer)
        journal.close()
      }
    } finally {
      await engine.close()
    }
  } finally {
    book?.close()
    await Promise.all(opened.map((subject) => subject.close()))
  }
}

function shardOfConfig({ shard: text }: SweepConfig): Shard | null {
  if (text === undefined) return null
  const shard = parseShard(text)
  // Making all of the plan in its place would cost as much as all shards.
  if (shard === null) throw new Error(`${text} is no shard, which a checked configuration rules out`)
  return shard
}

/**
 * A shard gets its part of the cap of the month, and what the book has already counts against that: the books of other
 * machines are not seen from here. `leftUsd` takes the cap's place where it is known what they began with.
 * @throws BenchError when the book cannot be used.
 */
function openBook(config: SweepConfig, shard: Shard | null, leftUsd?: number): SpendBook | null {
  const file = config['spend-file']
  const capUsd = capOf(leftUsd ?? config['max-spend-usd-per-month'] ?? null, shard)
  if (file !== undefined) return openSpendBook({ file, capUsd, now: () => new Date() })
  if (capUsd !== null) throw new Error('nothing says where the spend book for the cap of the month is')
  return null
}

async function failingReferences(verifier: Verifier, fixtures: readonly Fixture[]): Promise<Plan['excluded']> {
  const tried = await Promise.all(fixtures.map((fixture) => tryReference(verifier, fixture)))
  return tried.flatMap((failure) => (failure === null ? [] : [{ fixture: failure.fixture, reason: failure.found }]))
}

/** Gives each endpoint its gate. */
function createGates(concurrency: number): Asking['gateOf'] {
  const gates = new Map<string, EndpointGate>()
  return (endpoint) => {
    const gate = gates.get(endpoint) ?? createEndpointGate(concurrency)
    gates.set(endpoint, gate)
    return gate
  }
}

async function startProviders(
  subjects: readonly OpenSubject[],
  plan: Plan,
  asking: Asking,
): Promise<ReadonlyMap<string, Provider>> {
  const started = subjects.map(async (subject) => {
    const prompts = plan.prompts.filter((prompt) => subject.conditions.includes(prompt.condition))
    return [subject.subject.id, await subject.start(prompts, asking)] as const
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
  /** Null when all of it is made. */
  readonly shard: Shard | null
  /** Null when no plan was registered. */
  readonly registered: RegisteredPlan | null
  readonly fixtures: readonly Fixture[]
  readonly providers: ReadonlyMap<string, Provider>
  readonly kept: ReadonlyMap<string, KeptAnswer>
  readonly journal: Journal
  readonly engine: Engine
  readonly key: string
  readonly verifier: Verifier
  readonly book: SpendBook | null
  /** Aborted when no further request may start. */
  readonly deadline: AbortSignal
  /** Lets no further request start, not even one that waits already. */
  stopAsking(): void
}

async function runPlan(run: PlannedRun, config: SweepConfig, { signal, onEvent, earlier }: SweepDeps): Promise<void> {
  const { plan, shard, registered, fixtures, providers, kept, journal, engine, verifier, book, deadline, stopAsking } =
    run
  const registration = registered && compareWithRegistered(registered, plan)
  if (earlier === undefined)
    journal.append({ kind: 'planned', at: new Date().toISOString(), plan, registration, shard })
  const attempts = [...countAttempts(plan, shard).values()].reduce((sum, each) => sum + each, 0)
  const firstTurns = [...kept.values()].filter(({ feedback }) => feedback === null)
  const bookings = earlier === undefined ? [] : listBookings(earlier)
  const spent = spentByCell(plan, bookings)
  const tally = createAttemptTally(spent)
  const ledger = createLedger(capOf(plan.caps.runUsd, shard), book, sumBookings(plan, bookings))
  onEvent({
    kind: 'planned',
    ...{ plan, shard, attempts, kept: firstTurns.length, spentByCell: spent, spentUsd: ledger.spentUsd },
  })
  const preflight = await preflightUnlessCancelled(run, signal)
  if (preflight === null) {
    if (earlier === undefined) journal.append<EndedLine>(endedLine(run, ledger, CANCELLED))
    return
  }
  const isUnfit = preflight.failures.length > 0
  // From this line on the earlier verdicts are void, so that it waits until they can be given anew.
  if (earlier !== undefined && !isUnfit) journal.append<ResumedLine>({ kind: 'resumed', at: new Date().toISOString() })
  if (earlier === undefined || !isUnfit) journal.append(preflight)
  onEvent({ kind: 'preflight', line: preflight })
  if (isUnfit) throw unfit(engine, preflight)

  let isCapped = false
  let isLate = false
  const byId = new Map(fixtures.map((fixture) => [fixture.id, fixture]))
  await generate(plan, {
    providers,
    ledger,
    journal,
    signal,
    deadline,
    concurrency: config.concurrency,
    requestsPerSample: config.retries + 1,
    shard,
    kept,
    stopAsking,
    async onAnswered(line, { isFirstOfTwo, bookedUsd }) {
      const { attempt, cell, fixture: id, sample, completion } = line
      tally.addTurn(line, bookedUsd)
      const fixture = byId.get(id)
      let verification: Verification | null = null
      if (completion.kind === 'answered' && fixture !== undefined) {
        verification = await verifier.verify(fixture, completion)
        journal.append<VerifiedLine>({ kind: 'verified', attempt, verification })
        if (isFirstOfTwo && isMendable(verification.verdict)) return describeFeedback(engine, fixture, verification)
      }
      if (completion.kind === 'not-attempted' && completion.why === 'spend-cap') isCapped = true
      if (completion.kind === 'not-attempted' && completion.why === 'deadline') isLate = true
      const verdict = verification?.verdict ?? null
      const { spentUsd } = ledger
      onEvent({ kind: 'attempt', cell, fixture: id, sample, verdict, spentUsd, ...tally.finish(line) })
      return null
    },
  })
  journal.append<EndedLine>(endedLine(run, ledger, stopReason(signal, { isCapped, isLate }, ledger)))
}

function keptAnswers(plan: Plan, earlier: JoinedRun | undefined): ReadonlyMap<string, KeptAnswer> {
  const isKept = keptOnResume(plan)
  const lines = [...(earlier?.answered.values() ?? [])].filter(({ cell, completion }) => isKept(cell, completion))
  return new Map(lines.map(({ attempt, completion, feedback = null }) => [attempt, { completion, feedback }]))
}

function unansweredSubjects(
  { cells, fixtures, samples }: Plan,
  shard: Shard | null,
  kept: ReadonlyMap<string, KeptAnswer>,
): Set<string> {
  const isKept = (cell: string) =>
    fixtures
      .filter(({ id }) => isOfShard(shard, cell, id))
      .every(({ id }) => Array.from({ length: samples }).every((_, sample) => kept.has(attemptId(cell, id, sample))))
  return new Set(cells.flatMap(({ id, subject }) => (isKept(id) ? [] : [subject])))
}

/** The preflight of a run; null when the run was cancelled meanwhile. */
async function preflightUnlessCancelled(
  { engine, key, fixtures, verifier }: PlannedRun,
  signal: AbortSignal,
): Promise<PreflightLine | null> {
  // Nothing will be verified any more, so that what waits for the engine need not be.
  const close = () => void engine.close().catch(() => {})
  signal.addEventListener('abort', close)
  if (signal.aborted) close()
  try {
    return await preflightLine(engine, key, fixtures, verifier)
  } catch (error) {
    if (signal.aborted && error instanceof BenchError && error.code === 'engine/closed') return null
    throw error
  } finally {
    signal.removeEventListener('abort', close)
  }
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

function stopReason(
  signal: AbortSignal,
  { isCapped, isLate }: { readonly isCapped: boolean; readonly isLate: boolean },
  { overruns, fullCap }: Ledger,
): string | null {
  if (signal.aborted) return CANCELLED
  if (isCapped && overruns.length > 0) {
    const attempts = overruns.map(({ attempt }) => attempt).join(', ')
    return `a bill was above the worst case, so that the spend cap could not be kept any more: ${attempts}`
  }
  if (!isCapped) return isLate ? 'the deadline of the run came' : null
  return fullCap === 'month' ? 'the spend cap of the month was reached' : CAP_REACHED
}

function endedLine({ key, plan, shard }: PlannedRun, ledger: Ledger, stoppedBecause: string | null): EndedLine {
  return {
    kind: 'ended',
    at: new Date().toISOString(),
    stoppedBecause,
    runKey: key,
    spend: { capUsd: capOf(plan.caps.runUsd, shard), spentUsd: ledger.spentUsd, overruns: [...ledger.overruns] },
  }
}

function unfit({ identity }: Engine, { failures, references }: PreflightLine): BenchError {
  const failed = failures.filter(({ planted }) => planted === 'reference').length
  return new BenchError({
    code: 'infra/preflight',
    message: `The preflight failed, so nothing was asked of any model. ${identity.version} and this corpus do not tell good programs from bad: ${failed === 1 ? '1 reference' : `${failed} references`} of ${references} ${failed === 1 ? 'fails' : 'fail'}.\n${preflightTable(failures)}`,
    hint:
      failed === references
        ? 'Take a vox that is as new as the corpus.'
        : failed > 0
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
