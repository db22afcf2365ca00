import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { mergeBooks } from '../../src/action/month-book.ts'
import { openSpendBook } from '../../src/generate/spend-book.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { buildAction, createWorkspace, runStep } from './action-process.ts'
import { startCacheServer } from './cache-server.ts'

vi.setConfig({ testTimeout: 120_000 })

let action: string
beforeAll(async () => {
  action = await buildAction()
}, 120_000)

/** A model that bills a tenth of a dollar for each answer, where a month has a quarter. */
async function billedInputs() {
  const usage = { prompt_tokens: 1, completion_tokens: 100 }
  const server = await startServer((_request, response) =>
    sendJson(response, 200, chatCompletion('I cannot.', { usage })),
  )
  return {
    ...{ engine: 'embedded', model: 'own/model', 'base-url': server.baseUrl, fixtures: '001,002', 'max-tokens': '100' },
    ...{ 'prompt-usd-per-m': '0', 'completion-usd-per-m': '1000', 'max-spend-usd-per-month': '0.25', retries: '0' },
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-book-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('the cap of the month holds from run to run, by the cache', async () => {
  const cache = await startCacheServer(temporaryFolder(), 'token-of-the-job')
  onTestFinished(() => cache.close())
  const env = { ACTIONS_CACHE_URL: cache.url, ACTIONS_RUNTIME_TOKEN: 'token-of-the-job' }
  const inputs = await billedInputs()
  const workspace = createWorkspace()
  const first = await runStep(action, workspace, { inputs, env })
  expect(first.code, first.log).toBe(0)
  expect(first.log).toContain('No spend book was found in the cache')
  expect(Number(first.outputs['spend-usd'])).toBeCloseTo(0.2)
  rmSync(path.join(workspace.folder, 'temp'), { recursive: true })
  const second = await runStep(action, workspace, { inputs, env: { ...env, GITHUB_RUN_ID: '78' } })
  expect(second.code, second.log).toBe(1)
  expect(second.log).toContain('the spend cap of the month was reached')
  expect(Number(second.outputs['spend-usd'])).toBe(0)
})

test('without a cache a cap of the month is refused before anything is asked', async () => {
  const step = await runStep(action, createWorkspace(), { inputs: await billedInputs() })
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/no-cache')
})

test('a spend file of the user is used as it is, and needs no cache', async () => {
  const workspace = createWorkspace()
  const step = await runStep(action, workspace, { inputs: { ...(await billedInputs()), 'spend-file': 'book.jsonl' } })
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
