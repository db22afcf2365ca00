import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { mergeBooks } from '../../src/action/month-book.ts'
import { openSpendBook } from '../../src/generate/spend-book.ts'
import { repository } from '../cli/cli-process.ts'
import { sendJson, startServer } from '../models/loopback-server.ts'
import { buildAction, createWorkspace, runStep, startStep, type Workspace } from './action-process.ts'
import { billedInputs } from './billed-model.ts'
import { startCacheServer } from './cache-server.ts'
import { playGitHub } from './github-server.ts'

vi.setConfig({ testTimeout: 120_000 })

let action: string
beforeAll(async () => {
  action = await buildAction()
}, 120_000)

/** A month has a quarter of a dollar. */
const monthInputs = async () => ({ ...(await billedInputs()), 'max-spend-usd-per-month': '0.25' })

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-book-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Cache and API of a repository, and what of the environment points there. */
async function startService(caches: Parameters<typeof playGitHub>[1] = {}) {
  const cache = await startCacheServer(temporaryFolder(), 'token-of-the-job')
  onTestFinished(() => cache.close())
  const github = await playGitHub([], caches)
  return {
    cache,
    env: {
      ACTIONS_CACHE_URL: cache.url,
      ACTIONS_RUNTIME_TOKEN: 'token-of-the-job',
      GITHUB_API_URL: github.url,
      GITHUB_REF: 'refs/heads/main',
    },
  }
}

/** A run on a machine of its own. */
async function run(inputs: Record<string, string>, env: Record<string, string>) {
  return runStep(action, createWorkspace(), { inputs: { ...inputs, 'github-token': 'token-of-the-job' }, env })
}

/** The temporary folder of the runner, whose path is part of what the cache looks for, is the same on each. */
async function inSameFolder(workspace: Workspace, inputs: Record<string, string>, env: Record<string, string>) {
  rmSync(path.join(workspace.folder, 'temp'), { recursive: true, force: true })
  return runStep(action, workspace, { inputs: { ...inputs, 'github-token': 'token-of-the-job' }, env })
}

test('the cap of the month holds from run to run, by the cache', async () => {
  const { env } = await startService()
  const inputs = await monthInputs()
  const workspace = createWorkspace()
  const first = await inSameFolder(workspace, inputs, env)
  expect(first.code, first.log).toBe(0)
  expect(first.log).toContain('No spend book was found in the cache')
  expect(Number(first.outputs['spend-usd'])).toBeCloseTo(0.2)
  const second = await inSameFolder(workspace, inputs, { ...env, GITHUB_RUN_ID: '78' })
  expect(second.code, second.log).toBe(1)
  expect(second.log).toContain('the spend cap of the month was reached')
  expect(Number(second.outputs['spend-usd'])).toBe(0)
})

test('jobs whose artifacts have other names share the cap of the month', async () => {
  const { env } = await startService()
  const inputs = { ...(await monthInputs()), 'max-spend-usd-per-month': '0.35' }
  const workspace = createWorkspace()
  const spent: number[] = []
  for (const [index, name] of ['vox-efficacy', 'vox-efficacy-smoke', 'vox-efficacy'].entries()) {
    const own = { ...inputs, 'artifact-name': name, fixtures: name === 'vox-efficacy' ? '001,002' : '001' }
    const step = await inSameFolder(workspace, own, { ...env, GITHUB_RUN_ID: String(80 + index) })
    spent.push(Number(step.outputs['spend-usd']))
  }
  expect(spent.map((usd) => usd.toFixed(1))).toEqual(['0.2', '0.1', '0.0'])
})

test.each([
  {
    why: 'the cache has a book that did not come out',
    caches: { caches: () => [{ key: 'vox-efficacy-spend-1', ref: 'refs/heads/main' }] },
  },
  { why: 'GitHub does not tell', caches: { refuses: () => 403 } },
])('nothing is asked where the book may be lost: $why', async ({ caches }) => {
  const { env, cache } = await startService(caches)
  cache.answerAlways(500)
  const step = await run(await monthInputs(), env)
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/book-lost')
  expect(step.outputs['spend-usd']).toBeUndefined()
})

test('the book of a branch that this run cannot read does not stop it', async () => {
  const { env } = await startService({ caches: () => [{ key: 'vox-efficacy-spend-1', ref: 'refs/heads/other' }] })
  const step = await run(await monthInputs(), env)
  expect(step.code, step.log).toBe(0)
})

