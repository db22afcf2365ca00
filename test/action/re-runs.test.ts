import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { repository } from '../cli/cli-process.ts'
import { chatCompletion, sendJson, startServer } from '../models/loopback-server.ts'
import { buildAction, createWorkspace, runStep, startStep, type Workspace } from './action-process.ts'
import { startCacheServer } from './cache-server.ts'
import { playGitHub } from './github-server.ts'

vi.setConfig({ testTimeout: 120_000 })

let action: string
beforeAll(async () => {
  action = await buildAction()
}, 120_000)

const TOKEN = 'token-of-the-job'

/** The entry that a first attempt leaves before it asks. */
const asking = `vox-efficacy-run-77-${createHash('sha256').update('["vox-efficacy",{"kind":"whole"}]').digest('hex').slice(0, 16)}-1-asking`

/**
 * A model that bills a tenth of a dollar for each answer, under an address that is not known for one that costs nothing. Of a request
 * `fate` may say that it fails, or is never answered.
 */
async function startModel(fate: (number: number) => 'answered' | 'failed' | 'silent' = () => 'answered') {
  let asked = 0
  const usage = { prompt_tokens: 1, completion_tokens: 100 }
  const server = await startServer((request, response) => {
    if (!request.url.endsWith('/chat/completions')) return sendJson(response, 404, {})
    asked += 1
    const what = fate(asked)
    if (what === 'answered') sendJson(response, 200, chatCompletion('I cannot.', { usage }))
    if (what === 'failed') sendJson(response, 503, {})
  })
  return {
    asked: () => asked,
    /** Whose cap has room for three answers. */
    inputs: {
      ...{ engine: 'embedded', model: 'own/model', 'base-url': server.baseUrl.replace('127.0.0.1', '0.0.0.0') },
      ...{ catalogue: 'off', fixtures: '001,002,003,004', 'max-tokens': '100', retries: '0', concurrency: '1' },
      ...{ 'prompt-usd-per-m': '0', 'completion-usd-per-m': '1000', 'max-spend-usd': '0.35', 'github-token': TOKEN },
    },
  }
}

/** Cache and API of a repository, and what of the environment points there. No job has artifacts. */
async function startService(played: Parameters<typeof playGitHub>[1] = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-cache-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const cache = await startCacheServer(folder, TOKEN)
  onTestFinished(() => cache.close())
  const github = await playGitHub([], played)
  const env = { ACTIONS_CACHE_URL: cache.url, ACTIONS_RUNTIME_TOKEN: TOKEN, GITHUB_API_URL: github.url }
  return { cache, github, env }
}

/** A step of the job's next attempt, on a machine that has nothing of the one before. */
function runAgain(workspace: Workspace, inputs: Record<string, string>, env: Record<string, string>) {
  for (const name of ['temp', 'work']) rmSync(path.join(workspace.folder, name), { recursive: true, force: true })
  workspace.write('README.md', '')
  return runStep(action, workspace, { inputs, env: { GITHUB_RUN_ATTEMPT: '2', ...env } })
}

test('a paid run that is run again without its artifacts goes on where it stopped, by the cache', async () => {
  const { env, github } = await startService()
  const { inputs, asked } = await startModel()
  const workspace = createWorkspace()
  const first = await runStep(action, workspace, { inputs, env })
  expect(first.log).toContain('the spend cap was reached')
  expect(asked()).toBe(3)
  for (const attempt of ['2', '3']) {
    const again = await runAgain(workspace, inputs, { ...env, GITHUB_RUN_ATTEMPT: attempt })
    expect(again.log).toContain('4 attempts, 3 of them kept from the earlier attempt')
    expect(Number(again.outputs['spend-usd'])).toBeCloseTo(0.3)
  }
  expect(asked()).toBe(3)
  // Whoever finds the files of the attempt right before needs no permission to ask GitHub.
  expect(github.seen).toEqual([])
})

test('a cancelled job still keeps its journal in the cache', async () => {
  const { env } = await startService()
  let isAsked = () => {}
  const third = new Promise<void>((done) => {
    isAsked = done
  })
  const { inputs, asked } = await startModel((number) => {
    if (number !== 3) return 'answered'
    isAsked()
    return 'silent'
  })
  const workspace = createWorkspace()
  const ample = { ...inputs, 'max-spend-usd': '1' }
  const { child, result } = startStep(action, workspace, { inputs: ample, env })
  await third
  child.kill('SIGINT')
  await result
  const again = await runAgain(workspace, ample, env)
  expect(again.code, again.log).toBe(0)
  expect(again.log).toContain('4 attempts, 2 of them kept from the earlier attempt')
  expect(asked()).toBe(5)
})

