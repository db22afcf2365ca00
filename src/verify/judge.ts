import { BenchError } from '../bench-error.ts'
import { splitTests } from '../corpus/assertions.ts'
import type { Fixture } from '../corpus/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import { tryAlteredClaim } from './altered-claim.ts'
import { describeDifference, valueOfCall } from './explain-failure.ts'
import type { FreshInput } from './fresh-inputs.ts'
import { createMemo } from './memo.ts'
import { createNonce as createSecretNonce } from './nonce.ts'
import { scaleToReference } from './reference-time.ts'
import { checkConfirmed } from './run-confirmed.ts'
import { shorten, verdictOfCheck } from './run-verdict.ts'
import type { Trial, TrialResult } from './trial.ts'
import { composeTrial, runTrial, trialOf } from './trial.ts'
import type { Verdict } from './verdict.ts'

export interface JudgeOptions {
  readonly engine: Engine
  readonly key: string
  /** Whether a wrong answer is asked for once more to say what it was. */
  readonly isExplaining: boolean
  freshInputs(fixture: Fixture): Promise<readonly FreshInput[]>
  createNonce(): string
}

/** Judges source text in front of a fixture's tests: checked once, run on tests and fresh inputs, and what passes is put to the control. */
export type Judge = (fixture: Fixture, candidate: string) => Promise<Verdict>

/** What every candidate for a fixture is judged with. */
interface Bench {
  readonly trial: Trial
  /** Null when the reference fails on an input of its own domain. */
  readonly inputs: readonly FreshInput[] | null
  /** The engine, with the time this fixture needs on this machine. */
  readonly patient: Engine
}

/** So few inputs share the time of one program: to try each alone could hold a machine for hours. */
const TIMED_TOGETHER = 6

export function createJudge(options: JudgeOptions): Judge {
  const { engine, key, isExplaining, freshInputs, createNonce } = options
  const benches = createMemo<Bench>(() => true)

  function benchOf(fixture: Fixture): Promise<Bench> {
    return benches.get(fixture.hash, () => prepare(fixture))
  }

  async function prepare(fixture: Fixture): Promise<Bench> {
    const inputs = await freshInputs(fixture).catch(nullWhenReferenceFails)
    const trial = trialOf(fixture, splitTests(fixture.tests).assertions, inputs ?? [])
    const { program } = composeTrial(fixture.reference, trial, createSecretNonce())
    return { trial, inputs, patient: scaleToReference(engine, program) }
  }

  /** The tests in a program of their own, and fresh inputs in others, so that the budget of a program binds each alone. */
  async function judgeApart(fixture: Fixture, candidate: string): Promise<Verdict> {
    const { inputs, patient } = await benchOf(fixture)
    const trial = trialOf(fixture, splitTests(fixture.tests).assertions, [])
    const result = await runTrial(patient, composeTrial(candidate, trial, createNonce()))
    if (result.verdict.kind !== 'passed') return explain(fixture, trial, candidate, result)
    return (
      (await tryAlteredClaim({ engine: patient, key, createNonce }, fixture, trial, candidate)) ??
      (await tryInputs(fixture, candidate, inputs ?? [])) ??
      result.verdict
    )
  }

  /** Null when the candidate gives the reference's answers; a batch that is too much for one program is halved, of what takes too long down to six. */
  async function tryInputs(
    fixture: Fixture,
    candidate: string,
    inputs: readonly FreshInput[],
  ): Promise<Verdict | null> {
    if (inputs.length === 0) return null
    const { patient } = await benchOf(fixture)
    const trial = trialOf(fixture, [], inputs)
    const result = await runTrial(patient, composeTrial(candidate, trial, createSecretNonce()))
    if (result.verdict.kind === 'passed') return null
    const isEnough = inputs.length === 1 || (result.verdict.kind === 'timeout' && inputs.length <= TIMED_TOGETHER)
    if (isEnough || isClear(result.verdict)) return explain(fixture, trial, candidate, result)
    const half = Math.ceil(inputs.length / 2)
    return (
      (await tryInputs(fixture, candidate, inputs.slice(0, half))) ??
      (await tryInputs(fixture, candidate, inputs.slice(half)))
    )
  }

  /** The verdict of a trial that failed, with where and what it gave there. */
  async function explain(fixture: Fixture, trial: Trial, candidate: string, result: TrialResult): Promise<Verdict> {
    const { verdict, at } = result
    if (verdict.kind !== 'wrong-answer' && verdict.kind !== 'runtime-error') return verdict
    const claim = at === null ? undefined : trial.claims[at]
    if (claim === undefined) {
      const [first] = trial.claims
      return verdict.kind === 'wrong-answer' && first !== undefined ? { ...verdict, where: first.from } : verdict
    }
    const { call, expected, from, isOfEntry } = claim
    if (verdict.kind === 'runtime-error') return { ...verdict, detail: `${shorten(call)}: ${verdict.detail}` }
    const got = isExplaining && isOfEntry ? await valueOfCall(engine, candidate, call, fixture.entry.result) : null
    return { ...verdict, where: from, detail: describeDifference(call, expected, got) }
  }

  return async (fixture, candidate) => {
    const { trial, inputs, patient } = await benchOf(fixture)
    const composed = composeTrial(candidate, trial, createNonce())
    const refusal = verdictOfCheck(await checkConfirmed(patient, composed.program), true)
    if (refusal !== null) return refusal
    const result = await runTrial(patient, composed)
    if (isTooMuchTogether(result, trial)) return judgeApart(fixture, candidate)
    if (result.verdict.kind !== 'passed') return explain(fixture, trial, candidate, result)
    // The fault of the fixture is told to whoever would have passed.
    if (inputs === null) await freshInputs(fixture)
    return (await tryAlteredClaim({ engine: patient, key, createNonce }, fixture, trial, candidate)) ?? result.verdict
  }
}

/** A verdict about the program, whatever else it shared its budget with. */
function isClear({ kind }: Verdict): boolean {
  return kind === 'wrong-answer' || kind === 'runtime-error' || kind === 'cheated' || kind === 'unsupported'
}

/** Whether a program failed behind its tests for want of something, or nobody knows where: then the tests alone may pass. */
function isTooMuchTogether({ verdict, at }: TrialResult, { claims }: Trial): boolean {
  const hasInputs = claims.some(({ from }) => from === 'fresh inputs')
  if (!hasInputs || verdict.kind === 'passed' || verdict.kind === 'cheated' || verdict.kind === 'unsupported')
    return false
  // What a killed program had still to write is lost, marks included.
  if (at === null || verdict.kind === 'timeout') return true
  return claims[at]?.from === 'fresh inputs' && !isClear(verdict)
}

function nullWhenReferenceFails(error: unknown): null {
  if (error instanceof BenchError && error.code === 'verify/reference-failed') return null
  throw error
}