test('what a killed run may have spent is not there for the next', async () => {
  const { env } = await startService()
  let asked = () => {}
  const first = new Promise<void>((done) => {
    asked = done
  })
  const silent = await startServer((request, response) => {
    if (request.url.endsWith('/chat/completions')) return asked()
    return sendJson(response, 404, {})
  })
  const inputs: Record<string, string> = { ...(await monthInputs()), 'max-spend-usd': '0.25' }
  const workspace = createWorkspace()
  const { child, result } = startStep(action, workspace, {
    inputs: { ...inputs, 'base-url': silent.baseUrl, 'github-token': 'token-of-the-job' },
    env,
  })
  await first
  child.kill('SIGKILL')
  await result
  const next = await inSameFolder(workspace, inputs, { ...env, GITHUB_RUN_ID: '78' })
  expect(next.log).toContain('the spend cap of the month was reached')
  expect(next.outputs['spend-usd']).toBe('0')
  // The run has a cap too, of which nothing is spent: it is not what stopped it.
  expect(next.log).not.toContain('of $0.25 are spent')
  // Nor for the same run, whose earlier attempt left nothing that tells what it really spent.
  const again = await inSameFolder(workspace, { ...inputs, rerun: 'fresh' }, { ...env, GITHUB_RUN_ATTEMPT: '2' })
  expect(again.log).toContain('the spend cap of the month was reached')
})

test('a cache that cannot keep the book stops every corpus of a step before it asks', async () => {
  const { env, cache } = await startService()
  cache.answerAlways(500)
  const corpus = path.join(repository, 'corpus')
  const step = await run({ ...(await monthInputs()), corpus: `${corpus}\n${corpus}` }, env)
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/no-cache')
  expect(step.outputs['spend-usd']).toBe('0')
})

test('a shard has its part of what the month has left', async () => {
  const { env } = await startService()
  const inputs = { ...(await monthInputs()), 'max-spend-usd-per-month': '0.62' }
  const workspace = createWorkspace()
  const before = await inSameFolder(workspace, inputs, env)
  expect(Number(before.outputs['spend-usd'])).toBeCloseTo(0.2)
  // 0.42 are left: 0.21 for each of two, of which each can pay two answers.
  const fixtures = '003,004,005,006,007,008,009,010,011,012'
  for (const shard of ['1/2', '2/2']) {
    const step = await inSameFolder(
      workspace,
      { ...inputs, fixtures, mode: 'shard', shard },
      { ...env, GITHUB_RUN_ID: '78' },
    )
    expect(step.log).toContain('the spend cap of the month was reached')
    expect(Number(step.outputs['spend-usd'])).toBeCloseTo(0.2)
  }
})

test('without a cache a cap of the month is refused before anything is asked', async () => {
  const step = await runStep(action, createWorkspace(), { inputs: await monthInputs() })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/no-cache')
})

test('a spend file of the user is used as it is, and needs no cache', async () => {
  const workspace = createWorkspace()
  const step = await runStep(action, workspace, { inputs: { ...(await monthInputs()), 'spend-file': 'book.jsonl' } })
  expect(step.code, step.log).toBe(0)
  expect(workspace.read('book.jsonl').trim().split('\n')).toHaveLength(4)
})

test('books of shards that began as one are put together, with each line once', async () => {
  const folder = temporaryFolder()
  const file = (name: string) => path.join(folder, name)
  const spend = (name: string, usd: number) => {
    const book = openSpendBook({ file: file(name), capUsd: null, now: () => new Date('2026-03-01T00:00:00Z') })
    book.reserve('attempt', usd)
    book.settle('attempt', usd)
    book.close()
  }
  spend('before', 1)
  for (const name of ['one', 'two']) {
    writeFileSync(file(name), readFileSync(file('before')))
    spend(name, 2)
  }
  await mergeBooks([file('one'), file('two')], file('before'))
  const book = openSpendBook({ file: file('before'), capUsd: 6, now: () => new Date('2026-03-02T00:00:00Z') })
  onTestFinished(() => book.close())
  expect(book.reserve('another', 1.01)).toBe(false)
  expect(book.reserve('another', 1)).toBe(true)
})

test('half a line that ends one book becomes no line of the whole', async () => {
  const folder = temporaryFolder()
  const [one, whole] = [path.join(folder, 'one'), path.join(folder, 'whole')]
  const now = () => new Date('2026-03-01T00:00:00Z')
  const book = openSpendBook({ file: one, capUsd: null, now })
  book.reserve('first', 1)
  book.reserve('second', 2)
  book.close()
  truncateSync(one, statSync(one).size - 20)
  await mergeBooks([one], whole)
  const merged = openSpendBook({ file: whole, capUsd: null, now })
  onTestFinished(() => merged.close())
  expect(merged.monthUsd()).toBe(1)
})
