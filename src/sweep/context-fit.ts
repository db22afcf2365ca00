import { BenchError } from '../bench-error.ts'
import { countTokens } from '../generate/count-tokens.ts'
import type { Plan, Prompt } from '../generate/plan.ts'
import { number, plural } from '../report/format.ts'

/** Of the chat format, for two messages. */
const FORMAT_TOKENS = 32

/** No tokenizer in use makes less than one token of so many bytes of our prompts on average. */
const MOST_BYTES_PER_TOKEN = 8

/**
 * Says for which subjects and conditions prompts and answers together are longer than the model's context, as far as
 * it is known. Tokens are counted with one encoding for all models, so this is an estimate.
 * @throws BenchError `prompt/context` for prompts that cannot fit under any tokenizer, even without an answer.
 */
export async function checkContexts(plan: Plan): Promise<string[]> {
  const limited = plan.subjects.filter(({ contextTokens }) => contextTokens !== null)
  if (limited.length === 0) return []
  const counted = await Promise.all(
    plan.prompts.map(async (prompt) => ({ prompt, tokens: await estimateTokens(prompt) })),
  )
  const impossible: string[] = []
  const warnings: string[] = []
  for (const { subject, condition } of plan.cells) {
    const { contextTokens, sampling, hasFixTurn = false } = limited.find(({ id }) => id === subject) ?? {}
    if (contextTokens === undefined || contextTokens === null) continue
    const ofCell = counted.filter(({ prompt }) => prompt.condition === condition)
    const never = ofCell.filter(({ prompt }) => bytesOf(prompt) / MOST_BYTES_PER_TOKEN > contextTokens)
    const answer = sampling?.maxTokens ?? 0
    const needed = (tokens: number) => (hasFixTurn ? secondTurnTokens(tokens, answer) : tokens) + answer
    const tight = ofCell.filter(({ tokens }) => needed(tokens) > contextTokens)
    const context = `its context of ${number(contextTokens)} tokens`
    if (never.length > 0) {
      impossible.push(
        `${subject} under ${condition}: ${plural(never.length, 'prompt')} of ${number(ofCell.length)} cannot fit into ${context}`,
      )
    } else if (tight.length > 0) {
      const longest = Math.max(...tight.map(({ tokens }) => tokens))
      warnings.push(
        `${subject} under ${condition}: ${plural(tight.length, 'prompt')} of ${number(ofCell.length)} with an answer of at most ${number(answer)} tokens${hasFixTurn ? ' in each of two turns' : ''} may not fit into ${context} (the longest prompt has about ${number(longest)})`,
      )
    }
  }
  if (impossible.length === 0) return warnings
  throw new BenchError({
    code: 'prompt/context',
    message: `There are prompts that cannot be asked:\n${impossible.map((line) => `  ${line}`).join('\n')}`,
    hint: 'Take a condition with less help for this model, or leave the model out.',
  })
}

/** What a second turn says of the first; diagnostics seldom need more. */
const FEEDBACK_TOKENS = 300

/** About how many tokens a model is sent in a second turn, after a prompt and an answer of so many. */
export function secondTurnTokens(promptTokens: number, answerTokens: number): number {
  return promptTokens + answerTokens + FEEDBACK_TOKENS
}

/** About how many tokens a model is sent for a prompt. */
export async function estimateTokens({ system, user }: Prompt): Promise<number> {
  return (await countTokens(system)) + (await countTokens(user)) + FORMAT_TOKENS
}

function bytesOf({ system, user }: Prompt): number {
  return Buffer.byteLength(system) + Buffer.byteLength(user)
}
