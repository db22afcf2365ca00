import type { Fixture, FixtureType } from '../corpus/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import { assertEqual, compose } from './compose.ts'
import type { FreshInput } from './fresh-inputs.ts'
import { describeDifference, locateFailure, valueOfCall } from './locate-failure.ts'
import { createNonce } from './nonce.ts'
import { runConfirmed } from './run-confirmed.ts'
import { shorten, verdictOfRun } from './run-verdict.ts'
import { createValueWriter } from './value-transfer.ts'
import type { Verdict } from './verdict.ts'

/**
 * Asks a candidate for the answers of the reference on fresh inputs, many in one program. Null when it gives them all; otherwise
 * `wrong-answer` or how else it failed. A batch whose sum is too much for one program is halved, so that the budget of a program
 * binds each input alone.
 */
export async function tryFreshInputs(
  engine: Engine,
  fixture: Fixture,
  inputs: readonly FreshInput[],
  candidate: string,
): Promise<Verdict | null> {
  if (inputs.length === 0) return null
  const { result } = fixture.entry
  const writer = createValueWriter(result, createNonce())
  const source = hasInnerWrapper(result) ? `${candidate}\n${writer.source}` : candidate
  const statements = inputs.map(({ call, expected }) =>
    hasInnerWrapper(result) ? assertEqual(writer.write(call), writer.write(expected)) : assertEqual(call, expected),
  )
  const nonce = createNonce()
  const verdict = verdictOfRun(await runConfirmed(engine, compose(source, statements, nonce)), nonce)
  switch (verdict.kind) {
    case 'passed':
      return null
    case 'wrong-answer':
    case 'runtime-error': {
      const at = inputs.length === 1 ? 0 : await locateFailure(engine, source, statements)
      return at === null ? onFreshInputs(verdict) : describe(engine, fixture, inputs[at], candidate, verdict)
    }
    case 'cheated':
    case 'unsupported':
      return verdict
    default: {
      if (inputs.length === 1) return verdict
      const half = Math.ceil(inputs.length / 2)
      return (
        (await tryFreshInputs(engine, fixture, inputs.slice(0, half), candidate)) ??
        (await tryFreshInputs(engine, fixture, inputs.slice(half), candidate))
      )
    }
  }
}

async function describe(
  engine: Engine,
  fixture: Fixture,
  input: FreshInput | undefined,
  candidate: string,
  verdict: Verdict,
): Promise<Verdict> {
  if (input === undefined) return onFreshInputs(verdict)
  const { call, expected } = input
  if (verdict.kind === 'runtime-error') return { ...verdict, detail: `${shorten(call)}: ${verdict.detail}` }
  const got = await valueOfCall(engine, candidate, call, fixture.entry.result)
  return { kind: 'wrong-answer', where: 'fresh inputs', detail: describeDifference(call, expected, got) }
}

function onFreshInputs(verdict: Verdict): Verdict {
  return verdict.kind === 'wrong-answer' ? { ...verdict, where: 'fresh inputs' } : verdict
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
