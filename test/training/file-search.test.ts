import { deflateRawSync, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CANARY, cutAt, fixtureOf, foundIds, overlapOf, searchParts, searchText } from './sample-search.ts'

const { prompt, reference, tests } = fixtureOf('029')

test('a fixture whose texts stand in the data is found whole', () => {
  const found = searchText('a.txt', [prompt, reference, tests].join('\n\n'))
  expect(overlapOf(found, '029').share).toBe(1)
  expect(foundIds(found)).toEqual(['029'])
})

test('a prompt that is wrapped to other lines and indented is found whole', () => {
  const wrapped = prompt.replaceAll(/\s+/g, ' ').replaceAll(/(.{30,40}) /g, '$1\n    ')
  expect(overlapOf(searchText('a.md', wrapped), '029')).toMatchObject({
    found: overlapOf(searchText('a.md', prompt), '029').found,
  })
})

test('a reference inside a string of JSONL is found, with the line of its record', () => {
  const record = (content: string) => JSON.stringify({ messages: [{ role: 'user', content }] })
  const found = searchText('train.jsonl', [record('Hello'), record(`Here:\n\n${reference}`), record('Bye')].join('\n'))
  expect(overlapOf(found, '029')).toMatchObject({ first: { file: 'train.jsonl', line: 2 } })
  expect(overlapOf(found, '029').found).toBe(overlapOf(searchText('a.vox', reference), '029').found)
})

test('a reference whose lines are strings of their own, as in a notebook, is found whole', () => {
  const lines = reference.split('\n').map((line) => `${line}\n`)
  const found = searchText('a.ipynb', JSON.stringify({ cells: [{ source: lines }] }, null, 1))
  expect(overlapOf(found, '029').found).toBe(overlapOf(searchText('a.vox', reference), '029').found)
})

test('a line of JSONL that does not parse is searched as it stands', () => {
  const broken = `{"text": "${JSON.stringify(reference).slice(1, -1)}`
  expect(overlapOf(searchText('a.jsonl', broken), '029').longestRun).toBeGreaterThan(500)
  expect(overlapOf(searchText('b.jsonl', `not JSON: ${prompt}`), '029').longestRun).toBeGreaterThan(100)
})

test('JSON that is quoted in JSON is found', () => {
  const found = searchText('a.jsonl', JSON.stringify({ arguments: JSON.stringify({ code: reference }) }))
  expect(overlapOf(found, '029').found).toBe(overlapOf(searchText('a.vox', reference), '029').found)
})

test('other problems of the same kind are not alarming', () => {
  const found = searchText('a.txt', 'fn add(a: int, b: int) to int {\n    return a + b\n}\n'.repeat(1000))
  expect(foundIds(found)).toEqual([])
})

test.each([
  ['by its name', 'data.PARQUET', reference],
  ['by its name before .gz', 'data.npy.gz', reference],
  ['by a NUL byte', 'data.txt', `${' '.repeat(60_000)}\0\n${reference}`],
  ['by its first bytes', 'data', Buffer.concat([Buffer.from('28b52ffd', 'hex'), Buffer.from(reference)])],
])('of a file that is no text, told %s, only canaries are searched', (_how, name, content) => {
  const found = searchText(name, content)
  expect(found.unsearched).toMatch(/^its words are not searched/)
  expect(foundIds(found)).toEqual([])
  expect(found.tokens).toBe(0)
  expect(found.canaries).toHaveLength(1)
})

test('a NUL byte after the first 64 KiB does not end the search, but it is told', () => {
  const found = searchText('a.txt', `${' '.repeat(64 * 1024)}\0\n${reference}`)
  expect(found.unsearched).toBe('its words are searched only in part: it has NUL bytes')
  expect(foundIds(found)).toEqual(['029'])
})

test('UTF-16 behind a long head of UTF-8 is told', () => {
  const head = Buffer.from('word '.repeat(20_000))
  const found = searchParts('a.txt', [head, Buffer.from(reference, 'utf16le')])
  expect(found.unsearched).toMatch(/NUL bytes/)
})

