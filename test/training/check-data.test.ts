import { createWriteStream, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { checkData } from '../../src/training/check-data.ts'
import { dataCheckSchema, touchedFixtures } from '../../src/training/data-check.ts'
import { listDataFiles } from '../../src/training/data-files.ts'
import { folderWith } from '../models/temp-folder.ts'
import { damage, smallCorpus } from '../sweep/small-corpus.ts'
import { CANARY, corpus, corpusDir, fixtureOf } from './sample-search.ts'

const NOW = new Date('2026-11-30T12:00:00.000Z')

async function check(folder: string, dir = corpusDir) {
  const options = { corpusDir: dir, now: () => NOW, onProgress: () => {} }
  const found = await checkData(await listDataFiles(folder), options)
  expect(dataCheckSchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found)
  return found
}

/** Prose without any of the corpus, from a seed. */
function prose(bytes: number): string {
  const words =
    'the of a machine count list text when returns value and is in for each number with first then line'.split(' ')
  const marks = ['.', ',', ';', ' (', ')', ':', '\n', '. If', ' =', ' -']
  let seed = 1
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  const parts: string[] = []
  for (let size = 0; size < bytes; ) {
    const part = `${words[next(words.length)]}${next(4) === 0 ? marks[next(marks.length)] : ''} `
    parts.push(part)
    size += part.length
  }
  return parts.join('')
}

const { prompt, reference } = fixtureOf('017')
/** Without the comment that has the canary. */
const program = reference.replace(/^\/\/.*\n/gm, '')
const clean = { 'train/a.txt': 'nothing of interest', 'train/b.jsonl': '{"text": "nor here"}\n' }

test('data without anything of the corpus is clean, and the outcome says of what', async () => {
  expect(await check(folderWith(clean))).toMatchObject({
    kind: 'clean',
    at: NOW.toISOString(),
    corpus: { name: corpus.name, hash: corpus.hash },
    n: 13,
    thresholds: { share: 0.03, run: 25 },
    files: 2,
    bytes: 40,
    canaries: { searched: 1, hits: { total: 0, first: [] } },
    unsearched: { total: 0, first: [] },
  })
})

test('5 MB of unrelated text are clean', async () => {
  const found = await check(folderWith({ 'a.txt': prose(5_000_000) }))
  expect(found.kind).toBe('clean')
  expect(found.tokens).toBeGreaterThan(900_000)
})

test('a reference in a packed file is an overlap, named by fixture, file and line', async () => {
  const folder = folderWith(clean)
  writeFileSync(path.join(folder, 'train/c.jsonl.gz'), gzipSync(`{}\n${JSON.stringify({ text: program })}\n`))
  const found = await check(folder)
  expect(found.kind).toBe('overlap')
  expect(touchedFixtures(found)).toMatchObject([{ id: '017', longestAt: { file: 'train/c.jsonl.gz', line: 2 } }])
})

test('one sentence of a prompt, as long as chance allows, is told without alarm', async () => {
  const words = prompt.split(/\s+/)
  const found = await check(folderWith({ 'a.txt': words.slice(20, 36).join(' ') }))
  const some = found.fixtures.filter((fixture) => fixture.found > 0)
  expect(some).toMatchObject([{ id: '017' }])
  expect(some[0]?.longestRun).toBeLessThan(25)
  expect(found.kind).toBe('clean')
})

test('a run of 25 tokens is an overlap, however small its share', async () => {
  const found = await check(folderWith({ 'a.txt': prompt.split(/\s+/).slice(0, 40).join(' ') }))
  const [touched] = touchedFixtures(found)
  expect(found.kind).toBe('overlap')
  expect(touched?.share).toBeLessThan(0.1)
  expect(touched?.longestRun).toBeGreaterThanOrEqual(25)
})

test('a canary counts before an overlap, and is named by file and line', async () => {
  const found = await check(folderWith({ ...clean, 'a.txt': `${reference}\n# ${CANARY.toUpperCase()}` }))
  expect(found.kind).toBe('canary')
  const line = reference.split('\n').length + 1
  expect(found.canaries.hits.first).toContainEqual({ file: 'a.txt', line })
})

test('a canary in a Parquet file is found; without one its words leave the outcome incomplete', async () => {
  expect((await check(folderWith({ 'a.parquet': `PAR1\0${CANARY.replaceAll('-', '')}` }))).kind).toBe('canary')
  const found = await check(folderWith({ ...clean, 'a.parquet': 'PAR1\0' }))
  expect(found.kind).toBe('incomplete')
  expect(found.unsearched).toEqual({
    total: 1,
    first: [{ file: 'a.parquet', reason: 'its words are not searched: a .parquet file' }],
  })
})

test('a link out of the folder leaves the outcome incomplete, a link within it does not', async () => {
  const folder = folderWith(clean)
  symlinkSync('train/a.txt', path.join(folder, 'within'))
  expect((await check(folder)).kind).toBe('clean')
  symlinkSync(folderWith({}), path.join(folder, 'out'))
  expect((await check(folder)).kind).toBe('incomplete')
})

test('a damaged gzip file leaves the outcome incomplete', async () => {
  const folder = folderWith(clean)
  writeFileSync(path.join(folder, 'b.gz'), gzipSync('text').subarray(0, 15))
  expect(await check(folder)).toMatchObject({ kind: 'incomplete', unsearched: { first: [{ file: 'b.gz' }] } })
})

test.each([{}, { 'train.jsonl': '' }, { 'train.jsonl': ' \n\n' }])(
  'data without any text is not clean: %j',
  async (files) => {
    expect((await check(folderWith({ 'empty.txt': '', ...files }))).kind).toBe('incomplete')
  },
)

test('every file that is not searched counts, of many the first 100 are listed', async () => {
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`${at}.zip`, 'x']))
  const { unsearched } = await check(folderWith(many))
  expect([unsearched.total, unsearched.first.length]).toEqual([150, 100])
})