test('several corpora each find their own journal, also when one before asks again', async () => {
  const { env } = await startService()
  const { inputs, asked } = await startModel((number) => (number === 1 ? 'failed' : 'answered'))
  const corpus = path.join(repository, 'corpus')
  const both = { ...inputs, corpus: `${corpus}\n${corpus}`, fixtures: '001,002', 'max-spend-usd': '2' }
  const workspace = createWorkspace()
  const first = await runStep(action, workspace, { inputs: both, env })
  expect(first.code).toBe(1)
  const before = asked()
  const again = await runAgain(workspace, both, env)
  expect(again.code, again.log).toBe(0)
  expect(asked()).toBe(before + 1)
  expect(again.log).toContain('corpus-2: 2 attempts, 2 of them kept from the earlier attempt')
})

test('a shard finds its book of the month again', async () => {
  const { env } = await startService()
  const { inputs, asked } = await startModel()
  const shard = { ...inputs, mode: 'shard', shard: '1/2', 'max-spend-usd': '2', 'max-spend-usd-per-month': '2' }
  const workspace = createWorkspace()
  const first = await runStep(action, workspace, { inputs: shard, env })
  expect(first.code, first.log).toBe(0)
  const book = workspace.read('out/spend.jsonl')
  const before = asked()
  const again = await runAgain(workspace, shard, env)
  expect(again.code, again.log).toBe(0)
  expect(workspace.read('out/spend.jsonl')).toBe(book)
  expect(asked()).toBe(before)
})

test('a shard that begins anew still counts against the month what it spent before', async () => {
  const { env } = await startService()
  const { inputs, asked } = await startModel()
  // A shard has a part of 0.35, and its three problems cost 0.30.
  const shard = { ...inputs, mode: 'shard', shard: '1/2', 'max-spend-usd': '2', 'max-spend-usd-per-month': '0.7' }
  const workspace = createWorkspace()
  await runStep(action, workspace, { inputs: shard, env })
  expect(asked()).toBe(3)
  const again = await runAgain(workspace, { ...shard, rerun: 'fresh' }, env)
  expect(again.log).toContain('the spend cap of the month was reached')
  expect(asked()).toBe(3)
})

test('sweeps of one job go on each with its own', async () => {
  const { env } = await startService()
  const { inputs, asked } = await startModel()
  const workspace = createWorkspace()
  const one = { ...inputs, fixtures: '001,002' }
  // A name that the other's begins with.
  const other = { ...inputs, fixtures: '003', 'artifact-name': 'vox-efficacy-other', output: 'other' }
  for (const step of [one, other]) {
    const first = await runStep(action, workspace, { inputs: step, env })
    expect(first.code, first.log).toBe(0)
  }
  expect(asked()).toBe(3)
  const again = await runAgain(workspace, one, env)
  expect(again.code, again.log).toBe(0)
  const second = await runStep(action, workspace, { inputs: other, env: { ...env, GITHUB_RUN_ATTEMPT: '2' } })
  expect(second.code, second.log).toBe(0)
  expect(asked()).toBe(3)
})

test('a run that was killed when it had asked is not run again', async () => {
  const { env } = await startService()
  let isAsked = () => {}
  const first = new Promise<void>((done) => {
    isAsked = done
  })
  const { inputs, asked } = await startModel(() => {
    isAsked()
    return 'silent'
  })
  const workspace = createWorkspace()
  const { child, result } = startStep(action, workspace, { inputs, env })
  await first
  child.kill('SIGKILL')
  await result
  const again = await runAgain(workspace, inputs, env)
  expect(again.code).toBe(1)
  expect(again.log).toContain('it asked, and left no files')
  expect(again.log).toContain('action/nothing-to-resume')
  expect(asked()).toBe(1)
})

