import type { Assertion } from '../corpus/assertions.ts'
import type { Fixture, FixtureType } from '../corpus/fixture.ts'
import type { CapturedText, Engine, RunOutcome } from '../engine/engine.ts'
import { assertEqual, compose } from './compose.ts'
import type { FreshInput } from './fresh-inputs.ts'
import { createNonce } from './nonce.ts'
import { runConfirmed } from './run-confirmed.ts'
import { verdictOfRun } from './run-verdict.ts'
import { createValueWriter } from './value-transfer.ts'
import type { Verdict } from './verdict.ts'

/** That a call gives what a literal says. */
export interface Claim {
  readonly call: string
  readonly expected: string
  readonly from: 'assertion' | 'fresh inputs'
  /** Whether the entry function is called, so that the literal is of its result type. */
  readonly isOfEntry: boolean
  /** The statement that the call gives `literal`. */
  state(literal: string): string
}

/** All that a candidate must hold in one program. */
export interface Trial {
  readonly claims: readonly Claim[]
  /** Functions that the claims need. */
  readonly helpers: string
}

/** The assertions of a fixture, then fresh inputs. */
export function trialOf({ entry }: Fixture, assertions: readonly Assertion[], inputs: readonly FreshInput[]): Trial {
  const writer =
    hasInnerWrapper(entry.result) && inputs.length > 0 ? createValueWriter(entry.result, createNonce()) : null
  return {
    claims: [
      ...assertions.map(({ call, callee, expected }) => ({
        call,
        expected,
        from: 'assertion' as const,
        isOfEntry: callee === entry.name,
        state: (literal: string) => assertEqual(call, literal),
      })),
      ...inputs.map(({ call, expected }) => ({
        call,
        expected,
        from: 'fresh inputs' as const,
        isOfEntry: true,
        state: (literal: string) =>
          writer === null ? assertEqual(call, literal) : assertEqual(writer.write(call), writer.write(literal)),
      })),
    ],
    helpers: writer?.source ?? '',
  }
}

/** A program and the secrets that tell how far it came. */
export interface ComposedTrial {
  readonly program: string
  readonly nonce: string
  readonly mark: string
}

/** `candidate` in front of all claims, each behind a mark on the output that no program can forge. */
export function composeTrial(
  candidate: string,
  { claims, helpers }: Trial,
  nonce: string,
  statementOf: (claim: Claim, at: number) => string = (claim) => claim.state(claim.expected),
): ComposedTrial {
  const mark = createNonce()
  const source = helpers === '' ? candidate : `${candidate}\n${helpers}`
  const statements = claims.flatMap((claim, at) => [`print("${mark} ${at}")`, statementOf(claim, at)])
  return { program: compose(source, statements, nonce), nonce, mark }
}

export interface TrialResult {
  readonly verdict: Verdict
  /** Index of the claim at which the program stopped; null when it passed, or when a flood of output hides it. */
  readonly at: number | null
}

/** Runs a composed trial. */
export async function runTrial(engine: Engine, { program, nonce, mark }: ComposedTrial): Promise<TrialResult> {
  const outcome = await runConfirmed(engine, program)
  const verdict = verdictOfRun(outcome, nonce)
  const stdout = verdict.kind === 'passed' ? null : stdoutOf(outcome)
  return { verdict, at: stdout === null ? null : lastMarked(stdout, mark) }
}

function stdoutOf(outcome: RunOutcome): CapturedText | null {
  return 'stdout' in outcome ? outcome.stdout : null
}

function lastMarked({ head, tail }: CapturedText, mark: string): number | null {
  // Of a long output the middle is gone, and with it perhaps marks behind those of the head.
  const last = (tail === '' ? head : tail).split('\n').findLast((line) => line.startsWith(`${mark} `))
  return last === undefined ? null : Number(last.slice(mark.length + 1))
}

/**
 * Whether an Option or a Result lies inside another type. `None` in a literal is a bare constructor, which `==` takes for an Option
 * only at the top, so such answers are compared in written form.
 */
function hasInnerWrapper(type: FixtureType): boolean {
  return 'item' in type && holdsWrapper(type.item)
}

function holdsWrapper(type: FixtureType): boolean {
  if (type.kind === 'option' || type.kind === 'result') return true
  return type.kind === 'list' && holdsWrapper(type.item)
}
