import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { openSandbox } from '../../src/engine/sandbox/open-sandbox.ts'
import { chooseServerIsolation } from '../../src/engine/server-isolation.ts'
import type { Report } from '../../src/report/schema.ts'
import { buildEntry } from '../engine/built-worker.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { smallCorpus, temporaryFolder } from '../sweep/small-corpus.ts'
import { buildCli } from './built-cli.ts'
import { startNode } from './cli-process.ts'
import { echoes } from './echoing-endpoint.ts'
import { openSecretStand } from './secret-stand.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const isIsolated = (await chooseServerIsolation({ PATH: process.env.PATH ?? '' })).kind === 'process namespace'
const { report: sandbox } = await openSandbox({ mode: 'best', readable: [process.execPath] })

let cli: string

beforeAll(async () => {
  cli = path.join(await buildCli(), 'cli.js')
})

const MASK = '***'
const prices = ['--prompt-usd-per-m', '1', '--completion-usd-per-m', '2', '--max-spend-usd', '9']
const reportIn = (folder: string): Report => JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8'))

test('an endpoint that repeats the key in every way brings it into nothing, and no other gets it', async () => {
  const { keys, work, start, leaks } = openSecretStand()
  const corpus = smallCorpus(echoes.length)
  const { fixtures } = await loadCorpus(corpus)
  const elsewhere = await startServer((_request, response) => sendJson(response, 200, chatCompletion('stolen')))
  const keyless = await startServer(({ headers }, response) =>
    sendJson(response, 200, chatCompletion(JSON.stringify(headers))),
  )
  const counts = new Map<string, number>()
  const echoing = await startServer(({ url, headers, text }, response) => {
    const authorization = headers.authorization ?? ''
    const key = authorization.slice('Bearer '.length)
    if (url === '/v1/models') return sendJson(response, 404, { error: { message: authorization } })
    const { model } = JSON.parse(text)
    if (model === 'locked')
      return sendJson(response, 401, { error: { message: `Incorrect API key: ${authorization}` } })
    const at = fixtures.findIndex(({ signature }) => text.includes(signature))
    const number = 1 + (counts.get(`${model} ${at}`) ?? 0)
    counts.set(`${model} ${at}`, number)
    const answer = `\`\`\`vox\n${fixtures[at]?.reference}\`\`\``
    echoes[at]?.respond(response, { authorization, key, answer, number, elsewhere: elsewhere.baseUrl })
  })
  const subject = (model: string, variable: string) => ({
    ...{ model, 'base-url': echoing.baseUrl, 'api-key-env': variable, fix: true },
  })
  const sweep = {
    ...{ corpus, condition: ['C0'], retries: 1, concurrency: 6 },
    subjects: [
      subject('special', 'VOX_CANARY_KEY'),
      subject('plain', 'VOX_CANARY_OTHER'),
      subject('locked', 'VOX_CANARY_KEY'),
      { model: 'keyless', 'base-url': keyless.baseUrl },
    ],
  }
  writeFileSync(path.join(work, 'sweep.yml'), JSON.stringify(sweep))
  const { code, stderr } = await start(cli, 'run', '--config', 'sweep.yml', '--events', 'events.jsonl').result
  expect(stderr + code).toMatch(/4$/)

  const sent = new Map(
    echoing.seen.flatMap(({ text, headers }) => (text === '' ? [] : [[JSON.parse(text).model, headers.authorization]])),
  )
  expect(Object.fromEntries(sent)).toEqual({
    special: `Bearer ${keys.VOX_CANARY_KEY}`,
    plain: `Bearer ${keys.VOX_CANARY_OTHER}`,
    locked: `Bearer ${keys.VOX_CANARY_KEY}`,
  })
  expect(new Set(keyless.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer none']))
  expect(elsewhere.seen).toEqual([])
  const { attempts } = reportIn(path.join(work, 'out'))
  const masked = (model: string) =>
    attempts
      .filter(({ subject }) => subject.startsWith(model))
      .map(({ completion }, at) => [echoes[at]?.name, JSON.stringify(completion).includes(MASK)])
  const expected = echoes.map(({ name, isRecorded }) => [name, isRecorded])
  for (const model of ['special', 'plain']) expect.soft(masked(model)).toEqual(expected)
  expect(leaks()).toEqual([])
})

test('a list of models that repeats the key brings it into no error', async () => {
  const { keys, start, leaks, written } = openSecretStand()
  const corpus = smallCorpus(1)
  for (const [variable, key] of Object.entries(keys).slice(0, 2)) {
    const writings = [key, encodeURIComponent(key), JSON.stringify(key), btoa(`k${key}`), btoa(`ke${key}`)]
    const { baseUrl } = await startServer((_request, response) =>
      sendJson(response, 200, { object: 'list', data: writings.map((id) => ({ id })) }),
    )
    const subject = ['--model', 'not/served', '--base-url', baseUrl, '--api-key-env', variable]
    const { code } = await start(cli, 'run', ...subject, '--corpus', corpus).result
    expect(written() + code).toMatch(/model\/unknown\n2$/)
  }
  expect(written().split(MASK).length).toBeGreaterThan(10)
  expect(leaks()).toEqual([])
})

test('a run that is killed, resumed, cancelled and asked for its reports leaves no key anywhere', async () => {
  const { keys, work, start, leaks } = openSecretStand()
  const corpus = smallCorpus(2)
  let onAsked = (): 'answer' | 'hang' => 'answer'
  const { baseUrl, seen } = await startServer(({ url, headers }, response) => {
    const key = (headers.authorization ?? '').slice('Bearer '.length)
    if (url === '/v1/models') return sendJson(response, 404, { error: key })
    if (onAsked() === 'answer')
      return sendJson(response, 200, chatCompletion(`You sent ${key}.`, { usage, model: key }))
    response.writeHead(200, { 'content-type': 'application/json', etag: 'x' }).write(`{"choices": "${key}`)
  })
  copyFileSync(path.join(import.meta.dirname, '../models/small-catalogue.json'), path.join(work, 'models.json'))
  const options = [
    ...['--model', 'orchard/quince-2', '--base-url', baseUrl, '--api-key-env', 'VOX_CANARY_KEY', '--corpus', corpus],
    ...['--n', '3', '--concurrency', '1', '--catalogue', 'models.json', '--cutoff', 'auto', ...prices],
    ...['--max-spend-usd-per-month', '9', '--response-store', 'answers', '--spend-file', 'spend.jsonl'],
  ]
  const events = ['--events', 'events.jsonl']
  const codes: (number | null)[] = []
  const finish = async (...args: string[]) => codes.push((await start(cli, ...args).result).code)
  async function endAt(request: number, signal: NodeJS.Signals, ...args: string[]) {
    const { child, result } = start(cli, ...args)
    const from = seen.length
    onAsked = () => {
      if (seen.length - from < request) return 'answer'
      child.kill(signal)
      return 'hang'
    }
    codes.push((await result).code)
    onAsked = () => 'answer'
  }

  await finish('plan', ...options, '--register', 'plan.json')
  await endAt(4, 'SIGKILL', 'run', ...options, ...events, '--registered', 'plan.json')
  await endAt(3, 'SIGTERM', 'resume', 'out', ...events)
  await finish('resume', 'out', ...events)
  await finish('report', 'out', '--output', 'again')
  await finish('reproduce', '--corpus', corpus, 'out/report.json')
  await finish('run', ...options, ...events, '--registered', 'plan.json', '--output', 'stored')
  await finish('plan', ...options, '--json')
  expect(codes).toEqual([0, null, 4, 0, 0, 0, 0, 0])
  expect(reportIn(path.join(work, 'out')).run).toMatchObject({ complete: true, resumed: 2 })
  expect(reportIn(path.join(work, 'stored')).attempts.map(({ completion }) => completion)).toMatchObject(
    Array(6).fill({ text: `You sent ${MASK}.`, modelReturned: MASK, stored: true }),
  )
  expect(seen.at(-1)?.headers.authorization).toBe(`Bearer ${keys.VOX_CANARY_KEY}`)
  expect(leaks()).toEqual([])
})

const usage = { prompt_tokens: 100, completion_tokens: 10 }

test('git is given the token of the source by its environment alone, and what a server says of it is masked', async () => {
  const { keys, start, leaks, written } = openSecretStand({
    isMeant: (find) => /^environment of \S*git\S* .*: VOX_SOURCE_TOKEN in base64$/.test(find),
  })
  const { origin, seen } = await startServer(({ headers }, response) => {
    const basic = headers.authorization ?? ''
    const pair = Buffer.from(basic.slice('Basic '.length), 'base64').toString()
    const text = `you sent ${basic}\nthat is ${pair}\nin a URL ${encodeURIComponent(pair)}\n`
    response.writeHead(403, { 'content-type': 'text/plain' }).end(text)
  })
  const { code } = await start(cli, 'vox', '--vox-source', `${origin}/vox.git`).result
  expect(code).toBe(3)
  expect(seen[0]?.headers.authorization).toBe(`Basic ${btoa(`x-access-token:${keys.VOX_SOURCE_TOKEN}`)}`)
  expect(written()).toContain('you sent')
  expect(leaks()).toEqual([])
})

/** A vox in a folder that every user may read, which ends at once where it finds a variable of that name in any environment. */
async function seekingVox(mark: string): Promise<string> {
  const folder = temporaryFolder()
  const script = readFileSync(path.join(import.meta.dirname, 'seeking-vox.js'), 'utf8')
  writeFileSync(path.join(folder, 'vox.js'), script.replaceAll('BEARS_CANARIES', mark))
  copyFileSync(await buildEntry('cli/vox-embedded.ts'), path.join(folder, 'vox-embedded.js'))
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  chmodSync(folder, 0o755)
  return path.join(folder, 'vox.js')
}

test('a vox that finds a key given, or in /proc where nothing keeps it from there, does not work', async () => {
  const { mark } = openSecretStand()
  const args = [await seekingVox(mark), '--version']
  const codeOf = async (env: Record<string, string>) => (await startNode(args, { env }).result).code
  expect([await codeOf({}), await codeOf({ [mark]: '1' })]).toEqual([0, 99])
  const { child } = startNode(['-e', 'setTimeout(() => {}, 60000)'], { env: { [mark]: '1' } })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  expect(await codeOf({})).toBe(process.platform === 'linux' ? 99 : 0)
})

test.skipIf(!sandbox.closed.processes)('a vox binary finds no key, neither given nor in /proc', async () => {
  const { work, mark, start, leaks } = openSecretStand()
  const corpus = smallCorpus(2)
  const { fixtures } = await loadCorpus(corpus)
  const { baseUrl } = await startServer(({ url, headers, text }, response) => {
    if (url === '/v1/models') return sendJson(response, 404, {})
    const program = fixtures.find(({ signature }) => text.includes(signature))?.reference
    sendJson(response, 200, chatCompletion(`\`\`\`vox\n// ${headers.authorization}\n${program}\`\`\``))
  })
  const vox = ['--vox', await seekingVox(mark), '--corpus', corpus]
  const subject = ['--model', 'a/b', '--base-url', baseUrl, '--api-key-env', 'VOX_CANARY_KEY']
  const first = await start(cli, 'run', ...subject, ...vox, '--sandbox', 'require').result
  expect(first.stderr + first.code).toMatch(/0$/)
  expect(await start(cli, 'reproduce', ...vox, 'out/report.json').result).toMatchObject({ code: 0 })
  expect(reportIn(path.join(work, 'out')).attempts.map(({ verification }) => verification?.verdict.kind)).toEqual([
    ...['passed', 'passed'],
  ])
  expect(leaks()).toEqual([])
})

test.skipIf(!isIsolated)('a server of a checkpoint finds no key, neither given nor in /proc', async () => {
  const { work, start, leaks } = openSecretStand()
  const checkpoint = path.join(work, 'mens/runs/nova/final')
  mkdirSync(checkpoint, { recursive: true })
  writeFileSync(path.join(checkpoint, 'model.safetensors'), 'weights')
  const script = path.join(import.meta.dirname, 'dumping-model-server.mjs')
  const { baseUrl } = await startServer((_request, response) => sendJson(response, 200, chatCompletion('no')))
  const sweep = (dump: string) => ({
    ...{ corpus: smallCorpus(1), condition: ['C0'] },
    subjects: [
      { model: 'mens/nova', 'mens-serve': `'${process.execPath}' '${script}' --port {port} --dump ${dump}` },
      { model: 'a/b', 'base-url': baseUrl, 'api-key-env': 'VOX_CANARY_KEY' },
    ],
  })
  writeFileSync(path.join(work, 'sweep.yml'), JSON.stringify(sweep('dump.json')))
  writeFileSync(path.join(work, 'broken.yml'), JSON.stringify(sweep('no/such/folder')))
  expect(await start(cli, 'run', '--config', 'sweep.yml').result).toMatchObject({ code: 0 })
  expect(await start(cli, 'run', '--config', 'broken.yml', '--output', 'broken').result).toMatchObject({ code: 3 })
  const { environment, others } = JSON.parse(readFileSync(path.join(work, 'dump.json'), 'utf8'))
  expect(environment).toMatchObject({ HOME: expect.any(String) })
  expect(others.map(([pid]: [string]) => pid)).toContain('1')
  expect(leaks()).toEqual([])
})
