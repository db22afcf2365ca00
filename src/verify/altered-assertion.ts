import type { Assertion } from '../corpus/assertions.ts'
import type { Fixture } from '../corpus/fixture.ts'
import { toLiteral } from '../corpus/literal.ts'
import { fromLiteral } from '../corpus/literal-reader.ts'
import type { Engine } from '../engine/engine.ts'
import { assertEqual, compose } from './compose.ts'
import { runConfirmed } from './run-confirmed.ts'
import { keyedDigest } from './run-key.ts'
import { verdictOfRun } from './run-verdict.ts'
import { differentValue } from './value-variant.ts'
import type { Verdict } from './verdict.ts'

/**
 * Runs the tests that passed once more with one expectation changed into a different value of its type; which one and how, the run key
 * decides. A program whose assertions are really evaluated fails at that one: null. Anything else it does is `cheated`, except what
 * says nothing about the assertions (a timeout, a crash).
 */
export async function tryAlteredAssertion(
  context: { readonly engine: Engine; readonly key: string; readonly createNonce: () => string },
  fixture: Fixture,
  assertions: readonly Assertion[],
  candidate: string,
): Promise<Verdict | null> {
  const digest = keyedDigest(context.key, 'altered assertion', fixture.hash, candidate)
  const chosen = Number.parseInt(digest.slice(0, 8), 16) % assertions.length
  const pick = Number.parseInt(digest.slice(8, 16), 16)
  const statements = assertions.map((assertion, at) =>
    at === chosen ? altered(assertion, fixture, pick) : assertEqual(assertion.call, assertion.expected),
  )
  const nonce = context.createNonce()
  const verdict = verdictOfRun(await runConfirmed(context.engine, compose(candidate, statements, nonce)), nonce)
  switch (verdict.kind) {
    case 'wrong-answer':
      return null
    case 'timeout':
    case 'output-limit':
    case 'crashed':
    case 'unsupported':
      return verdict
    default:
      return { kind: 'cheated', how: `an altered assertion (${chosen + 1} of ${assertions.length}) did not fail` }
  }
}

function altered({ call, callee, expected }: Assertion, fixture: Fixture, pick: number): string {
  const { name, result } = fixture.entry
  const value = callee === name ? fromLiteral(expected, result) : null
  // An expectation that is no literal of the entry's type is negated as a whole.
  if (value === null) return `assert((${call} == ${expected}) == false)`
  return assertEqual(call, toLiteral(differentValue(value, result, pick), result))
}
