import type { Answer, Completion, InfraClass, Message, Usage } from '../models/provider.ts'
import type { Price, Subject } from './plan.ts'

/**
 * The most one sample can cost in `requests` requests, in USD; null where the price or the longest answer is unknown.
 * A byte-level tokenizer makes at most one token of a byte, so the bytes of the messages (and 16 a message for the
 * chat format) bound their tokens for every model. Nobody knows beforehand what of it a cache will read or write, so all
 * of it counts at the dearest of those prices.
 */
export function worstCaseUsd(
  { price, sampling }: Subject,
  messages: readonly Message[],
  requests: number,
): number | null {
  if (price === null || sampling.maxTokens === null) return null
  const promptTokens = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + 16, 0)
  const promptUsdPerM = Math.max(price.promptUsdPerM, price.cachedPromptUsdPerM ?? 0, price.cacheWriteUsdPerM ?? 0)
  const tokensUsd = (promptTokens * promptUsdPerM + sampling.maxTokens * price.completionUsdPerM) / 1e6
  return (tokensUsd + (price.requestUsd ?? 0)) * requests
}

/** What an answer cost, in USD. */
export interface Bill {
  readonly usd: number
  /** How far the cost that the provider told is from what its token counts come to; 0 where the two agree or one is unknown. */
  readonly differenceUsd: number
}

/** Costs that are this near to each other agree: they are rounded, and some are told in credits. */
const TOLERANCE_USD = 0.0001
const TOLERANCE_SHARE = 0.01

/**
 * What a completion cost: as reported, else from its usage and the price; null where neither is known, and for an
 * answer from the response store, for which another run paid. Where both are known and contradict each other, it is the
 * larger of the two.
 */
export function billOf(subject: Subject, completion: Completion): Bill | null {
  if (completion.kind !== 'answered' || completion.stored === true) return null
  const counted = countUsage(subject.price, completion)
  const reportedUsd = completion.costUsd
  if (reportedUsd === null) return counted === null ? null : { usd: counted.mostUsd, differenceUsd: 0 }
  if (counted === null) return { usd: reportedUsd, differenceUsd: 0 }
  const differenceUsd = Math.max(reportedUsd - counted.mostUsd, counted.leastUsd - reportedUsd)
  const tolerance = Math.max(TOLERANCE_USD, TOLERANCE_SHARE * Math.max(reportedUsd, counted.leastUsd))
  if (differenceUsd <= tolerance) return { usd: reportedUsd, differenceUsd: 0 }
  return { usd: Math.max(reportedUsd, counted.mostUsd), differenceUsd }
}

/** As `billOf`, without the difference. */
export function billedUsd(subject: Subject, completion: Completion): number | null {
  return billOf(subject, completion)?.usd ?? null
}

/**
 * What the token counts of an answer come to. Tokens that a cache read or wrote count as prompt tokens where they have
 * no price of their own; `leastUsd` takes those it read for free.
 */
function countUsage(price: Price | null, { usage }: Answer): { leastUsd: number; mostUsd: number } | null {
  if (price === null || usage === null) return null
  const { promptTokens, completionTokens } = usage
  if (promptTokens === null || completionTokens === null) return null
  const cachedTokens = usage.cachedPromptTokens ?? 0
  const writtenTokens = usage.cacheWriteTokens ?? 0
  // More of them than there are prompt tokens: they cannot be part of those.
  const isCacheApart = cachedTokens + writtenTokens > promptTokens
  const plainTokens = isCacheApart ? promptTokens : promptTokens - cachedTokens - writtenTokens
  const knownUsd =
    (plainTokens * price.promptUsdPerM +
      writtenTokens * (price.cacheWriteUsdPerM ?? price.promptUsdPerM) +
      (completionTokens + reasoningApart(usage)) * price.completionUsdPerM) /
      1e6 +
    (price.requestUsd ?? 0)
  const cachedUsd = (usdPerM: number) => knownUsd + (cachedTokens * usdPerM) / 1e6
  return {
    leastUsd: cachedUsd(price.cachedPromptUsdPerM ?? 0),
    mostUsd: cachedUsd(price.cachedPromptUsdPerM ?? price.promptUsdPerM),
  }
}

/**
 * Tokens of thinking beside the completion tokens. They are part of those, as in the OpenAI API, unless the provider's
 * own numbers show otherwise.
 */
function reasoningApart({ promptTokens, completionTokens, reasoningTokens, totalTokens }: Usage): number {
  if (promptTokens === null || completionTokens === null || reasoningTokens === null) return 0
  const isApart =
    reasoningTokens > completionTokens || totalTokens === promptTokens + completionTokens + reasoningTokens
  return isApart ? reasoningTokens : 0
}

/** Not sent, or turned away before any token was made, so not billed. Every other failure may have been. */
const unbilled: ReadonlySet<InfraClass> = new Set(['auth', 'quota', 'rate', 'overloaded', 'request', 'unreachable'])

/** Reasons to have no answer that came up while no request was under way; one that was broken off may be billed. */
const unsent: ReadonlySet<Extract<Completion, { kind: 'not-attempted' }>['why']> = new Set([
  'no-answer-file',
  'context',
  'deadline',
  'subject-stopped',
])

/**
 * What to book for a sample that a provider ended with `completion`, in USD, when one request costs `onceUsd` at worst
 * and `reservedUsd` was set aside for all that were allowed: the bill if known, and the worst case of each request that
 * may have been billed unseen. Nobody says how many were made for a sample that was broken off: it books everything.
 */
export function settlementUsd(subject: Subject, completion: Completion, onceUsd: number, reservedUsd: number): number {
  if (completion.kind === 'not-attempted' && !unsent.has(completion.why)) return reservedUsd
  if (completion.kind === 'answered' && completion.stored === true) return 0
  const failed = (completion.failedRequests ?? []).filter((failure) => !unbilled.has(failure)).length * onceUsd
  if (completion.kind === 'answered') return failed + (billedUsd(subject, completion) ?? onceUsd)
  return failed + (completion.kind === 'not-attempted' || unbilled.has(completion.class) ? 0 : onceUsd)
}
