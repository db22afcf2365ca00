import { createHash } from 'node:crypto'
import type { Assertion } from '../corpus/assertions.ts'
import { splitTests } from '../corpus/assertions.ts'
import type { Fixture } from '../corpus/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import { tryAlteredAssertion } from './altered-assertion.ts'
import { assertEqual, COMPOSITION_VERSION, compose } from './compose.ts'
import { extract } from './extract.ts'
import { tryFreshInputs } from './fresh-control.ts'
import type { FreshInput } from './fresh-inputs.ts'
import { drawFreshInputs } from './fresh-inputs.ts'
import { describeDifference, locateFailure, valueOfCall } from './locate-failure.ts'
import { createMemo } from './memo.ts'
import { createNonce as createSecretNonce } from './nonce.ts'
import { applyPolicy } from './policy.ts'
import { scaleToReference } from './reference-time.ts'
import { checkConfirmed, runConfirmed } from './run-confirmed.ts'
import { shorten, verdictOfCheck, verdictOfRun } from './run-verdict.ts'
import type { Verdict, Verification } from './verdict.ts'

export interface VerifierOptions {
  readonly engine: Engine
  /** The run key, see `createRunKey`. */
  readonly key: string
  /** Whether identical programs for one fixture are verified once; true by default. */
  readonly isMemoised?: boolean
  /** Whether a failure is run once or twice more to say at which call and with which value; true by default. */
  readonly isExplaining?: boolean
  /** Where fresh inputs come from: another verifier under the same key may share what it drew. */
  readonly freshInputs?: Verifier['freshInputs']
  /** Where nonces come from; set only to show that a leaked one is worth nothing. */
  readonly createNonce?: () => string
}

/** What a verifier needs of a completion. */
export interface Answer {
  readonly text: string | null
  readonly finishReason: string | null
}

/** Takes any number of calls at once. Rejects only for bugs, lost infrastructure, or a fixture whose reference fails. */
export interface Verifier {
  verify(fixture: Fixture, answer: Answer): Promise<Verification>
  /** Verifies a program that needs no extraction. */
  verifyProgram(fixture: Fixture, program: string): Promise<Verification>
  /** Verifies as if there were no policy gate, to show what holds without it. */
  verifyBelowGate(fixture: Fixture, program: string): Promise<Verdict>
  /** The inputs drawn for a fixture, with the reference's answers; empty without a domain. */
  freshInputs(fixture: Fixture): Promise<readonly FreshInput[]>
}

type Failure = Extract<Verdict, { kind: 'wrong-answer' | 'runtime-error' }>

const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'max_tokens', 'max_output_tokens', 'model_length'])
const FILTERED: ReadonlySet<string> = new Set([
  'content_filter',
  'safety',
  'recitation',
  'prohibited_content',
  'blocklist',
])
const REFUSED: ReadonlySet<string> = new Set(['refusal'])
/** Verdicts that say something about the machine as well as about the program. */
const NEVER_MEMOISED: ReadonlySet<Verdict['kind']> = new Set(['timeout', 'check-timeout', 'crashed', 'output-limit'])

