import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createActionsCache } from '../../src/action/cache.ts'
import { createFolderCache } from '../../src/cli/folder-cache.ts'
import type { Cache } from '../../src/engine/ports.ts'
import { temporaryFolder } from '../engine/vox/vox-workspace.ts'
import type { CacheServer } from './cache-server.ts'
import { startCacheServer } from './cache-server.ts'

vi.setConfig({ testTimeout: 120_000 })
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** The environment of a job, with a cache service of its own. */
async function startJob(): Promise<{ cache: Cache; server: CacheServer }> {
  const token = 'token-of-the-job'
  const server = await startCacheServer(temporaryFolder(), token)
  onTestFinished(() => server.close())
  vi.stubEnv('ACTIONS_CACHE_URL', server.url)
  vi.stubEnv('ACTIONS_RUNTIME_TOKEN', token)
  vi.stubEnv('GITHUB_WORKSPACE', temporaryFolder())
  vi.stubEnv('RUNNER_TEMP', temporaryFolder())
  for (const name of ['ACTIONS_CACHE_SERVICE_V2', 'ACTIONS_CACHE_MODE', 'GITHUB_SERVER_URL', 'RUNNER_DEBUG']) {
    vi.stubEnv(name, undefined)
  }
  muteJobLog()
  return { cache: createActionsCache(), server }
}

/** In a job that runs these tests, the toolkit's lines would become annotations. */
function muteJobLog(): void {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
}

/** A folder with an executable and, below, a text. */
function buildFolder(text: string, name = 'build'): string {
  const folder = path.join(temporaryFolder(), name)
  mkdirSync(path.join(folder, 'deep'), { recursive: true })
  writeFileSync(path.join(folder, 'vox'), 'binary', { mode: 0o755 })
  writeFileSync(path.join(folder, 'deep', 'text'), text)
  return folder
}

const textIn = (folder: string) => readFileSync(path.join(folder, 'deep', 'text'), 'utf8')

const implementations = [
  { name: 'the folder cache', open: async () => createFolderCache(path.join(temporaryFolder(), 'cache')) },
  { name: 'the Actions cache', open: async () => (await startJob()).cache },
]

describe.each(implementations)('$name', ({ open }) => {
  test('restores what was saved', async () => {
    const cache = await open()
    const folder = buildFolder('first')
    await cache.save('key', folder)
    rmSync(folder, { recursive: true })
    expect(await cache.restore('key', folder)).toBe(true)
    expect(textIn(folder)).toBe('first')
    expect(statSync(path.join(folder, 'vox')).mode & 0o777).toBe(0o755)
  })

  test('restores nothing for a key that was not saved', async () => {
    const cache = await open()
    const folder = path.join(temporaryFolder(), 'build')
    expect(await cache.restore('key', folder)).toBe(false)
    expect(existsSync(folder)).toBe(false)
  })

  test('leaves a folder alone for which there is nothing', async () => {
    const cache = await open()
    const folder = buildFolder('mine')
    expect(await cache.restore('key', folder)).toBe(false)
    expect(textIn(folder)).toBe('mine')
  })

  test('restores nothing for the beginning of a key', async () => {
    const cache = await open()
    const folder = buildFolder('of another key')
    await cache.save('key-and-more', folder)
    rmSync(folder, { recursive: true })
    expect(await cache.restore('key', folder)).toBe(false)
    expect(existsSync(folder)).toBe(false)
  })

  test('keeps one whole entry of two that are saved under one key', async () => {
    const cache = await open()
    const folder = buildFolder('first')
    await cache.save('key', folder)
    writeFileSync(path.join(folder, 'deep', 'text'), 'second')
    await cache.save('key', folder).catch(() => {})
    rmSync(folder, { recursive: true })
    expect(await cache.restore('key', folder)).toBe(true)
    expect(['first', 'second']).toContain(textIn(folder))
  })

  test('rejects the save of a folder that is not there, and keeps nothing', async () => {
    const cache = await open()
    const folder = path.join(temporaryFolder(), 'missing')
    await expect(cache.save('key', folder)).rejects.toThrow()
    expect(await cache.restore('key', folder)).toBe(false)
  })

  test.each(['two words', '[ab]', 'a*?', "it's", '"quoted"'])(
    'keeps a folder named <%s> and not the one beside it',
    async (name) => {
      const cache = await open()
      const folder = buildFolder('first', name)
      const beside = path.join(path.dirname(folder), 'a12')
      mkdirSync(beside)
      await cache.save('key', folder)
      rmSync(folder, { recursive: true })
      rmSync(beside, { recursive: true })
      expect(await cache.restore('key', folder)).toBe(true)
      expect(textIn(folder)).toBe('first')
      expect(readdirSync(path.dirname(folder))).toEqual([name])
    },
  )
})

