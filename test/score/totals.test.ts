import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinRecords } from '../../src/score/join-records.ts'
import { rowSchema } from '../../src/score/row.ts'
import { scoreCell } from '../../src/score/score-cell.ts'
import { anySweep } from './any-run.ts'
import { sampleLines } from './sample-run.ts'

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

test('whatever became of the attempts, every one is counted exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(anySweep, async (options) => {
      const { planned, records } = await joinRecords(sampleLines(options))
      for (const cell of planned.plan.cells) {
        const row = rowSchema.parse(scoreCell(planned.plan, cell, records))
        const { attempts } = row
        expect(attempts.judged + attempts.unverified + total(attempts.infraErrors) + total(attempts.notAttempted)).toBe(
          attempts.planned,
        )
        expect(total(row.verdicts)).toBe(attempts.judged)
        expect((row.verdicts.passed ?? 0) + row.failures.reduce((sum, { count }) => sum + count, 0)).toBe(
          attempts.judged,
        )
        expect(row.firstSamples).toHaveLength(planned.plan.fixtures.length)
        expect(row.funnel[0]?.count).toBe(attempts.judged)
        expect(row.funnel.at(-1)?.count).toBe(row.verdicts.passed ?? 0)
        for (const [index, { count }] of row.funnel.entries())
          expect(count).toBeLessThanOrEqual(row.funnel[index - 1]?.count ?? count)
      }
    }),
    { numRuns: 60 },
  )
})

test('the score lies between its bounds, and a row is withheld exactly when a first sample is missing', async () => {
  await fc.assert(
    fc.asyncProperty(anySweep, async (options) => {
      const { planned, records } = await joinRecords(sampleLines(options))
      for (const cell of planned.plan.cells) {
        const { firstSample, bounds, firstSamples, headline } = scoreCell(planned.plan, cell, records)
        const isMissing = firstSamples.some(({ outcome }) => outcome === 'missing')
        expect(headline.kind).toBe(isMissing ? 'withheld' : 'ok')
        if (bounds === null || firstSample.rate === null) continue
        expect(bounds.firstSample.allFailed).toBeLessThanOrEqual(firstSample.rate)
        expect(bounds.firstSample.allPassed).toBeGreaterThanOrEqual(firstSample.rate)
      }
    }),
    { numRuns: 60 },
  )
})
