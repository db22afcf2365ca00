import { z } from 'zod'

/** What a request came to; a failure is for the caller to weigh. */
export type ApiResult<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'failed'; readonly status: number | null; readonly message: string }

/** The same answer in the form that is documented, or a failure that says it is in another. */
export function inForm<Value>(answer: ApiResult<unknown>, schema: z.ZodType<Value>): ApiResult<Value> {
  if (answer.kind === 'failed') return answer
  const parsed = schema.safeParse(answer.value)
  return parsed.success
    ? { kind: 'ok', value: parsed.data }
    : { kind: 'failed', status: null, message: 'GitHub answers in another form than documented' }
}

/** Entries of the cache, as GitHub lists them. */
export const cachesSchema = z.object({ actions_caches: z.array(z.object({ key: z.string() })) })

/** GitHub's REST API for one repository. */
export interface GitHubApi {
  /** JSON of `/repos/OWNER/NAME/<path>`; of the repository itself without a path, of the API's own where it begins with a slash. */
  get(path: string): Promise<ApiResult<unknown>>
  send(method: 'POST' | 'PATCH', path: string, body: object): Promise<ApiResult<unknown>>
  /** Bytes, at most `maxBytes`. */
  download(path: string, maxBytes: number, accept?: string): Promise<ApiResult<Buffer>>
}

export interface GitHubApiOptions {
  /** `GITHUB_API_URL`. */
  readonly url: string
  /** `OWNER/NAME`. */
  readonly repository: string
  readonly token: string
}

const TRIES = 3
const TIMEOUT_MS = 30_000
const DOWNLOAD_TIMEOUT_MS = 300_000
const MAX_JSON_BYTES = 32 * 1024 * 1024
const LONGEST_WAIT_MS = 10_000

export function createGitHubApi({ url, repository, token }: GitHubApiOptions): GitHubApi {
  const root = url.replace(/\/+$/, '')
  const base = `${root}/repos/${repository.split('/').map(encodeURIComponent).join('/')}`
  const addressOf = (path: string) => (path === '' ? base : path.startsWith('/') ? `${root}${path}` : `${base}/${path}`)

  async function request(
    path: string,
    init: RequestInit & { accept: string },
    maxBytes: number,
  ): Promise<ApiResult<Buffer>> {
    const isRead = init.method === 'GET'
    for (let tried = 1; ; tried++) {
      const outcome = await requestOnce(addressOf(path), init, maxBytes)
      // What was written may have arrived although no answer came.
      const isPassing = outcome.kind === 'failed' && (isRead || outcome.waitMs !== null) && outcome.isPassing
      if (outcome.kind === 'ok' || !isPassing || tried === TRIES) {
        return outcome.kind === 'ok' ? outcome : { kind: 'failed', status: outcome.status, message: outcome.message }
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_WAIT_MS, outcome.waitMs ?? 500 * 2 ** tried)))
    }
  }

  async function requestOnce(address: string, { accept, ...init }: RequestInit & { accept: string }, maxBytes: number) {
    try {
      const patience = AbortSignal.timeout(maxBytes > MAX_JSON_BYTES ? DOWNLOAD_TIMEOUT_MS : TIMEOUT_MS)
      const response = await fetch(address, {
        ...init,
        // A redirect to another origin loses the token: fetch drops the header there.
        headers: {
          accept,
          authorization: `Bearer ${token}`,
          'x-github-api-version': '2022-11-28',
          'user-agent': 'vox-efficacy',
          'content-type': 'application/json',
        },
        signal: patience,
      })
      const bytes = await readAtMost(response, maxBytes)
      if (bytes === null) {
        return {
          kind: 'failed',
          status: response.status,
          message: `the answer has more than ${maxBytes} bytes`,
          isPassing: false,
          waitMs: null,
        } as const
      }
      if (response.ok) return { kind: 'ok', value: bytes } as const
      const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
      const isPassing = response.status >= 500 || response.status === 429 || Number.isFinite(wait)
      return {
        kind: 'failed',
        status: response.status,
        message: `GitHub answers ${response.status}${wordsOf(bytes)}`.replaceAll(token, '***'),
        isPassing,
        waitMs: Number.isFinite(wait) ? wait * 1000 : null,
      } as const
    } catch (error) {
      const cause = (error as Error).cause
      const message = cause instanceof Error && cause.message !== '' ? cause.message : (error as Error).message
      return { kind: 'failed', status: null, message, isPassing: true, waitMs: null } as const
    }
  }

  async function json(path: string, init: RequestInit): Promise<ApiResult<unknown>> {
    const result = await request(path, { ...init, accept: 'application/vnd.github+json' }, MAX_JSON_BYTES)
    if (result.kind === 'failed') return result
    try {
      return { kind: 'ok', value: JSON.parse(result.value.toString('utf8')) }
    } catch {
      return { kind: 'failed', status: null, message: 'GitHub answers with something that is not JSON' }
    }
  }

  return {
    get: (path) => json(path, { method: 'GET' }),
    send: (method, path, body) => json(path, { method, body: JSON.stringify(body) }),
    download: (path, maxBytes, accept = 'application/vnd.github+json') =>
      request(path, { method: 'GET', accept }, maxBytes),
  }
}

/** Null where there is more. */
async function readAtMost(response: Response, maxBytes: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > maxBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function wordsOf(bytes: Buffer): string {
  try {
    const { message } = JSON.parse(bytes.toString('utf8')) as { message?: unknown }
    return typeof message === 'string' ? `: ${message.slice(0, 200)}` : ''
  } catch {
    return ''
  }
}