test('what an older attempt left is not taken up where a newer one may have asked more', async () => {
  const played: { key: string; ref: string }[] = []
  const { env } = await startService({ caches: () => played })
  const { inputs, asked } = await startModel()
  const workspace = createWorkspace()
  await runStep(action, workspace, { inputs, env })
  expect(asked()).toBe(3)
  // Of the second attempt there is an entry that does not come out, as with a runner whose temporary folder is another.
  played.push({ key: asking.replace(/1-asking$/, '2-asking'), ref: 'refs/heads/main' })
  const third = await runAgain(workspace, inputs, { ...env, GITHUB_RUN_ATTEMPT: '3' })
  expect(third.code).toBe(1)
  expect(third.log).toContain(`the cache has ${asking.replace(/1-asking$/, '2-asking')}`)
  expect(asked()).toBe(3)
})

test('where the month could not be begun nothing was asked, so that a re-run is not refused', async () => {
  const { env, cache } = await startService()
  const { inputs, asked } = await startModel()
  const month = { ...inputs, 'max-spend-usd-per-month': '9' }
  const workspace = createWorkspace()
  cache.refuseSaving(/-begun$/)
  const first = await runStep(action, workspace, { inputs: month, env })
  expect(first.code).toBe(1)
  expect(first.log).toContain('action/no-cache')
  expect(asked()).toBe(0)
  cache.refuseSaving(null)
  const again = await runAgain(workspace, month, env)
  expect(again.log).not.toContain('action/nothing-to-resume')
  expect(asked()).toBe(3)
})

test('a young run of which the cache has nothing begins anew', async () => {
  const { env } = await startService()
  const { inputs, asked } = await startModel()
  const again = await runAgain(createWorkspace(), inputs, env)
  expect(again.log).toContain('No earlier attempt of this run asked anything')
  expect(asked()).toBe(3)
})

test.each([
  { of: 'which is a week old', played: { createdAt: new Date(Date.now() - 7 * 24 * 3600_000) }, why: 'so old that' },
  { of: 'whose repository fills the cache', played: { cacheBytes: 9.9e9 }, why: 'so full that' },
  { of: 'of which GitHub does not tell', played: { refuses: () => 403 }, why: 'actions: read' },
  {
    of: 'of which the cache has more than it gives back',
    played: { caches: () => [{ key: asking, ref: 'refs/heads/main' }] },
    why: `the cache has ${asking}`,
  },
])('nobody is asked again in a run $of', async ({ played, why }) => {
  const { env } = await startService(played)
  const { inputs, asked } = await startModel()
  const again = await runAgain(createWorkspace(), inputs, env)
  expect(again.code).toBe(1)
  expect(again.log).toContain('action/nothing-to-resume')
  expect(again.log).toContain(why)
  expect(asked()).toBe(0)
})

test.each(['a cache', 'a token'])('nobody is asked again without %s to tell what an attempt spent', async (lacked) => {
  const { env } = await startService()
  const { inputs, asked } = await startModel()
  const again = await (lacked === 'a cache'
    ? runAgain(createWorkspace(), inputs, { ...env, ACTIONS_CACHE_URL: '' })
    : runAgain(createWorkspace(), { ...inputs, 'github-token': '' }, env))
  expect(again.code).toBe(1)
  expect(again.log).toContain('action/nothing-to-resume')
  expect(again.log).toContain(`no ${lacked.slice(2)}`)
  expect(asked()).toBe(0)
})

test('a sweep that costs nothing begins anew, and says so', async () => {
  const { env, cache } = await startService()
  const { inputs, asked } = await startModel()
  const free = { ...inputs, 'base-url': inputs['base-url'].replace('0.0.0.0', '127.0.0.1'), fixtures: '001' }
  const again = await runAgain(createWorkspace(), free, env)
  expect(again.code, again.log).toBe(0)
  expect(again.log).toContain('The earlier attempt is not resumed: none of its files are there')
  expect(asked()).toBe(1)
  expect(cache.archives()).toEqual([])
})

test('a cache out of order keeps nobody from asking, and the run warns of being run again', async () => {
  const { env, cache } = await startService()
  const { inputs, asked } = await startModel()
  cache.answerAlways(500)
  const step = await runStep(action, createWorkspace(), { inputs: { ...inputs, fixtures: '001' }, env })
  expect(step.code, step.log).toBe(0)
  expect(asked()).toBe(1)
  expect(step.log).toMatch(/::warning::.*"Re-run all jobs" of it would not know what it spent/)
  expect(step.log).toMatch(/::warning::.*The cache did not keep the journal of this attempt/)
})
