import type { Completion, InfraClass } from '../models/provider.ts'
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

/**
 * What a completion cost, in USD: as reported, else from its usage; null where neither is known. Prices have no part
 * for cached prompt tokens, so that without a reported cost those count in full, which is never too little. Tokens of
 * thinking are part of the completion tokens, as in the OpenAI API, and are not added again.
 */
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

/** Turned away before any token was made, so not billed. Every other failure may have been. */
const unbilled: ReadonlySet<InfraClass> = new Set(['auth', 'quota', 'rate', 'overloaded', 'request'])

/**
 * What to book for a sample that ended in `completion`, in USD, when one request costs `onceUsd` at worst and
 * `requests` were allowed for: the bill if known, and the worst case of each request that may have been billed unseen.
 */
export function settlementUsd(subject: Subject, completion: Completion, onceUsd: number, requests: number): number {
  // A request that was cancelled under way may be billed, and nobody says how many were made before.
  if (completion.kind === 'not-attempted' && completion.why === 'cancelled') return onceUsd * requests
  const failed = (completion.failedRequests ?? []).filter((failure) => !unbilled.has(failure)).length * onceUsd
  if (completion.kind === 'answered') return failed + (billedUsd(subject, completion) ?? onceUsd)
  return failed + (completion.kind === 'not-attempted' || unbilled.has(completion.class) ? 0 : onceUsd)
}
