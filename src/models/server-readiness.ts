import { z } from 'zod'

export type Readiness =
  | { readonly kind: 'ready'; readonly model: string }
  | { readonly kind: 'not-ready'; readonly state: string }
  /** It has several models, and ours is none of them; waiting would not change that. */
  | { readonly kind: 'other-models'; readonly models: readonly string[] }

/** A server that is loading may take connections and leave them waiting. */
const PATIENCE_MS = 5000
const MAX_LIST_BYTES = 1024 * 1024

const listSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(1000) })) })

/**
 * Whether a server lists its models and does not say that its health is "unavailable", as some do while they load. `model` is the name to
 * ask for: that of the only one listed, else `ours`.
 */
export async function askReadiness(baseUrl: string, ours: string, signal: AbortSignal): Promise<Readiness> {
  try {
    const list = await get(`${baseUrl}/models`, signal)
    if (list.status !== 200) return notReady(`GET /v1/models gives status ${list.status}`)
    const body: unknown = JSON.parse(list.text)
    const health = await get(new URL('/health', baseUrl).href, signal)
    if (health.status === 503) return notReady('GET /health gives status 503')
    const read = listSchema.safeParse(body)
    const models = read.success ? read.data.data.map(({ id }) => id) : []
    const [only, ...others] = models
    if (only === undefined || models.includes(ours)) return { kind: 'ready', model: ours }
    return others.length === 0 ? { kind: 'ready', model: only } : { kind: 'other-models', models }
  } catch (error) {
    if (error instanceof SyntaxError) return notReady('GET /v1/models gives no JSON')
    return notReady(isTimeout(error) ? 'it takes connections and does not answer' : 'it does not listen')
  }
}

function notReady(state: string): Readiness {
  return { kind: 'not-ready', state }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** The status and the text of an answer; of one that is too long the beginning. */
async function get(url: string, signal: AbortSignal): Promise<{ readonly status: number; readonly text: string }> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const response = await fetch(url, { signal: until, redirect: 'error', headers: { accept: 'application/json' } })
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length > MAX_LIST_BYTES) break
  }
  return { status: response.status, text }
}
