import type { SubjectOptions, SweepConfig } from './sweep-config.ts'

/** The endpoint of a subject that names none. */
export const OPENROUTER_URL = 'https://openrouter.ai/api/v1'

/** The ways to get answers; a subject has exactly one. */
export const sourceKeys = ['model', 'from-dir', 'recording', 'script'] as const
export const fileSources = ['from-dir', 'recording', 'script'] as const

/** Whether running the subject sends requests that somebody may bill. */
export function isAskedOverNetwork(subject: SubjectOptions): boolean {
  return fileSources.every((key) => subject[key] === undefined)
}

/** Whether the prices and context lengths of OpenRouter's catalogue are those of the subject. */
export function isAtOpenRouter(subject: SubjectOptions): boolean {
  if (!isAskedOverNetwork(subject)) return false
  const url = subject['base-url']
  return url === undefined || new URL(url).origin === new URL(OPENROUTER_URL).origin
}

/**
 * Whether requests of the subject are known to cost money. What costs nothing is mostly a server of one's own, which
 * may serve another checkpoint under the same name tomorrow.
 */
export function isPaid(subject: SubjectOptions): boolean {
  const url = subject['base-url']
  if (!isAskedOverNetwork(subject) || (url !== undefined && isLoopback(new URL(url).hostname))) return false
  const prices = ['prompt-usd-per-m', 'completion-usd-per-m', 'request-usd'] as const
  return isAtOpenRouter(subject) || prices.some((part) => (subject[part] ?? 0) > 0)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host)
}

/** Whether the catalogue of models can tell something of a subject: its context and price, or the cutoff it asks for. */
export function usesCatalogue({ catalogue, subjects }: SweepConfig): boolean {
  if (catalogue === 'off') return false
  return catalogue !== 'auto' || subjects.some((subject) => isAtOpenRouter(subject) || subject.cutoff === 'auto')
}

/** Whether somebody relies on what a run is said to spend: a cap of it, or a book that other runs read. */
export function isSpendWatched(config: SweepConfig): boolean {
  return (['max-spend-usd', 'max-spend-usd-per-month', 'spend-file'] as const).some((key) => config[key] !== undefined)
}
