import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openMonthBook } from '../../src/action/month-book.ts'
import { openSpendBook, type SpendBook } from '../../src/generate/spend-book.ts'
import { startCacheServer } from './cache-server.ts'
import { playGitHub } from './github-server.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Jobs at the same time, each on a machine of its own: as on those of GitHub their temporary folders have one path. */
async function startMachines() {
  const root = mkdtempSync(path.join(tmpdir(), 'vox-machines-'))
  const [temp, archives] = [path.join(root, 'temp'), path.join(root, 'archives')]
  mkdirSync(archives)
  const cache = await startCacheServer(archives, 'token-of-the-job')
  const { api } = await playGitHub([])
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await cache.close()
    rmSync(root, { recursive: true, force: true })
  })
  vi.stubEnv('ACTIONS_CACHE_URL', cache.url)
  vi.stubEnv('ACTIONS_RUNTIME_TOKEN', 'token-of-the-job')
  vi.stubEnv('RUNNER_TEMP', temp)
  vi.stubEnv('GITHUB_WORKSPACE', root)
  /** What an earlier attempt left, with a book. */
  const filesOfEarlier = path.join(root, 'earlier')
  mkdirSync(filesOfEarlier)
  writeFileSync(path.join(filesOfEarlier, 'spend.jsonl'), '')
  let current = ''

  /** Goes on with the machine of that name, and leaves the one before as it is. */
  function goTo(name: string): void {
    if (current !== '') renameSync(temp, path.join(root, current))
    current = name
    if (existsSync(path.join(root, name))) renameSync(path.join(root, name), temp)
    else mkdirSync(path.join(temp, 'vox-efficacy'), { recursive: true })
  }

  return async (name: string, { attempt = 1, resumed = 0 } = {}) => {
    const machine = `${name}-${attempt}`
    const cancel = new AbortController()
    goTo(machine)
    const book = await openMonthBook(
      {
        names: { base: name, runId: '77', attempt },
        scratch: path.join(temp, 'vox-efficacy'),
        annotate() {},
        api,
        event: { kind: 'other', name: 'push' },
        keys: { env: { GITHUB_REF: 'refs/heads/main' }, token: '', secrets: [], hasKeys: false, options: {} },
        signal: cancel.signal,
      },
      { resumed: resumed === 0 ? null : { attempt: resumed, folder: filesOfEarlier }, consequence: '' },
    )
    const withBook = async <Result>(act: (spending: SpendBook) => Result | Promise<Result>): Promise<Result> => {
      goTo(machine)
      const spending = openSpendBook({ file: book.file, capUsd: null, now: () => new Date() })
      try {
        return await act(spending)
      } finally {
        spending.close()
      }
    }
    return {
      /** A sweep has the book open by then, and reads on. */
      begin: (usd: number) =>
        withBook(async (spending) => {
          await book.begin(usd)
          return spending.monthUsd()
        }),
      spend: (usd: number) =>
        withBook((spending) => {
          expect(spending.reserve('request', usd)).toBe(true)
          spending.settle('request', usd)
        }),
      monthUsd: () => withBook((spending) => spending.monthUsd()),
      async save() {
        goTo(machine)
        expect(await book.save()).toBe(true)
      },
      cancel: () => cancel.abort(),
    }
  }
}

test('what two jobs spend at the same time is in the book of the next', async () => {
  const open = await startMachines()
  const [one, two] = [await open('one'), await open('two')]
  await one.begin(5)
  await two.begin(5)
  await one.spend(1)
  await two.spend(2)
  await one.save()
  await two.save()
  expect(await (await open('next')).monthUsd()).toBe(3)
})

test('what a job keeps while it runs binds the other, and is gone when it ends', async () => {
  const open = await startMachines()
  const [one, two] = [await open('one'), await open('two')]
  await one.begin(5)
  expect(await two.begin(7)).toBe(5)
  const three = await open('three')
  expect(await three.monthUsd()).toBe(12)
  await three.begin(1)
  for (const each of [one, two, three]) await each.save()
  expect(await (await open('next')).monthUsd()).toBe(0)
})

test('what a killed job kept stays, whoever saves after it', async () => {
  const open = await startMachines()
  const [one, killed] = [await open('one'), await open('killed')]
  await killed.begin(10)
  await one.begin(5)
  await one.spend(1)
  await one.save()
  expect(await (await open('next')).monthUsd()).toBe(11)
})

test('what an earlier attempt kept is gone once the attempt that resumes it has its book', async () => {
  const open = await startMachines()
  const first = await open('one')
  await first.begin(10)
  const [second, other] = [await open('one', { attempt: 2, resumed: 1 }), await open('other')]
  expect([await second.monthUsd(), await other.monthUsd()]).toEqual([0, 10])
  await second.begin(10)
  await second.spend(1)
  await second.save()
  await other.begin(1)
  await other.save()
  expect(await (await open('next')).monthUsd()).toBe(1)
})

test('what a killed attempt kept stays where the run began anew, and is resumed after that', async () => {
  const open = await startMachines()
  await (await open('one')).begin(10)
  const second = await open('one', { attempt: 2 })
  await second.begin(10)
  await second.spend(1)
  await second.save()
  await (await open('one', { attempt: 3, resumed: 2 })).save()
  expect(await (await open('next')).monthUsd()).toBe(11)
})

test('a cancelled job, which has no time for the books of others, saves its own', async () => {
  const open = await startMachines()
  const [one, two] = [await open('one'), await open('two')]
  await one.begin(5)
  await two.spend(2)
  await two.save()
  await one.spend(1)
  one.cancel()
  await one.save()
  expect(await (await open('next')).monthUsd()).toBe(1)
})
