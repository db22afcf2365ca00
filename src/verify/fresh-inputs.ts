import { BenchError } from '../bench-error.ts'
import { splitTests } from '../corpus/assertions.ts'
import { drawInputs } from '../corpus/draw.ts'
import type { Fixture } from '../corpus/fixture.ts'
import type { Value } from '../corpus/literal.ts'
import { literalOrNull, toLiteral } from '../corpus/literal.ts'
import type { Engine } from '../engine/engine.ts'
import { compose } from './compose.ts'
import { createNonce } from './nonce.ts'
import { runConfirmed } from './run-confirmed.ts'
import { keyedDigest } from './run-key.ts'
import { shorten, verdictOfRun } from './run-verdict.ts'
import { createValueWriter, readTransferred } from './value-transfer.ts'
import type { Verdict } from './verdict.ts'
import { describeVerdict } from './verdict-text.ts'

/** A call with drawn arguments and the reference's answer. */
export interface FreshInput {
  readonly call: string
  readonly value: Value
  /** Literal of `value`. */
  readonly expected: string
}

/** Wanted for each fixture; at least 20 stay where a few have answers without a literal. */
const FRESH_INPUTS = 24

/**
 * Inputs drawn from a fixture's domain under the run key, with the answers of the reference, which runs in a program of its own. Empty
 * for a fixture without a domain. Throws a BenchError when the reference fails on an input its own domain promises.
 */
export async function drawFreshInputs(engine: Engine, key: string, fixture: Fixture): Promise<readonly FreshInput[]> {
  const { domain, entry } = fixture
  if (domain === null) return []
  const tuples = drawInputs(domain, keyedDigest(key, 'fresh inputs', fixture.hash), FRESH_INPUTS)
  const calls = tuples.map((tuple) => callWith(fixture, tuple))
  const values = await answersOf(engine, fixture, calls)
  return calls.flatMap((call, at) => {
    const value = values[at]
    const expected = value === undefined ? null : literalOrNull(value, entry.result)
    return value === undefined || expected === null ? [] : [{ call, value, expected }]
  })
}

function callWith({ entry }: Fixture, tuple: readonly Value[]): string {
  const args = entry.params.map(({ type }, at) => toLiteral(tuple[at] ?? 0, type))
  return `${entry.name}(${args.join(', ')})`
}

/** What the reference gives for each call; a batch that is too much for one program is halved. */
async function answersOf(engine: Engine, fixture: Fixture, calls: readonly string[]): Promise<readonly Value[]> {
  if (calls.length === 0) return []
  const nonce = createNonce()
  const mark = createNonce()
  const writer = createValueWriter(fixture.entry.result, mark)
  const source = `${splitTests(fixture.tests).prelude}\n${writer.source}`
  const statements = calls.map((call) => `print("${mark} " + ${writer.write(call)})`)
  const outcome = await runConfirmed(engine, compose(source, statements, nonce))
  if (outcome.kind === 'exited' && outcome.code === 0 && outcome.stdout.tail === '') {
    const lines = outcome.stdout.head.split('\n').filter((line) => line.startsWith(`${mark} `))
    const values = lines.map((line) => readTransferred(line.slice(mark.length + 1), fixture.entry.result))
    const known = values.filter((value) => value !== null)
    if (known.length === calls.length) return known
  }
  const verdict = verdictOfRun(outcome, nonce)
  const [only, ...others] = calls
  if (others.length === 0) throw referenceFailure(fixture, only ?? '', verdict)
  // An error is of the call behind the last answer; only what is a matter of too much is helped by less.
  if (verdict.kind === 'runtime-error' && outcome.kind === 'exited' && outcome.stdout.tail === '') {
    const answered = outcome.stdout.head.split('\n').filter((line) => line.startsWith(`${mark} `)).length
    throw referenceFailure(fixture, calls[answered] ?? '', verdict)
  }
  const half = Math.ceil(calls.length / 2)
  return [
    ...(await answersOf(engine, fixture, calls.slice(0, half))),
    ...(await answersOf(engine, fixture, calls.slice(half))),
  ]
}

function referenceFailure(fixture: Fixture, call: string, verdict: Verdict): BenchError {
  const why = verdict.kind === 'passed' ? 'its answer cannot be read back' : describeVerdict(verdict)
  return new BenchError({
    code: 'verify/reference-failed',
    message: `The reference of fixture ${fixture.id} fails on an input of its own domain: ${shorten(call)}: ${why}.`,
    hint: 'Narrow [domain] in spec.toml, mend the reference, or exclude the fixture.',
  })
}
