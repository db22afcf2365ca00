import type { SubjectOptions, SweepConfig } from './sweep-config.ts'

/** The endpoint of a subject that names none. */
export const OPENROUTER_URL = 'https://openrouter.ai/api/v1'

/** The ways to get answers; a subject has exactly one. */
export const sourceKeys = ['model', 'from-dir', 'recording', 'script'] as const
export const fileSources = ['from-dir', 'recording', 'script'] as const

/** Where the answers of a subject come from. `served`: a checkpoint on this machine that the run serves itself. */
export type SubjectSource = 'folder' | 'recording' | 'script' | 'served' | 'endpoint'

/** Of a subject with more than one source, which is a problem of its configuration, any. */
export function sourceOf(subject: SubjectOptions): SubjectSource {
  if (subject['from-dir'] !== undefined) return 'folder'
  if (subject.recording !== undefined) return 'recording'
  if (subject.script !== undefined) return 'script'
  return isMens(subject) && subject['base-url'] === undefined ? 'served' : 'endpoint'
}

/** Whether a model is asked for the answers, be it at an endpoint or by a server of the run. */
export function isAskedOverNetwork(subject: SubjectOptions): boolean {
  return sourceOf(subject) === 'endpoint' || isServed(subject)
}

/** Whether the subject is one of MENS's own models, which no public endpoint has. */
export function isMens({ model }: SubjectOptions): boolean {
  return model?.startsWith('mens/') === true
}

/** Whether the subject is a checkpoint on this machine that the run serves itself. */
export function isServed(subject: SubjectOptions): boolean {
  return sourceOf(subject) === 'served'
}

/** Whether the prices and context lengths of OpenRouter's catalogue are those of the subject. */
export function isAtOpenRouter(subject: SubjectOptions): boolean {
  if (sourceOf(subject) !== 'endpoint') return false
  const url = subject['base-url']
  return url === undefined || new URL(url).origin === new URL(OPENROUTER_URL).origin
}

/**
 * Whether requests of the subject are known to cost money. What costs nothing is mostly a server of one's own, which
 * may serve another checkpoint under the same name tomorrow.
 */
export function isPaid(subject: SubjectOptions): boolean {
  const url = subject['base-url']
  if (sourceOf(subject) !== 'endpoint' || (url !== undefined && isLoopback(new URL(url).hostname))) return false
  const prices = ['prompt-usd-per-m', 'completion-usd-per-m', 'request-usd'] as const
  return isAtOpenRouter(subject) || prices.some((part) => (subject[part] ?? 0) > 0)
}

/** Whether requests of the subject may cost money, for all that is known: those to an endpoint with a key and without a price. */
export function mayCost(subject: SubjectOptions): boolean {
  if (isPaid(subject)) return true
  const url = subject['base-url']
  if (sourceOf(subject) !== 'endpoint' || subject['api-key-env'] === undefined) return false
  const isPriced = subject['prompt-usd-per-m'] !== undefined || subject['completion-usd-per-m'] !== undefined
  return !isPriced && url !== undefined && !isLoopback(new URL(url).hostname)
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
