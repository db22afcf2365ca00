import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'

/** Inputs of a sweep over two problems, whose model bills a tenth of a dollar for each answer. */
export async function billedInputs() {
  const usage = { prompt_tokens: 1, completion_tokens: 100 }
  const server = await startServer((_request, response) =>
    sendJson(response, 200, chatCompletion('I cannot.', { usage })),
  )
  return {
    ...{ engine: 'embedded', model: 'own/model', 'base-url': server.baseUrl, fixtures: '001,002', 'max-tokens': '100' },
    ...{ 'prompt-usd-per-m': '0', 'completion-usd-per-m': '1000', retries: '0' },
  }
}
