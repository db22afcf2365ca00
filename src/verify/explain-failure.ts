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
