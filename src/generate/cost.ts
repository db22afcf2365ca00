import type { Completion } from '../models/provider.ts'
import type { Prompt, Subject } from './plan.ts'

/**
 * The most one sample can cost in `requests` requests, in USD; null where the price or the longest answer is unknown.
 * A byte-level tokenizer makes at most one token of a byte, so the prompt's bytes (and 16 a message for the
 * chat format) bound its tokens for every model.
 */
export function worstCaseUsd(subject: Subject, prompt: Prompt, requests: number): number | null {
  if (subject.price === null || subject.sampling.maxTokens === null) return null
  const promptTokens = Buffer.byteLength(prompt.system) + Buffer.byteLength(prompt.user) + 32
  const once =
    (promptTokens * subject.price.promptUsdPerM + subject.sampling.maxTokens * subject.price.completionUsdPerM) / 1e6
  return once * requests
}

/** What a completion cost, in USD: as reported, else from its usage; null where neither is known. */
export function billedUsd(subject: Subject, completion: Completion): number | null {
  if (completion.kind !== 'answered') return null
  if (completion.costUsd !== null) return completion.costUsd
  const { usage } = completion
  if (subject.price === null || usage === null || usage.promptTokens === null || usage.completionTokens === null)
    return null
  return (
    (usage.promptTokens * subject.price.promptUsdPerM + usage.completionTokens * subject.price.completionUsdPerM) / 1e6
  )
}
