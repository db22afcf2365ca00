import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { buffer, json } from 'node:stream/consumers'

export interface CacheServer {
  /** With a slash at the end, as ACTIONS_CACHE_URL has it. */
  readonly url: string
  /** The archives' files, oldest first. */
  archives(): readonly string[]
  /** From now on entries with such a key are not saved; null ends that. */
  refuseSaving(key: RegExp | null): void
  /** From now on every request is answered with this code. */
  answerAlways(statusCode: number): void
  close(): Promise<void>
}

interface Entry {
  readonly key: string
  readonly version: string
  readonly archive: string
  isCommitted: boolean
}

const API = '/_apis/artifactcache'

/**
 * The cache service of GitHub Actions in its first version, on the loopback: entries are reserved, uploaded in parts and committed, never
 * change, and are found by their key or else by the beginning of it. Archives lie in `folder`.
 */
export async function startCacheServer(folder: string, token: string): Promise<CacheServer> {
  const entries: Entry[] = []
  let always: number | null = null
  let refused: RegExp | null = null

  /** By the first of the keys that has one. */
  function find(keys: readonly string[], version: string): Entry | undefined {
    const kept = entries.filter((entry) => entry.isCommitted && entry.version === version)
    const found = keys.map(
      (key) => kept.find((entry) => entry.key === key) ?? kept.findLast((entry) => entry.key.startsWith(key)),
    )
    return found.find((entry) => entry !== undefined)
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url)
    const route = `${request.method} ${pathname.replace(/\/\d+$/, '/N')}`
    const entry = entries[Number(/\d+$/.exec(pathname)?.[0]) - 1]
    const body = request.method === 'PATCH' ? await buffer(request) : Buffer.alloc(0)
    const answer = (statusCode: number, value?: unknown) => {
      response.writeHead(statusCode, { 'content-type': 'application/json' })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }

    if (always !== null) return answer(always, { message: 'out of order' })
    if (route === 'GET /archives/N' && entry !== undefined) return response.end(readFileSync(entry.archive))
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { message: 'not authorized' })
    if (route === `GET ${API}/cache`) {
      const found = find((searchParams.get('keys') ?? '').split(','), searchParams.get('version') ?? '')
      if (found === undefined) return answer(204)
      return answer(200, { cacheKey: found.key, archiveLocation: `${url}archives/${entries.indexOf(found) + 1}` })
    }
    if (route === `POST ${API}/caches`) {
      const { key, version } = (await json(request)) as { key: string; version: string }
      if (refused?.test(key)) return answer(400, { message: 'not saved' })
      if (entries.some((other) => other.key === key && other.version === version)) {
        return answer(409, { message: 'the entry is there already' })
      }
      const archive = path.join(folder, `${entries.length + 1}.archive`)
      return answer(201, { cacheId: entries.push({ key, version, archive, isCommitted: false }) })
    }
    if (route === `PATCH ${API}/caches/N` && entry !== undefined) {
      const start = Number(/^bytes (\d+)-/.exec(request.headers['content-range'] ?? '')?.[1])
      const file = openSync(entry.archive, existsSync(entry.archive) ? 'r+' : 'w')
      writeSync(file, body, 0, body.length, start)
      closeSync(file)
      return answer(204)
    }
    if (route === `POST ${API}/caches/N` && entry !== undefined) {
      const { size } = (await json(request)) as { size: number }
      entry.isCommitted = readFileSync(entry.archive).length === size
      return entry.isCommitted ? answer(204) : answer(400, { message: 'parts are missing' })
    }
    return answer(404, { message: `there is no ${route}` })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  return {
    url,
    archives: () => entries.map(({ archive }) => archive),
    refuseSaving(key) {
      refused = key
    },
    answerAlways(statusCode) {
      always = statusCode
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
