import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** An endpoint in a thread of its own that answers each request after a fixed time and has room for so many at once. */
export interface LatencyServerOptions {
  readonly latencyMs: number
  readonly slots: number
}

const { latencyMs, slots } = workerData as LatencyServerOptions
let underWay = 0

const body = JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  created: 0,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: 'x'.repeat(1500) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 900, completion_tokens: 400, total_tokens: 1300 },
})

const server = createServer(async (request, response) => {
  request.resume()
  const hasRoom = underWay < slots
  underWay += 1
  if (hasRoom) await delay(latencyMs)
  // Before the answer leaves: the next request may be here sooner than this turn is over.
  underWay -= 1
  response.writeHead(hasRoom ? 200 : 429, { 'content-type': 'application/json' }).end(hasRoom ? body : '{}')
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
