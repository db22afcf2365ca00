import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface SeenRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export interface LoopbackServer {
  readonly origin: string
  readonly baseUrl: string
  /** Every request so far, in the order it came. */
  readonly seen: SeenRequest[]
}

/** A real HTTP server on the loopback interface that ends with the test; `respond` gets the whole request. */
export async function startServer(
  respond: (request: SeenRequest, response: ServerResponse, number: number) => void,
): Promise<LoopbackServer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const whole = { url: request.url ?? '', headers: request.headers, text: Buffer.concat(chunks).toString('utf8') }
    seen.push(whole)
    respond(whole, response, seen.length)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(
    () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, baseUrl: `${origin}/v1`, seen }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A chat completion as the OpenAI API sends it, with `more` over it. */
export function chatCompletion(content: string | null, more: object = {}): object {
  return {
    id: 'c1',
    object: 'chat.completion',
    created: 0,
    model: 'served/model',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...more,
  }
}
