import type { Fixture } from '../corpus/fixture.ts'
import { toLiteral } from '../corpus/literal.ts'
import { fromLiteral } from '../corpus/literal-reader.ts'
import type { Engine } from '../engine/engine.ts'
import { keyedDigest } from './run-key.ts'
import type { Claim, Trial } from './trial.ts'
import { composeTrial, runTrial } from './trial.ts'
import { differentValue } from './value-variant.ts'
import type { Verdict } from './verdict.ts'

/**
 * Runs the trial that passed once more with one expectation changed into a different value of its type; which one and how, the run key
 * decides. A program whose claims are really evaluated fails at that one: null. Anything else it does is `cheated`, except what
 * says nothing about the claims (a timeout, a crash, memory that this time was short).
 */
export async function tryAlteredClaim(
  context: { readonly engine: Engine; readonly key: string; readonly createNonce: () => string },
  fixture: Fixture,
  trial: Trial,
  candidate: string,
): Promise<Verdict | null> {
  const digest = keyedDigest(context.key, 'altered assertion', fixture.hash, candidate)
  const chosen = Number.parseInt(digest.slice(0, 8), 16) % trial.claims.length
  const pick = Number.parseInt(digest.slice(8, 16), 16)
  const composed = composeTrial(candidate, trial, context.createNonce(), (claim, at) =>
    at === chosen ? altered(claim, fixture, pick) : claim.state(claim.expected),
  )
  const { verdict, at } = await runTrial(context.engine, composed)
  const which = `an altered assertion (${chosen + 1} of ${trial.claims.length})`
  switch (verdict.kind) {
    case 'wrong-answer':
      // Where the program stopped is unknown when a flood of output hid the marks.
      if (at === null || at === chosen) return null
      return { kind: 'cheated', how: `${which} was to fail, but the program stopped at number ${at + 1}` }
    case 'budget':
    case 'timeout':
    case 'output-limit':
    case 'crashed':
    case 'unsupported':
      return verdict
    default:
      return { kind: 'cheated', how: `${which} did not fail` }
  }
}

function altered(claim: Claim, { entry }: Fixture, pick: number): string {
  const value = claim.isOfEntry ? fromLiteral(claim.expected, entry.result) : null
  // An expectation that is no literal of the entry's type is negated as a whole.
  if (value === null) return `assert((${claim.call} == ${claim.expected}) == false)`
  return claim.state(toLiteral(differentValue(value, entry.result, pick), entry.result))
}
