import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { openSpendBook } from '../../src/generate/spend-book.ts'
import { type BookLine, bookFile, bookOf } from './book-file.ts'
import { ownerWords } from './lock-owner.ts'
import { startSpender } from './spender-process.ts'

vi.setConfig({ testTimeout: 120_000 })

test('a book is made with its folder, and tells each promise and each bill on a line', () => {
  const { file, lines } = bookFile()
  const book = bookOf({ file, capUsd: 1 })
  expect(book.reserve('a', 0.5)).toBe(true)
  book.settle('a', 0.1)
  const [reserved] = lines()
  expect(lines()).toEqual([
    { at: '2026-11-30T12:00:00.000Z', run: expect.any(String), kind: 'reserved', attempt: 'a', usd: 0.5 },
    { at: '2026-11-30T12:00:00.000Z', run: reserved?.run, kind: 'settled', attempt: 'a', usd: 0.1 },
  ])
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('the next run of the month has what earlier ones left', () => {
  const { file } = bookFile()
  const first = bookOf({ file, capUsd: 1 })
  first.reserve('a', 0.9)
  first.settle('a', 0.6)
  const second = bookOf({ file, capUsd: 1 })
  expect(second.reserve('a', 0.5)).toBe(false)
  expect(second.reserve('a', 0.4)).toBe(true)
})

test('a reservation that was never settled counts as spent, though its run is gone', () => {
  const { file } = bookFile()
  const killed = openSpendBook({ file, capUsd: 1, now: () => new Date('2026-11-01T00:00:00Z') })
  killed.reserve('a', 0.9)
  killed.close()
  expect(bookOf({ file, capUsd: 1 }).reserve('a', 0.2)).toBe(false)
})

test('runs that are under way at once see each other’s promises', () => {
  const { file } = bookFile()
  const [one, other] = [bookOf({ file, capUsd: 1 }), bookOf({ file, capUsd: 1 })]
  expect(one.reserve('a', 0.6)).toBe(true)
  expect(other.reserve('a', 0.6)).toBe(false)
  one.settle('a', 0.1)
  expect(other.reserve('a', 0.6)).toBe(true)
  expect(one.reserve('b', 0.6)).toBe(false)
})

test('a month ends in UTC, and a bill belongs to the month it was promised in', () => {
  const { file } = bookFile()
  let at = '2026-11-30T23:59:59.999Z'
  const book = bookOf({ file, capUsd: 1, now: () => new Date(at) })
  expect(book.reserve('a', 0.9)).toBe(true)
  expect(book.reserve('b', 0.9)).toBe(false)
  at = '2026-12-01T00:00:00.000Z'
  expect(book.reserve('b', 0.9)).toBe(true)
  book.settle('a', 0.9)
  expect(book.reserve('c', 0.1)).toBe(true)
  expect(book.reserve('d', 0.1)).toBe(false)
})

test('a book without a cap records and refuses nothing', () => {
  const { file, lines } = bookFile()
  const book = bookOf({ file, capUsd: null })
  expect(book.reserve('a', 1e6)).toBe(true)
  expect(lines().length).toBe(1)
})

test('a cap of 0 admits nothing that may cost something', () => {
  const { file } = bookFile()
  expect(bookOf({ file, capUsd: 0 }).reserve('a', 1e-9)).toBe(false)
})

const good = `{"at":"2026-11-30T12:00:00.000Z","run":"r","kind":"reserved","attempt":"a","usd":0.5}`

describe('a damaged book is refused with the line', () => {
  test.each([
    ['no JSON', 'oops\n'],
    ['an empty line', '\n'],
    ['half a line', `${good.slice(0, 40)}\n`],
    ['a last line that was not ended, and is wrong beside the others', good],
    ['a last line that was not ended, and is none of a book', 'oops'],
    ['a number that is text', `${good.replace('0.5', '"0.5"')}\n`],
    ['a negative amount', `${good.replace('0.5', '-0.5')}\n`],
    ['an amount that is no number', `${good.replace('0.5', 'null')}\n`],
    ['an unknown kind', `${good.replace('reserved', 'refunded')}\n`],
    ['a time of no calendar', `${good.replace('11-30', '13-30')}\n`],
    ['a second reservation of an attempt', `${good}\n`],
  ])('%s', (_name, damage) => {
    const { file } = bookFile()
    mkdirSync(path.dirname(file))
    writeFileSync(file, `${good}\n${damage}`)
    expect(() => bookOf({ file, capUsd: 100 })).toThrow(
      expect.objectContaining({ code: 'spend-book/damaged', message: expect.stringContaining('spend.jsonl:2 ') }),
    )
    expect(existsSync(`${file}.lock`)).toBe(false)
  })

  test('also when it was damaged after it was opened', () => {
    const { file } = bookFile()
    const book = bookOf({ file, capUsd: 100 })
    book.reserve('a', 1)
    appendFileSync(file, '{}\n')
    expect(() => book.reserve('b', 1)).toThrow(/spend\.jsonl:2 is no entry/)
  })
})

describe('what a killed process left of its last line', () => {
  const settled = `{"at":"2026-11-30T12:00:00.000Z","run":"r","kind":"settled","attempt":"ä","usd":0.25}`

  test.each([1, 6, 20, 70, Buffer.from(settled).indexOf('ä') + 1, Buffer.byteLength(settled) - 1])(
    'is cut off after %i bytes of a bill, and its promise stays',
    (bytes) => {
      const { file, lines } = bookFile()
      mkdirSync(path.dirname(file))
      writeFileSync(file, Buffer.concat([Buffer.from(`${good}\n`), Buffer.from(settled).subarray(0, bytes)]))
      const book = bookOf({ file, capUsd: 1 })
      expect(book.monthUsd()).toBe(0.5)
      expect(book.reserve('b', 0.5)).toBe(true)
      expect(lines().map(({ attempt }) => attempt)).toEqual(['a', 'b'])
    },
  )

  test('is cut off under a run that has the book open', () => {
    const { file, lines } = bookFile()
    const [book, other] = [bookOf({ file, capUsd: 1 }), bookOf({ file, capUsd: 1 })]
    book.reserve('a', 0.5)
    appendFileSync(file, good.slice(0, 40))
    expect(book.reserve('b', 0.4)).toBe(true)
    expect(other.reserve('c', 0.2)).toBe(false)
    expect(lines().map(({ attempt }) => attempt)).toEqual(['a', 'b'])
  })
})

test('a last line that is whole but for its end counts, and is ended', () => {
  const { file, lines } = bookFile()
  mkdirSync(path.dirname(file))
  writeFileSync(file, good)
  const book = bookOf({ file, capUsd: 1 })
  expect(book.reserve('b', 0.6)).toBe(false)
  expect(book.reserve('b', 0.5)).toBe(true)
  expect(lines().map(({ attempt }) => attempt)).toEqual(['a', 'b'])
})

test('a book that was cut or replaced under a run promises nothing more', () => {
  for (const change of [
    (file: string) => truncateSync(file, 0),
    (file: string) => {
      renameSync(file, `${file}.old`)
      writeFileSync(file, readFileSync(`${file}.old`))
    },
  ]) {
    const { file } = bookFile()
    const book = bookOf({ file, capUsd: 100 })
    book.reserve('a', 1)
    change(file)
    expect(() => book.reserve('b', 1)).toThrow(/cut or replaced/)
  }
})

test('a book whose folder cannot be made is an error that names it', () => {
  const { folder } = bookFile()
  writeFileSync(path.join(folder, 'file'), '')
  const file = path.join(folder, 'file', 'spend.jsonl')
  expect(() => bookOf({ file, capUsd: 1 })).toThrow(
    expect.objectContaining({ code: 'infra/spend-book', message: expect.stringContaining(file) }),
  )
})

/** What the lines of a month come to, summed by other means than the book's. */
function sumOf(lines: readonly BookLine[], month: string): number {
  const reserved = new Map<string, BookLine>()
  const amounts = new Map<string, { month: string; usd: number }>()
  for (const line of lines) {
    const name = `${line.run} ${line.attempt}`
    if (line.kind === 'reserved') reserved.set(name, line)
    amounts.set(name, { month: (reserved.get(name) ?? line).at.slice(0, 7), usd: line.usd })
  }
  return [...amounts.values()].filter((each) => each.month === month).reduce((sum, { usd }) => sum + usd, 0)
}

test('over any number of runs, at once or one after the other, no month passes its cap', () => {
  const { folder } = bookFile()
  let number = 0
  const step = fc.record({
    book: fc.nat(3),
    usd: fc.double({ min: 0, max: 3, noNaN: true }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    act: fc.constantFrom('reserve', 'reserve', 'settle', 'reopen', 'next month'),
  })
  fc.assert(
    fc.property(fc.double({ min: 0, max: 10, noNaN: true }), fc.array(step, { maxLength: 40 }), (capUsd, steps) => {
      const file = path.join(folder, `${number++}.jsonl`)
      let month = 1
      const monthName = () => `2026-${String(month).padStart(2, '0')}`
      const open = () => openSpendBook({ file, capUsd, now: () => new Date(`${monthName()}-15T00:00:00Z`) })
      const books = [open(), open(), open(), open()]
      const underWay: { book: number; attempt: string; usd: number }[] = []
      const bills = new Map<string, number>()
      steps.forEach(({ book: index, usd, share, act }, at) => {
        const book = books[index] as (typeof books)[number]
        if (act === 'reserve' && book.reserve(`${at}`, usd)) underWay.push({ book: index, attempt: `${at}`, usd })
        if (act === 'settle') {
          const [done] = underWay.splice(0, 1)
          if (done !== undefined) {
            books[done.book]?.settle(done.attempt, done.usd * share)
            bills.set(done.attempt, done.usd * share)
          }
        }
        if (act === 'reopen' && underWay.every((each) => each.book !== index)) {
          book.close()
          books[index] = open()
        }
        if (act === 'next month') month = Math.min(12, month + 1)
        const lines = readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as BookLine)
        for (const name of new Set(lines.map((line) => line.at.slice(0, 7)))) {
          expect(sumOf(lines, name)).toBeLessThanOrEqual(capUsd + 1e-9)
        }
      })
      for (const book of books) book.close()
    }),
    { numRuns: 200 },
  )
})

test('processes at once do not pass the cap together, and every promise of theirs is in the book', async () => {
  const { file, lines } = bookFile()
  const capUsd = 1
  // All of them find the lock of a process that is gone.
  mkdirSync(path.dirname(file))
  writeFileSync(`${file}.lock`, ownerWords({ pid: spawnSync(process.execPath, ['--version']).pid }))
  const spenders = await Promise.all([1, 2, 3].map(() => startSpender({ file, capUsd, attempts: 60, usd: 0.0133 })))
  const admitted = await Promise.all(spenders.map(({ admitted }) => admitted))
  expect(sumOf(lines(), lines()[0]?.at.slice(0, 7) ?? '')).toBeLessThanOrEqual(capUsd)
  // Nothing is settled, so that the 76th does not fit, whoever asks.
  expect(admitted.reduce((sum, count) => sum + count, 0)).toBe(75)
  expect(lines().filter(({ kind }) => kind === 'reserved').length).toBe(75)
  expect(new Set(lines().map(({ run }) => run)).size).toBe(admitted.filter((count) => count > 0).length)
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('a process that is killed in the middle leaves a book that others can use, and what it promised counts', async () => {
  const { file, lines } = bookFile()
  for (let round = 0; round < 3; round++) {
    const { child, admitted } = await startSpender({ file, capUsd: 1e6, attempts: 1e6, usd: 1 })
    await vi.waitFor(() => expect(lines().length).toBeGreaterThan((round + 1) * 20), { timeout: 60_000 })
    child.kill('SIGKILL')
    await admitted
  }
  // The last of them may have been killed in the middle of a line.
  bookOf({ file, capUsd: null })
  const promised = lines().length
  const book = bookOf({ file, capUsd: promised + 1, now: () => new Date() })
  expect(book.reserve('a', 1)).toBe(true)
  expect(book.reserve('b', 1e-6)).toBe(false)
})
