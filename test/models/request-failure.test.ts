import { expect, test } from 'vitest'
import type { Completion } from '../../src/models/provider.ts'
import { failedCompletion, type RequestFailure, readRetryAfter } from '../../src/models/request-failure.ts'

const failure: RequestFailure = { status: 500, message: 'no', body: undefined, headers: null, cause: null }

function outcomeOf(completion: Completion): string | null {
  if (completion.kind === 'answered') return completion.finishReason
  return completion.kind === 'infra-error' ? completion.class : completion.why
}

test.each<[Partial<RequestFailure>, string]>([
  [{ status: 429, body: { code: 'insufficient_quota' } }, 'quota'],
  [{ status: 429, body: { type: 'insufficient_quota' } }, 'quota'],
  [{ status: 502, body: { code: 'rate_limit_exceeded' } }, 'rate'],
  [{ status: 500, body: { type: 'overloaded_error' } }, 'overloaded'],
  [{ status: 504 }, 'timeout'],
  [{ status: 413, message: 'prompt is too long: 9 > 8' }, 'context'],
  [
    { status: 400, body: { type: 'exceed_context_size_error' }, message: 'exceeds the available context size' },
    'context',
  ],
  [{ status: 500, message: 'context window' }, 'server'],
  [{ status: 400, body: { code: 'content_filter' } }, 'content_filter'],
  [{ status: 400, body: { code: 'content_policy_violation' } }, 'content_filter'],
  [{ status: 403, body: { metadata: { reasons: ['violence'], flagged_input: '…' } } }, 'content_filter'],
  [{ status: 403, body: { metadata: { provider_name: 'x' } } }, 'auth'],
  [{ status: 403, body: 'text' }, 'auth'],
  [{ status: undefined }, 'network'],
  [{ status: undefined, cause: new SyntaxError('no JSON') }, 'malformed'],
])('a failure %j is %s', (changes, outcome) => {
  expect(outcomeOf(failedCompletion({ ...failure, ...changes }))).toBe(outcome)
})

test('an endpoint that asks for no wait leaves none in the completion', () => {
  expect(failedCompletion(failure)).toEqual({ kind: 'infra-error', class: 'server', message: 'no', requests: 1 })
  const headers = new Headers({ 'retry-after': '2' })
  expect(failedCompletion({ ...failure, headers })).toMatchObject({ retryAfterMs: 2000 })
})

const date = 'Mon, 30 Nov 2026 10:00:00 GMT'

test.each<[Record<string, string>, number | null]>([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after-ms': '1500', 'retry-after': '7' }, 1500],
  [{ 'retry-after': 'Mon, 30 Nov 2026 10:00:20 GMT', date }, 20_000],
  [{ 'retry-after': 'Mon, 30 Nov 2026 09:59:00 GMT', date }, 0],
  [{ 'retry-after': '-5' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': 'Sooner' }, null],
  [{ 'retry-after': '' }, null],
  [{}, null],
])('%j is a wait of %s ms', (headers, wait) => {
  expect(readRetryAfter(new Headers(headers))).toBe(wait)
})

test('a date is counted from our own clock where the endpoint does not tell its own', () => {
  const at = new Date(Date.now() + 90_000).toUTCString()
  const wait = readRetryAfter(new Headers({ 'retry-after': at })) ?? 0
  expect(wait).toBeGreaterThan(30_000)
  expect(wait).toBeLessThanOrEqual(90_000)
})

function failed(changes: object): Error {
  return new Error('no connection to it', {
    cause: new TypeError('fetch failed', { cause: Object.assign(new Error(), changes) }),
  })
}

test.each<[object, string]>([
  [{ code: 'ECONNREFUSED', syscall: 'connect' }, 'unreachable'],
  [{ code: 'ECONNREFUSED', errors: [] }, 'unreachable'],
  [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'unreachable'],
  [{ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, 'unreachable'],
  [{ code: 'ETIMEDOUT', syscall: 'connect' }, 'unreachable'],
  [{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'unreachable'],
  [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'unreachable'],
  [{ code: 'ETIMEDOUT', syscall: 'read' }, 'network'],
  [{ code: 'ECONNRESET', syscall: 'read' }, 'network'],
  [{ code: 'EPIPE', syscall: 'write' }, 'network'],
  [{ code: 'UND_ERR_SOCKET' }, 'network'],
])('a request that ends by %j is %s', (changes, outcome) => {
  expect(outcomeOf(failedCompletion({ ...failure, status: undefined, cause: failed(changes) }))).toBe(outcome)
})
