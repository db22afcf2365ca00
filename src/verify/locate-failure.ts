import type { FixtureType } from '../corpus/fixture.ts'
import { literalOrNull } from '../corpus/literal.ts'
import { keptText } from '../engine/captured-text.ts'
import type { Engine } from '../engine/engine.ts'
import { compose } from './compose.ts'
import { createNonce } from './nonce.ts'
import { shorten } from './run-verdict.ts'
import { createValueWriter, readTransferred } from './value-transfer.ts'

const VALUE_CHARACTERS = 120
const CALL_CHARACTERS = 160

/**
 * Index of the statement at which a program stops; null when that cannot be told (it stopped nowhere, or the mark was lost in a flood
 * of output). Runs the statements once more, each behind a mark on the output that no program can forge.
 */
export async function locateFailure(
  engine: Engine,
  source: string,
  statements: readonly string[],
): Promise<number | null> {
  const nonce = createNonce()
  const mark = createNonce()
  const marked = statements.flatMap((statement, at) => [`print("${mark} ${at}")`, statement])
  const outcome = await engine.run(compose(source, marked, nonce))
  if (outcome.kind !== 'exited' || outcome.code === 0) return null
  const last = keptText(outcome.stdout)
    .split('\n')
    .findLast((line) => line.startsWith(`${mark} `))
  return last === undefined ? null : Number(last.slice(mark.length + 1))
}

/** The literal of what a call gives, for a message; null when it cannot be had. */
export async function valueOfCall(
  engine: Engine,
  source: string,
  call: string,
  type: FixtureType,
): Promise<string | null> {
  const nonce = createNonce()
  const mark = createNonce()
  const writer = createValueWriter(type, mark)
  const program = compose(`${source}\n${writer.source}`, [`print("${mark} " + ${writer.write(call)})`], nonce)
  const outcome = await engine.run(program)
  if (outcome.kind !== 'exited' || outcome.code !== 0) return null
  const line = keptText(outcome.stdout)
    .split('\n')
    .findLast((each) => each.startsWith(`${mark} `))
  const value = line === undefined ? null : readTransferred(line.slice(mark.length + 1), type)
  return value === null ? null : literalOrNull(value, type)
}

/** One line that says what a call should have given and what it gave. */
export function describeDifference(call: string, expected: string, got: string | null): string {
  const wanted = `${shorten(call, CALL_CHARACTERS)} should give ${shorten(expected, VALUE_CHARACTERS)}`
  return got === null ? wanted : `${wanted}, gave ${shorten(got, VALUE_CHARACTERS)}`
}
