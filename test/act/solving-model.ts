import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface Weights {
  /** Ids of the problems it gets wrong; all others it solves. */
  readonly fails: readonly string[]
  /** Answers before it falls silent: requests beyond get none. */
  readonly answers?: number
}

export interface SolvingModel {
  readonly baseUrl: string
  readonly asked: readonly {
    readonly model: string
    readonly fixture: string | null
    readonly authorization: string | null
  }[]
  close(): Promise<void>
}

interface Problem {
  readonly id: string
  readonly signature: string
  readonly program: string
}

/**
 * An OpenAI-compatible server on the loopback that knows the corpus and answers as the weights of a model say, with `extra` in front.
 * `weightsOf` gives them by the model's name, or null where there is no such model. With a `key` it is for those who send it.
 */
export async function startSolvingModel(
  corpus: string,
  weightsOf: (model: string) => Weights | null,
  options: {
    readonly port?: number
    readonly key?: string
    readonly extra?: string
    readonly models?: readonly string[]
  } = {},
): Promise<SolvingModel> {
  const problems = readProblems(corpus)
  const asked: SolvingModel['asked'][number][] = []
  const server = createServer(async (request, response) => {
    const send = (status: number, value: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (request.url === '/v1/models')
      return send(200, { object: 'list', data: (options.models ?? ['solving-model']).map((id) => ({ id })) })
    if (request.url !== '/v1/chat/completions') return send(404, { error: { message: 'no such path' } })
    const { model, text } = await readRequest(request)
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`)
      return send(401, { error: { message: 'not authorized' } })
    const weights = weightsOf(model)
    if (weights === null) return send(404, { error: { message: 'no such model' } })
    const problem = problems.find(({ signature }) => text.includes(signature))
    asked.push({ model, fixture: problem?.id ?? null, authorization: request.headers.authorization ?? null })
    if (asked.length > (weights.answers ?? Number.POSITIVE_INFINITY)) return
    const isSolved = problem !== undefined && !weights.fails.includes(problem.id)
    const content = `${options.extra ?? ''}\n\`\`\`vox\n${isSolved ? problem.program : 'fn wrong() to int { return 1 }'}\n\`\`\`\n`
    send(200, {
      id: 'c1',
      object: 'chat.completion',
      created: 0,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1000, completion_tokens: 100 },
    })
  })
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function readRequest(request: IncomingMessage): Promise<{ model: string; text: string }> {
  const { model, messages } = (await json(request)) as { model: string; messages: { content: string }[] }
  return { model, text: messages.map(({ content }) => content).join('\n') }
}

function readProblems(corpus: string): readonly Problem[] {
  const folder = `${corpus}/problems`
  return readdirSync(folder)
    .filter((name) => name.endsWith('.spec.toml'))
    .map((name) => {
      const signature = /^signature = "(.*)"$/m.exec(readFileSync(`${folder}/${name}`, 'utf8'))?.[1]
      if (signature === undefined) throw new Error(`${name} has no signature in quotes`)
      // Without the comments, which no model would write.
      const program = readFileSync(`${folder}/${name.replace('.spec.toml', '')}/reference.vox`, 'utf8').replace(
        /^\/\/.*\n/gm,
        '',
      )
      return { id: name.slice(0, 3), signature, program }
    })
}
