import { BenchError } from '../bench-error.ts'
import { VERSION } from '../version.ts'
import { type Catalogue, MAX_CATALOGUE_BYTES, readCatalogue } from './catalogue.ts'

export interface CatalogueRequest {
  /** URL below which `/models` lies. */
  readonly url: string
  readonly timeoutMs: number
  readonly now: Date
}

/** A catalogue with the text it was read from, which is a snapshot of its own. */
export interface FetchedCatalogue {
  readonly catalogue: Catalogue
  readonly text: string
}

/**
 * Fetches the list of models of an endpoint like OpenRouter. No key is sent, and redirects are refused.
 * @throws BenchError `infra/catalogue` when it cannot be had in time or is no such list.
 */
export async function fetchCatalogue({ url, timeoutMs, now }: CatalogueRequest): Promise<FetchedCatalogue> {
  const source = `${url}/models`
  try {
    const response = await fetch(source, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', 'user-agent': `vox-efficacy/${VERSION}` },
    })
    if (!response.ok) throw new Error(`the status is ${response.status}`)
    const body: unknown = JSON.parse(await readBody(response))
    const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null
    const text = JSON.stringify({ source, fetchedAt: now.toISOString(), data })
    return { catalogue: readCatalogue(text, source), text }
  } catch (error) {
    throw new BenchError({
      code: 'infra/catalogue',
      message: `The catalogue of models cannot be had from ${source}: ${reasonOf(error, timeoutMs)}.`,
      hint: 'Give a snapshot with --catalogue FILE, or do without with --catalogue off.',
      cause: error,
    })
  }
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_CATALOGUE_BYTES) throw new Error(`it is longer than ${MAX_CATALOGUE_BYTES / 1024 / 1024} MiB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it did not come within ${timeoutMs / 1000} s`
  if (error instanceof SyntaxError || error instanceof BenchError) return 'the answer is no list of models'
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
