import type { ServerResponse } from 'node:http'
import { chatCompletion, sendJson } from '../models/loopback-server.ts'

/** What an endpoint has at hand when it repeats what it was sent. */
interface Sent {
  /** The header as it came, with the key. */
  readonly authorization: string
  readonly key: string
  /** What a model would say. */
  readonly answer: string
  /** 1 for the first request of an attempt. */
  readonly number: number
  /** URL of an endpoint at another origin. */
  readonly elsewhere: string
}

export interface Echo {
  readonly name: string
  /** Whether what was repeated is recorded, so that something stands in its place. */
  readonly isRecorded: boolean
  respond(response: ServerResponse, sent: Sent): void
}

const usage = { prompt_tokens: 100, completion_tokens: 10 }
const send = (response: ServerResponse, content: string, more: object = {}) =>
  sendJson(response, 200, chatCompletion(content, { usage, ...more }))
const sendText = (response: ServerResponse, status: number, type: string, text: string) =>
  response.writeHead(status, { 'content-type': type }).end(text)
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const base64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64')

const quiet: readonly Omit<Echo, 'isRecorded'>[] = [
  { name: 'a proper answer', respond: (response, { answer }) => send(response, answer) },
  {
    name: 'headers',
    respond(response, { key, authorization, answer }) {
      for (const name of ['x-request-id', 'openai-organization', 'set-cookie', 'www-authenticate', 'etag'])
        response.setHeader(name, `${authorization} ${key}`)
      send(response, answer)
    },
  },
  {
    name: 'headers of a shortage',
    respond(response, { key, answer, number }) {
      if (number > 1) return send(response, answer)
      response.setHeader('retry-after', key)
      sendJson(response, 429, { error: { message: key, code: key, type: key, param: key } })
    },
  },
  {
    name: 'the Location of a redirect',
    respond: (response, { key, elsewhere }) =>
      response.writeHead(307, { location: `${elsewhere}/chat/completions?key=${encodeURIComponent(key)}` }).end(key),
  },
  {
    name: 'JSON that goes wrong at the key',
    respond: (response, { key }) => sendText(response, 200, 'application/json', `{"choices": ${key}`),
  },
  {
    name: 'the key in place of JSON',
    respond: (response, { key }) => sendText(response, 200, 'application/json', key),
  },
  { name: 'the key as text', respond: (response, { key }) => sendText(response, 200, 'text/plain', key) },
  {
    name: 'an answer that breaks off within the key',
    respond(response, { authorization }) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10_000 })
      response.write(`{"choices": "${authorization}`, () => response.destroy())
    },
  },
  {
    name: 'an answer of another form',
    respond: (response, { key }) => send(response, '', { choices: { [key]: key } }),
  },
]

const recorded: readonly Omit<Echo, 'isRecorded'>[] = [
  {
    name: 'an answer cut within the key',
    respond: (response, { key }) => send(response, `${'x '.repeat(512 * 1024 - 10)}${key}`),
  },
  {
    name: 'an answer',
    respond: (response, { key, answer }) => send(response, `${answer}\nYour key is ${key}. ${key}${key}`),
  },
  {
    name: 'a program',
    respond: (response, { key }) =>
      send(response, `\`\`\`vox\n// ${key}\nfn f(n: int) to int { return "${key}" }\n\`\`\``),
  },
  {
    name: 'an answer in JSON and in HTML',
    respond: (response, { key }) =>
      send(response, [JSON.stringify({ key }), JSON.stringify(JSON.stringify(key)), html(key)].join('\n')),
  },
  {
    name: 'an answer in a URL',
    respond: (response, { key }) =>
      send(response, `http://a.example/?k=${encodeURIComponent(key)}&form=${new URLSearchParams({ key })}`),
  },
  ...['', 'a', 'ab'].map((before) => ({
    name: `an answer in base64 behind "${before}"`,
    respond: (response: ServerResponse, { key, authorization }: Sent) =>
      send(response, [key, `${key}!`, authorization].map((text) => base64(before + text)).join('\n')),
  })),
  {
    name: 'base64 of the bytes that were sent, and for URLs',
    respond: (response, { authorization }) =>
      send(response, `${base64(authorization, 'latin1')} ${Buffer.from(authorization).toString('base64url')}`),
  },
  {
    name: 'all other fields',
    respond: (response, { key, answer }) =>
      send(response, answer, {
        model: key,
        provider: `p ${key}`,
        choices: [{ message: { content: answer }, finish_reason: key }],
      }),
  },
  {
    name: 'the message of an error',
    respond: (response, { authorization }) => sendJson(response, 400, { error: { message: `no: ${authorization}` } }),
  },
  {
    name: 'an error without a message',
    respond: (response, { key, authorization }) =>
      sendJson(response, 422, { error: { sent: { authorization }, [key]: encodeURIComponent(key) } }),
  },
  {
    name: 'an error in place of an answer',
    respond: (response, { authorization }) => sendJson(response, 200, { error: { code: 500, message: authorization } }),
  },
  {
    name: 'an error after an answer had begun',
    respond: (response, { key }) => send(response, 'fn', { error: { message: `upstream refused ${key}` } }),
  },
  {
    name: 'a page in HTML',
    respond: (response, { authorization }) =>
      sendText(response, 500, 'text/html', `<h1>Error</h1><!-- ${authorization} --><pre>${html(authorization)}</pre>`),
  },
  {
    name: 'a prompt that is too long',
    respond: (response, { key }) =>
      sendJson(response, 400, {
        error: { message: `${key}: maximum context length`, code: 'context_length_exceeded' },
      }),
  },
]

/** One way of repeating the key a fixture. */
export const echoes: readonly Echo[] = [
  ...quiet.map((echo) => ({ ...echo, isRecorded: false })),
  ...recorded.map((echo) => ({ ...echo, isRecorded: true })),
]
