import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chooseBook, mergeBooks } from '../../src/action/month-book.ts'
import { capOf, parseShard } from '../../src/generate/shard.ts'
import { openSpendBook } from '../../src/generate/spend-book.ts'

vi.setConfig({ testTimeout: 60_000 })

const MONTH_USD = 30

/** A request that is reserved at its worst, and billed with a share of that; null was under way when its run was killed. */
interface Request {
  readonly worstUsd: number
  readonly billed: number | null
}

/** The shards of one run from attempt to attempt: each leaves its book in an artifact, and a merge puts them into that of the month. */
function createRun(count: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-shards-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const month = path.join(folder, 'month.jsonl')
  const artifactOf = (index: number) => path.join(folder, `artifact-${index}`)
  const books = () => Array.from({ length: count }, (_, at) => path.join(artifactOf(at + 1), 'spend.jsonl'))
  let machines = 0

  return {
    /** Gives what fit. */
    async runShard(index: number, requests: readonly Request[]): Promise<number> {
      machines += 1
      const scratch = path.join(folder, `machine-${machines}`)
      mkdirSync(path.join(scratch, 'spend'), { recursive: true })
      const restored = path.join(scratch, 'spend', 'spend.jsonl')
      if (existsSync(month)) copyFileSync(month, restored)
      const earlier = existsSync(artifactOf(index)) ? artifactOf(index) : null
      const book = { file: restored, begin: async () => {}, save: async () => true }
      const shard = `${index}/${count}`
      const { file, left } = await chooseBook(book, MONTH_USD, { shard, scratch, earlier })
      // As a sweep opens it.
      const own = openSpendBook({ file, capUsd: capOf(left, parseShard(shard)), now: () => new Date() })
      let fit = 0
      for (const [at, { worstUsd, billed }] of requests.entries()) {
        if (!own.reserve(`request ${at}`, worstUsd)) continue
        fit += 1
        if (billed !== null) own.settle(`request ${at}`, worstUsd * billed)
      }
      own.close()
      mkdirSync(artifactOf(index), { recursive: true })
      copyFileSync(file, path.join(artifactOf(index), 'spend.jsonl'))
      return fit
    },
    merge: () => mergeBooks(books(), month),
    async spentUsd(): Promise<number> {
      const whole = path.join(folder, 'whole.jsonl')
      rmSync(whole, { force: true })
      await mergeBooks([month, ...books()], whole)
      const book = openSpendBook({ file: whole, capUsd: null, now: () => new Date() })
      const usd = book.monthUsd()
      book.close()
      return usd
    },
  }
}

const bill = (usd: number): Request => ({ worstUsd: usd, billed: 1 })

test.each([
  // 6 are left of the month, a third of which is 2.
  { isMerged: true, fits: 2 },
  // Nothing is in the book of the month: of its part, 10, it has 4.
  { isMerged: false, fits: 4 },
])('a shard that is run again may go on, and no further than its part (merged before: $isMerged)', async (each) => {
  const run = createRun(3)
  for (const [at, usd] of [9, 6, 9].entries()) expect(await run.runShard(at + 1, [bill(usd)])).toBe(1)
  if (each.isMerged) await run.merge()
  expect(await run.runShard(2, [0.9, 0.9, 0.9, 0.9, 0.9].map(bill))).toBe(each.fits)
})

test('all shards together keep the month, whatever is spent and run again, and merged in between or not', async () => {
  // Many and full ones: what goes wrong shows where the parts are used up.
  const requests = fc.array(
    fc.record({
      worstUsd: fc.oneof(fc.constant(3), fc.double({ min: 0, max: 12, noNaN: true })),
      billed: fc.oneof(fc.constantFrom(1, null), fc.double({ min: 0, max: 1, noNaN: true })),
    }),
    { minLength: 1, maxLength: 8 },
  )
  const attempt = fc.record({
    /** Of each shard; null where it is not run again. */
    shards: fc.array(fc.option(requests, { freq: 3 }), { minLength: 4, maxLength: 4 }),
    isMerged: fc.boolean(),
  })
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 4 }),
    fc.array(attempt, { minLength: 1, maxLength: 4 }),
    async (count, attempts) => {
      const run = createRun(count)
      for (const { shards, isMerged } of attempts) {
        for (const [at, asked] of shards.slice(0, count).entries())
          if (asked !== null) await run.runShard(at + 1, asked)
        if (isMerged) await run.merge()
        expect(await run.spentUsd()).toBeLessThanOrEqual(MONTH_USD + 1e-9)
      }
    },
  )
  await fc.assert(property, { numRuns: 40 })
})
