import { expect, test } from 'vitest'
import { headlineOf } from '../../src/report/headline.ts'
import { sampleReport } from './sample-report.ts'

const ALL_CLOSED = { tcp: true, udp: true, reads: true, writes: true, processes: true, survivors: true }

test.each([
  ['none', ALL_CLOSED, 'no sandbox', true],
  ['landlock', { ...ALL_CLOSED, processes: false }, 'sandbox landlock, not all closed', true],
  ['bubblewrap', ALL_CLOSED, 'sandbox bubblewrap', false],
] as const)('a run in the sandbox %s says so at the top', async (level, closed, label, isLoud) => {
  const report = await sampleReport({ fixtures: 1 })
  const { labels, loud } = headlineOf({ ...report, sandbox: { level, closed, passedOver: [] } })
  expect(labels).toContain(label)
  expect(loud.includes(label)).toBe(isLoud)
})

test('what was found and spent stands in the head', async () => {
  const report = await sampleReport({ fixtures: 3 })
  const [comparison] = report.comparisons
  if (comparison === undefined) throw new Error('the sample compares nothing')
  const comparisons = (['higher', 'cannot-tell', 'lower'] as const).map((outcome) => ({ ...comparison, outcome }))
  const labelsOf = (changes: object) => headlineOf({ ...report, comparisons, ...changes }).labels
  expect(labelsOf({ spend: { ...report.spend, spentUsd: 1.05, capUsd: 5 } })).toEqual(
    expect.arrayContaining(['2 of 3 comparisons show a difference', '$1.05 spent of $5.00']),
  )
  expect(labelsOf({ spend: { ...report.spend, spentUsd: 0, capUsd: null } }).join()).not.toContain('spent')
})

test('the embedded engine needs no word on a sandbox', async () => {
  expect(headlineOf(await sampleReport({ fixtures: 1 })).labels.join()).not.toContain('sandbox')
})

test('problems that were left out are told at the top', async () => {
  const report = await sampleReport({ fixtures: 1 })
  const plan = { ...report.plan, excluded: [{ fixture: '009', reason: 'check-failed' }] }
  expect(headlineOf({ ...report, plan }).loud).toContain('1 problem left out')
})
