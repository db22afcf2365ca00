import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { MAX_CATALOGUE_BYTES } from '../../src/models/catalogue.ts'
import { fetchCatalogue } from '../../src/models/fetch-catalogue.ts'
import { loadCatalogue, readSnapshot } from '../../src/models/load-catalogue.ts'
import { sendJson, startServer } from './loopback-server.ts'
import { folderWith } from './temp-folder.ts'

const list = { data: [{ id: 'a/b', context_length: 1000 }] }
const noon = new Date('2026-11-30T12:00:00.000Z')
const hoursAfterNoon = (hours: number) => new Date(noon.getTime() + hours * 3_600_000)

function requestTo(url: string, now = noon) {
  return { url, timeoutMs: 20_000, now }
}

test('the list is fetched without a key, and its text is a snapshot of the same hash', async () => {
  const server = await startServer((_request, response) => sendJson(response, 200, list))
  const { catalogue, text } = await fetchCatalogue(requestTo(server.baseUrl))
  expect(server.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/v1/models', undefined]])
  expect(catalogue).toMatchObject({ source: `${server.baseUrl}/models`, fetchedAt: noon.toISOString() })
  const file = path.join(folderWith({ 'snapshot.json': text }), 'snapshot.json')
  expect(await readSnapshot(file)).toEqual(catalogue)
})

test('a redirect is refused, and its target never asked', async () => {
  const target = await startServer((_request, response) => sendJson(response, 200, list))
  const server = await startServer((_request, response) =>
    response.writeHead(302, { location: `${target.baseUrl}/models` }).end(),
  )
  await expect(fetchCatalogue(requestTo(server.baseUrl))).rejects.toMatchObject({ code: 'infra/catalogue' })
  expect(target.seen).toEqual([])
})

test('a list that never comes is given up at the timeout', async () => {
  const server = await startServer(() => {})
  await expect(fetchCatalogue({ url: server.baseUrl, timeoutMs: 200, now: noon })).rejects.toThrow(
    'it did not come within 0.2 s',
  )
})

test('an endless answer is given up at the size limit', async () => {
  const server = await startServer((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, 32)
    let left = MAX_CATALOGUE_BYTES / chunk.length + 2
    const send = () => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once('drain', send)
      response.end()
    }
    send()
  })
  await expect(fetchCatalogue(requestTo(server.baseUrl))).rejects.toThrow('it is longer than 32 MiB')
})

test.each([
  ['an error', 500, list, 'the status is 500'],
  ['another shape', 200, { models: [] }, 'the answer is no list of models'],
])('%s is told', async (_what, status, body, words) => {
  const server = await startServer((_request, response) => sendJson(response, status, body))
  await expect(fetchCatalogue(requestTo(server.baseUrl))).rejects.toThrow(words)
})

test('a fetched list is kept and not asked for again within a day', async () => {
  const server = await startServer((_request, response) => sendJson(response, 200, list))
  const folder = path.join(folderWith({}), 'made', 'when-needed')
  const first = await loadCatalogue(folder, requestTo(server.baseUrl))
  const second = await loadCatalogue(folder, requestTo(server.baseUrl, hoursAfterNoon(23)))
  expect(second).toEqual(first)
  expect(second.warnings).toEqual([])
  expect(server.seen).toHaveLength(1)
  expect(readdirSync(folder)).toEqual(['catalogue.json'])
})

test('after a day, or when the clock was set back, it is fetched anew', async () => {
  const server = await startServer((_request, response) => sendJson(response, 200, list))
  const folder = folderWith({})
  for (const now of [noon, hoursAfterNoon(24), hoursAfterNoon(20)]) {
    const { catalogue } = await loadCatalogue(folder, requestTo(server.baseUrl, now))
    expect(catalogue?.fetchedAt).toBe(now.toISOString())
  }
  expect(server.seen).toHaveLength(3)
})

test('when it cannot be fetched an older copy is used, with a warning that names its date', async () => {
  const server = await startServer((_request, response, number) => sendJson(response, number === 1 ? 200 : 503, list))
  const folder = folderWith({})
  await loadCatalogue(folder, requestTo(server.baseUrl))
  const { catalogue, warnings } = await loadCatalogue(folder, requestTo(server.baseUrl, hoursAfterNoon(100)))
  expect(catalogue?.fetchedAt).toBe(noon.toISOString())
  expect(warnings).toEqual([
    expect.stringMatching(/the status is 503\. The catalogue of 2026-11-30 is used instead\.$/),
  ])
})

test('without a copy there is none, and a warning', async () => {
  const server = await startServer((_request, response) => sendJson(response, 503, {}))
  const { catalogue, warnings } = await loadCatalogue(folderWith({}), requestTo(server.baseUrl))
  expect(catalogue).toBeNull()
  expect(warnings).toEqual([expect.stringContaining('There is no older copy.')])
})

test('a copy that is damaged, or from elsewhere, is not used', async () => {
  const server = await startServer((_request, response) => sendJson(response, 200, list))
  const folder = folderWith({})
  const file = path.join(folder, 'catalogue.json')
  for (const text of [
    '{"data": [',
    JSON.stringify({ source: 'https://elsewhere.example/models', fetchedAt: noon.toISOString(), ...list }),
  ]) {
    writeFileSync(file, text)
    const { catalogue } = await loadCatalogue(folder, requestTo(server.baseUrl))
    expect(catalogue?.source).toBe(`${server.baseUrl}/models`)
    expect(JSON.parse(readFileSync(file, 'utf8')).source).toBe(`${server.baseUrl}/models`)
  }
  expect(server.seen).toHaveLength(2)
})

test('a copy that cannot be kept is told, and the list is used all the same', async () => {
  const server = await startServer((_request, response) => sendJson(response, 200, list))
  const file = path.join(folderWith({ taken: '' }), 'taken')
  const { catalogue, warnings } = await loadCatalogue(file, requestTo(server.baseUrl))
  expect(catalogue?.models.size).toBe(1)
  expect(warnings).toEqual([expect.stringContaining('cannot be kept for later')])
})

test('a snapshot that is not there is told by its path', async () => {
  await expect(readSnapshot('/nowhere/models.json')).rejects.toThrow(
    'The catalogue /nowhere/models.json cannot be read: there is no such file.',
  )
})
