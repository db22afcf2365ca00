import type { Fixture } from '../corpus/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import { LINES_BEFORE_CANDIDATE, withoutCapabilities } from './compose.ts'
import { checkConfirmed } from './run-confirmed.ts'
import { verdictOfCheck } from './run-verdict.ts'
import type { Verdict, Verification } from './verdict.ts'

/** Version of the wording below; part of every comparison. */
export const FEEDBACK_VERSION = 1

/**
 * What a model is told of an answer with a mendable verdict: the diagnostics of the check, or the class of the failure.
 * Nothing of the tests is in it, since the candidate is checked here without them.
 */
export async function describeFeedback(
  engine: Engine,
  fixture: Fixture,
  { verdict, candidate }: Verification,
): Promise<string> {
  const found =
    verdict.kind === 'check-failed' && candidate !== null
      ? await describeCheck(engine, fixture, candidate)
      : describeFailure(verdict)
  return `${found}\n\nAnswer once more, with the whole corrected program in one fenced code block tagged vox. The rules are the same as before.\n`
}

async function describeCheck(engine: Engine, fixture: Fixture, candidate: string): Promise<string> {
  const alone = verdictOfCheck(await checkConfirmed(engine, withoutCapabilities(candidate)), false)
  if (alone === null)
    return `The program is accepted by \`vox check\` as it stands, but calls of the function with arguments and a result of the types in \`${fixture.signature}\` are not.`
  if (alone.kind !== 'check-failed') return describeFailure({ kind: 'check-timeout' })
  const lines = candidate.split('\n')
  const list = alone.diagnostics.map((diagnostic) => {
    const number = Math.max(1, diagnostic.line - LINES_BEFORE_CANDIDATE)
    const source = lines[number - 1]?.trim() ?? ''
    const place = `line ${number}, column ${diagnostic.column}`
    const excerpt = source === '' ? '' : `\n    ${source.slice(0, SOURCE_CHARACTERS)}`
    return `- ${place}: ${diagnostic.message}${excerpt}`
  })
  if (list.length === 0) return 'The program is not accepted by `vox check`, which does not say why.'
  return `The program is not accepted by \`vox check\`:\n\n${list.join('\n')}`
}

/** A line longer than this is no help to anybody. */
const SOURCE_CHARACTERS = 200

function describeFailure(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'no-code':
      return 'No program was found in the answer.'
    case 'policy':
      return `The program breaks a rule (${verdict.rule}): ${verdict.detail}.`
    case 'check-timeout':
      return '`vox check` did not come to an end on the program.'
    case 'wrong-answer':
      return 'The program is accepted by `vox check` and runs, but its function gives a wrong result for at least one input.'
    case 'runtime-error':
      return `The program is accepted by \`vox check\`, but for at least one input it ends with an error while it runs (${verdict.class}).`
    case 'budget':
      return `The program is accepted by \`vox check\`, but for at least one input it needs more than its budget of ${verdict.resource}.`
    case 'timeout':
      return 'The program is accepted by `vox check`, but it does not come to an end in its time.'
    case 'output-limit':
      return 'The program is accepted by `vox check`, but it prints far too much.'
    default:
      throw new Error(`an answer is not given back for ${verdict.kind}`)
  }
}