describe('the Actions cache in a job', () => {
  test('rejects a second save under one key and keeps the first', async () => {
    const { cache } = await startJob()
    const folder = buildFolder('first')
    await cache.save('key', folder)
    writeFileSync(path.join(folder, 'deep', 'text'), 'second')
    await expect(cache.save('key', folder)).rejects.toThrow('nothing was saved as key')
    rmSync(folder, { recursive: true })
    expect(await cache.restore('key', folder)).toBe(true)
    expect(textIn(folder)).toBe('first')
  })

  test('restores nothing from a server that is out of order', async () => {
    const { cache, server } = await startJob()
    const folder = buildFolder('first')
    await cache.save('key', folder)
    rmSync(folder, { recursive: true })
    server.answerAlways(500)
    expect(await cache.restore('key', folder)).toBe(false)
  })

  test('rejects a save to a server that is out of order', async () => {
    const { cache, server } = await startJob()
    server.answerAlways(500)
    await expect(cache.save('key', buildFolder('first'))).rejects.toThrow('nothing was saved as key')
  })

  test('restores nothing from half an archive, and leaves no half of a folder', async () => {
    const { cache, server } = await startJob()
    const folder = buildFolder('first')
    for (const name of ['a', 'b', 'c']) writeFileSync(path.join(folder, name), randomBytes(2 ** 20))
    await cache.save('key', folder)
    rmSync(folder, { recursive: true })
    const [archive = ''] = server.archives()
    truncateSync(archive, Math.floor(statSync(archive).size / 2))
    expect(await cache.restore('key', folder)).toBe(false)
    expect(existsSync(folder)).toBe(false)
  })

  test('restores nothing from what is no archive', async () => {
    const { cache, server } = await startJob()
    const folder = buildFolder('first')
    await cache.save('key', folder)
    rmSync(folder, { recursive: true })
    writeFileSync(server.archives()[0] ?? '', 'no archive')
    expect(await cache.restore('key', folder)).toBe(false)
    expect(existsSync(folder)).toBe(false)
  })

  test('rejects when the entry filled another place, as it does in a workspace that lies elsewhere', async () => {
    const { cache } = await startJob()
    const folder = buildFolder('first')
    await cache.save('key', folder)
    rmSync(folder, { recursive: true })
    vi.stubEnv('GITHUB_WORKSPACE', path.join(temporaryFolder(), 'one', 'deeper'))
    await expect(cache.restore('key', folder)).rejects.toThrow(`did not fill ${folder}`)
  })
})

describe('the Actions cache outside of a job', () => {
  test('has nothing, says that it keeps nothing, and troubles no log', async () => {
    for (const name of ['ACTIONS_CACHE_URL', 'ACTIONS_RESULTS_URL', 'ACTIONS_CACHE_SERVICE_V2'])
      vi.stubEnv(name, undefined)
    muteJobLog()
    const cache = createActionsCache()
    const folder = buildFolder('first')
    expect(await cache.restore('key', folder)).toBe(false)
    await expect(cache.save('key', folder)).rejects.toThrow('there is no cache of GitHub Actions')
    expect(process.stdout.write).not.toHaveBeenCalled()
  })
})