const secret = Buffer.from(`${prompt}${reference}`)
const withoutNul = (bytes: Uint8Array) => bytes.filter((byte) => byte !== 0)
test.each([
  ['zlib, at any level', [1, 3, 6, 9].map((level) => withoutNul(deflateSync(secret, { level })))],
  ['raw deflate', [withoutNul(deflateRawSync(secret))]],
  ['bytes of another encoding', [Buffer.from('é'.repeat(2000), 'latin1')]],
  ['compress', [Buffer.from([0x1f, 0x9d, 0x90, ...Buffer.from('x'.repeat(2000))])]],
])('what is no UTF-8 is told: %s', (_what, files) => {
  for (const bytes of files) expect(searchParts('data', [bytes]).unsearched).toMatch(/^its words are/)
})

test('packed data behind a text is told from 1 % on', () => {
  const packed = withoutNul(deflateRawSync(secret))
  const behind = (words: number) => searchParts('a.txt', [Buffer.from('word '.repeat(words)), packed]).unsearched
  expect(behind(1000)).toBe('its words are searched only in part: more than 1 % of it is no UTF-8')
  expect(behind(100_000)).toBeNull()
})

test('a text that begins as zlib does is a text', () => {
  expect(searchText('a.txt', 'x^2 + 1').unsearched).toBeNull()
})

test.each(['link', 'data.txt', 'copy.json.bak'])('JSON is known as it begins, in a file named %s', (name) => {
  const lines = reference.split('\n').map((line) => `${line}\n`)
  const found = searchText(name, `\n ${JSON.stringify(lines, null, 1)}`)
  expect(overlapOf(found, '029').found).toBe(overlapOf(searchText('a.vox', reference), '029').found)
})

test('bytes that are no UTF-8 hide nothing around them', () => {
  const bad = Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xf0, 0x9f])
  const found = searchText('a.txt', Buffer.concat([bad, Buffer.from(reference), bad]))
  expect(found.unsearched).toBeNull()
  expect(overlapOf(found, '029').found).toBe(overlapOf(searchText('a.vox', reference), '029').found)
})

test('a file that ends within a character is read to its end', () => {
  expect(searchParts('a.txt', [Buffer.from([0x61, 0x20, 0xc3])]).tokens).toBe(2)
})

test('an empty file is searched', () => {
  expect(searchParts('a.txt', [])).toMatchObject({ tokens: 0, unsearched: null, canaries: [] })
})

describe('law: any way to cut the bytes finds the same', () => {
  const piece = fc.constantFrom<string | number[]>(
    ...[reference, prompt, JSON.stringify(reference), JSON.stringify({ key: prompt, other: 'é😀' })],
    ...[`# canary: ${CANARY}`, '\n', '"', '\\', '{"', '": ', '😀é'],
    ...[[0xff], [0xf0, 0x9f], [0xe2, 0x82], [0x80], [0xed, 0xa0, 0x80], [0]],
  )
  const content = fc
    .array(piece, { maxLength: 10 })
    .map((pieces) => Buffer.concat(pieces.map((each) => Buffer.from(each as string))))

  test.each(['a.txt', 'a.jsonl'])('%s', (name) => {
    fc.assert(
      fc.property(
        content,
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        (bytes, places, step) => {
          const whole = searchParts(name, [bytes])
          expect(searchParts(name, cutAt(bytes, places))).toEqual(whole)
          const small = Array.from({ length: Math.ceil(bytes.length / step) }, (_, at) => at * step)
          expect(searchParts(name, cutAt(bytes, small))).toEqual(whole)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('over the end of the head, whose bytes are kept until it is complete', () => {
    const bytes = Buffer.from(`${'x '.repeat(32 * 1024 - 300)}${reference}`)
    const whole = searchParts('a.txt', [bytes])
    expect(foundIds(whole)).toEqual(['029'])
    for (const end of [65_535, 65_536, 65_537]) expect(searchParts('a.txt', cutAt(bytes, [end]))).toEqual(whole)
  })
})