export function createVerifier(options: VerifierOptions): Verifier {
  const { engine, key, isMemoised = true, isExplaining = true, createNonce = createSecretNonce } = options
  const memo = createMemo<Verdict>((verdict) => !NEVER_MEMOISED.has(verdict.kind))
  const drawn = createMemo<readonly FreshInput[]>(() => true)
  const testsOf = new Map<string, Tests>()

  function tests(fixture: Fixture): Tests {
    const known = testsOf.get(fixture.hash) ?? prepareTests(engine, fixture)
    testsOf.set(fixture.hash, known)
    return known
  }

  function freshInputs(fixture: Fixture): Promise<readonly FreshInput[]> {
    return drawn.get(fixture.hash, () => options.freshInputs?.(fixture) ?? drawFreshInputs(engine, key, fixture))
  }

  /** The verdict on source text in front of the tests. */
  async function judge(fixture: Fixture, candidate: string): Promise<Verdict> {
    const { assertions, statements, patient } = tests(fixture)
    const nonce = createNonce()
    const program = compose(candidate, statements, nonce)
    const refusal = verdictOfCheck(await checkConfirmed(patient, program), true)
    if (refusal !== null) return refusal
    const verdict = verdictOfRun(await runConfirmed(patient, program), nonce)
    if (isExplaining && (verdict.kind === 'wrong-answer' || verdict.kind === 'runtime-error')) {
      const at = await locateFailure(engine, candidate, statements)
      const failed = at === null ? undefined : assertions[at]
      return failed === undefined ? verdict : explain(fixture, failed, candidate, verdict)
    }
    if (verdict.kind !== 'passed') return verdict
    return (
      (await tryAlteredAssertion({ engine: patient, key, createNonce }, fixture, assertions, candidate)) ??
      (await tryFreshInputs(patient, fixture, await freshInputs(fixture), candidate)) ??
      verdict
    )
  }

  async function explain(fixture: Fixture, failed: Assertion, candidate: string, verdict: Failure): Promise<Verdict> {
    const { call, callee, expected } = failed
    if (verdict.kind === 'runtime-error') return { ...verdict, detail: `${shorten(call)}: ${verdict.detail}` }
    const { name, result } = fixture.entry
    const got = callee === name ? await valueOfCall(engine, candidate, call, result) : null
    return { ...verdict, detail: describeDifference(call, expected, got) }
  }

  function judgeOnce(fixture: Fixture, candidate: string): Promise<Verdict> {
    if (!isMemoised) return judge(fixture, candidate)
    const program = createHash('sha256').update(candidate).digest('hex')
    return memo.get(`${fixture.hash} ${COMPOSITION_VERSION} ${program}`, () => judge(fixture, candidate))
  }

  async function verifyProgram(fixture: Fixture, program: string): Promise<Verification> {
    const { name, params } = fixture.entry
    const policy = applyPolicy(program, { name, arity: params.length })
    const done = (verdict: Verdict, candidate = program, notes: readonly string[] = []): Verification => ({
      verdict,
      candidate,
      rule: null,
      notes: [...notes],
    })
    if (policy.kind === 'allowed') return done(await judgeOnce(fixture, policy.code), policy.code, policy.notes)
    const violation: Verdict = { kind: 'policy', rule: policy.rule, detail: policy.detail }
    if (policy.kind === 'violation') return done(violation)
    return done(verdictOfCheck(await checkConfirmed(engine, program), false) ?? violation)
  }

  async function verify(fixture: Fixture, { text, finishReason }: Answer): Promise<Verification> {
    const reason = finishReason?.toLowerCase() ?? ''
    if (FILTERED.has(reason)) return withoutCode('filtered')
    if (REFUSED.has(reason)) return withoutCode('refused')
    const extraction = extract(text ?? '', fixture.entry.name)
    if (CUT_SHORT.has(reason)) {
      // Even a complete program may lack what the model was about to correct.
      const { code: candidate, rule } = extraction.kind === 'none' ? { code: null, rule: null } : extraction
      return { verdict: { kind: 'truncated' }, candidate, rule, notes: [] }
    }
    if (extraction.kind === 'none') return withoutCode('none')
    const verification = await verifyProgram(fixture, extraction.code)
    const notes = extraction.truncated ? ['unclosed fence', ...verification.notes] : verification.notes
    return { ...verification, rule: extraction.rule, notes }
  }

  return { verify, verifyProgram, verifyBelowGate: judge, freshInputs }
}

/** What every candidate for a fixture is judged with. */
interface Tests {
  readonly assertions: readonly Assertion[]
  readonly statements: readonly string[]
  /** The engine, with the time this fixture needs on this machine. */
  readonly patient: Engine
}

function prepareTests(engine: Engine, { tests, reference }: Fixture): Tests {
  const { assertions } = splitTests(tests)
  const statements = assertions.map(({ call, expected }) => assertEqual(call, expected))
  return {
    assertions,
    statements,
    patient: scaleToReference(engine, compose(reference, statements, createSecretNonce())),
  }
}

function withoutCode(why: Extract<Verdict, { kind: 'no-code' }>['why']): Verification {
  return { verdict: { kind: 'no-code', why }, candidate: null, rule: null, notes: [] }
}
