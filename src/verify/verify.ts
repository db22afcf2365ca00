import { createHash } from 'node:crypto'
import type { Fixture } from '../corpus/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import { COMPOSITION_VERSION } from './compose.ts'
import { extract } from './extract.ts'
import type { FreshInput } from './fresh-inputs.ts'
import { drawFreshInputs } from './fresh-inputs.ts'
import { createJudge } from './judge.ts'
import { createMemo } from './memo.ts'
import { createNonce as createSecretNonce } from './nonce.ts'
import { applyPolicy } from './policy.ts'
import { checkConfirmed } from './run-confirmed.ts'
import { verdictOfCheck } from './run-verdict.ts'
import type { Verdict, Verification } from './verdict.ts'

export interface VerifierOptions {
  readonly engine: Engine
  /** The run key, see `createRunKey`. */
  readonly key: string
  /** Whether identical programs for one fixture are verified once; true by default. */
  readonly isMemoised?: boolean
  /** Whether a wrong answer is asked for once more to say what it was; true by default. */
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

  function freshInputs(fixture: Fixture): Promise<readonly FreshInput[]> {
    return drawn.get(fixture.hash, () => options.freshInputs?.(fixture) ?? drawFreshInputs(engine, key, fixture))
  }

  const judge = createJudge({ engine, key, isExplaining, freshInputs, createNonce })

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

function withoutCode(why: Extract<Verdict, { kind: 'no-code' }>['why']): Verification {
  return { verdict: { kind: 'no-code', why }, candidate: null, rule: null, notes: [] }
}
