import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Recording } from './recording.ts'

export interface ReplayServer {
  readonly baseUrl: string
  close(): Promise<void>
}

type Replayed = Recording['answers'][number]

/**
 * Serves a recording as an OpenAI-compatible endpoint on the loopback interface, so that replayed answers take
 * the same way through client, extraction and verification as fresh ones. An answer is found by its messages
 * alone (`keyOf`): a prompt that was never answered gets a 404.
 */
export async function startReplayServer(
  recording: Recording,
  keyOf: (answer: Replayed) => string,
): Promise<ReplayServer> {
  const answers = new Map(recording.answers.map((answer) => [keyOf(answer), answer]))
  const server = createServer((request, response) => {
    respond(recording, answers, request, response).catch((error: Error) =>
      send(response, 500, { error: { message: error.message } }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Names a request by what was asked: its messages and which sample of them it is. */
export function replayKey(messages: readonly { role: string; content: string }[], sample: number): string {
  const asked = messages.map(({ role, content }) => [role, content])
  return createHash('sha256')
    .update(JSON.stringify([asked, sample]))
    .digest('hex')
}

async function respond(
  recording: Recording,
  answers: ReadonlyMap<string, Replayed>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { model } = recording.description
  if (request.method === 'GET' && request.url === '/v1/models') {
    return send(response, 200, {
      object: 'list',
      data: [{ id: model, object: 'model', created: 0, owned_by: 'recording' }],
    })
  }
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    return send(response, 404, { error: { message: 'this server only replays chat completions' } })
  }
  const body = await readJson(request)
  // The seed carries the sample's number: the sampling of a recording is over, so it has no other use.
  const answer = answers.get(replayKey(body.messages ?? [], body.seed ?? 0))
  if (answer === undefined) {
    return send(response, 404, { error: { message: 'no recorded answer to this prompt', code: 'not_recorded' } })
  }
  send(response, 200, {
    id: `replay-${answer.condition}-${answer.fixture}-${answer.sample}`,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text, refusal: null },
        // An endpoint's stub has neither text nor reason, and is no answer; what was recorded is one.
        finish_reason: answer.finishReason ?? (answer.text === '' ? 'stop' : null),
      },
    ],
    ...(answer.usage === null ? {} : { usage: usageBody(answer.usage) }),
  })
}

/** The usage as an endpoint reports it; what is unknown is left out. */
function usageBody(usage: NonNullable<Replayed['usage']>) {
  const cache = {
    ...(usage.cachedPromptTokens === null ? {} : { cached_tokens: usage.cachedPromptTokens }),
    ...(usage.cacheWriteTokens === null ? {} : { cache_write_tokens: usage.cacheWriteTokens }),
  }
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    ...(usage.totalTokens === null ? {} : { total_tokens: usage.totalTokens }),
    ...(Object.keys(cache).length === 0 ? {} : { prompt_tokens_details: cache }),
    ...(usage.reasoningTokens === null
      ? {}
      : { completion_tokens_details: { reasoning_tokens: usage.reasoningTokens } }),
  }
}

async function readJson(
  request: IncomingMessage,
): Promise<{ messages?: { role: string; content: string }[]; seed?: number }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