test('the hash of the data follows names and bytes, not the place of the folder', async () => {
  const hashOf = async (files: Record<string, string>) => (await check(folderWith(files))).dataHash
  const hash = await hashOf(clean)
  expect(await hashOf(clean)).toBe(hash)
  expect(await hashOf({ ...clean, 'train/a.txt': 'nothing of interesT' })).not.toBe(hash)
  const { 'train/a.txt': first, 'train/b.jsonl': second } = clean
  expect(await hashOf({ 'train/a2.txt': first, 'train/b.jsonl': second })).not.toBe(hash)
  expect(await hashOf({ 'train/a.txt': second, 'train/b.jsonl': first })).not.toBe(hash)
})

test('a corpus without a canary: that part is not searched, and the rest is', async () => {
  const dir = smallCorpus(1)
  damage(dir, 'manifest.v1.yaml', `canary: ${CANARY}`, 'note: none')
  const problem = 'problems/001-luggage-tag'
  for (const file of [`${problem}.spec.toml`, `${problem}/reference.vox`, `${problem}/tests.vox`])
    damage(dir, file, 'canary:', 'no-canary')
  expect((await check(folderWith({ 'a.txt': CANARY }), dir)).canaries).toEqual({
    searched: 0,
    hits: { total: 0, first: [] },
  })
})

test('the canary of a comment counts as that of the manifest', async () => {
  const dir = smallCorpus(1)
  const other = '00000000-1111-2222-3333-444444444444'
  damage(dir, 'problems/001-luggage-tag/tests.vox', `canary: ${CANARY}`, `canary: ${other}`)
  const found = await check(folderWith({ 'a.txt': `x ${other} y` }), dir)
  expect(found).toMatchObject({ kind: 'canary', canaries: { searched: 2, hits: { total: 1 } } })
})

test('a problem without text of its own cannot be searched for, so nothing is clean', async () => {
  const dir = smallCorpus(2)
  const manifest = path.join(dir, 'manifest.v1.yaml')
  const [first, second] = ['001-luggage-tag', '002-shuttle-wait']
  for (const file of ['reference.vox', 'tests.vox']) {
    const text = readFileSync(path.join(dir, 'problems', first, file), 'utf8')
    rmSync(path.join(dir, 'problems', second, file))
    writeFileSync(path.join(dir, 'problems', second, file), text)
  }
  const spec = readFileSync(path.join(dir, `problems/${first}.spec.toml`), 'utf8')
  writeFileSync(path.join(dir, `problems/${second}.spec.toml`), spec.replace('id = "001"', 'id = "002"'))
  expect(readFileSync(manifest, 'utf8')).toContain('002')
  const found = await check(folderWith(clean), dir)
  expect(found).toMatchObject({ kind: 'incomplete', fixtures: [{ share: null, ngrams: 0 }, { ngrams: 0 }] })
})

test('a single line of 50 MB is searched to its end in bounded memory', async () => {
  const file = path.join(folderWith({}), 'big.jsonl')
  const stream = createWriteStream(file)
  stream.write('{"text": "')
  const part = 'lorem ipsum dolor '.repeat(60_000).slice(0, 1_000_000)
  for (let at = 0; at < 50; at++) stream.write(part)
  await new Promise((done) => stream.end(`${JSON.stringify(reference).slice(1, -1)}"}`, () => done(null)))
  const before = process.memoryUsage().rss
  const found = await check(file)
  expect(touchedFixtures(found).map(({ id }) => id)).toEqual(['017'])
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
}, 120_000)

test('a corpus that holds nothing out is refused', async () => {
  const dir = smallCorpus(1)
  const problem = 'problems/001-luggage-tag'
  damage(dir, 'manifest.v1.yaml', 'training_eligible: false', 'training_eligible: true')
  damage(dir, `${problem}.spec.toml`, 'training_eligible = false', 'training_eligible = true')
  for (const file of ['reference.vox', 'tests.vox'])
    damage(dir, `${problem}/${file}`, 'training_eligible: false', 'training_eligible: true')
  await expect(check(folderWith(clean), dir)).rejects.toMatchObject({ code: 'training/nothing-held-out' })
})
