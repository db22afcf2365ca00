import { parse } from 'yaml'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { listIssues } from '../zod-issues.ts'
import { type Completion, type CompletionRequest, infraClasses, type Provider } from './provider.ts'

const tokens = z.number().int().nonnegative().nullable().default(null)

/** One rule: what to do for the requests it fits; a key that is left out fits everything. */
const ruleSchema = z
  .strictObject({
    fixture: z.string().optional(),
    condition: z.string().optional(),
    sample: z.number().int().optional(),
    turn: z.number().int().min(1).max(2).optional(),
    answer: z.string().optional(),
    finish: z.string().default('stop'),
    usage: z
      .strictObject({
        promptTokens: tokens,
        cachedPromptTokens: tokens,
        cacheWriteTokens: tokens,
        completionTokens: tokens,
        reasoningTokens: tokens,
        totalTokens: tokens,
      })
      .nullable()
      .default(null),
    'cost-usd': z.number().nonnegative().optional(),
    fail: z.enum(infraClasses).optional(),
  })
  .refine((rule) => (rule.answer === undefined) !== (rule.fail === undefined), 'needs either "answer" or "fail"')

const scriptSchema = z.strictObject({ rules: z.array(ruleSchema).min(1) })
type Rule = z.infer<typeof ruleSchema>

/**
 * A provider that answers by a script, to rehearse a sweep or a failure without a model: the first rule that fits a
 * request decides; one that fits none has no answer.
 * @throws BenchError `script/invalid` listing what is wrong with the script.
 */
export function createScriptedProvider(file: string, text: string): Provider {
  const { rules } = readScript(file, text)
  return {
    async complete(request): Promise<Completion> {
      const rule = rules.find((candidate) => fits(candidate, request))
      if (rule === undefined) {
        return { kind: 'not-attempted', why: 'no-answer-file', message: 'no rule of the script fits this request' }
      }
      if (rule.fail !== undefined) {
        return { kind: 'infra-error', class: rule.fail, message: `scripted failure: ${rule.fail}`, requests: 1 }
      }
      return answered(rule)
    },
  }
}

function fits(rule: Rule, { fixture, condition, sample, messages }: CompletionRequest): boolean {
  const turn = messages.some(({ role }) => role === 'assistant') ? 2 : 1
  return (
    (rule.turn ?? turn) === turn &&
    (rule.fixture ?? fixture) === fixture &&
    (rule.condition ?? condition) === condition &&
    (rule.sample ?? sample) === sample
  )
}

function answered(rule: Rule): Completion {
  return {
    kind: 'answered',
    text: rule.answer ?? null,
    finishReason: rule.finish,
    usage: rule.usage,
    costUsd: rule['cost-usd'] ?? null,
    latencyMs: null,
    modelReturned: null,
    providerReturned: null,
    requests: 1,
  }
}

function readScript(file: string, text: string): z.infer<typeof scriptSchema> {
  let value: unknown
  try {
    value = parse(text, { prettyErrors: true })
  } catch (error) {
    throw invalid(file, (error as Error).message)
  }
  const parsed = scriptSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(file, listIssues(parsed.error).join('; '))
}

function invalid(file: string, problem: string): BenchError {
  return new BenchError({
    code: 'script/invalid',
    message: `The script ${file} cannot be used: ${problem}.`,
    hint: 'A script is a list "rules:"; docs/scripted-models.md shows one.',
  })
}
