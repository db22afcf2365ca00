import { expect, test } from 'vitest'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { describeDraws } from '../../src/compare/comparison-words.ts'
import { BASE, baseReport, FAIL, failing, headReport, OPTIONS, PASS } from './sample-pair.ts'

/** Three further draws of HEAD: problem 001 always fails, 002 fails once, all others pass. */
function draws() {
  return headReport(
    {
      samples: 3,
      k: [1],
      outcome: ({ fixture, sample }) => (fixture === 0 || (fixture === 1 && sample === 0) ? FAIL : PASS),
    },
    { plan: (plan) => ({ ...plan, seed: 70 }) },
  )
}

test('further draws label what was lost', async () => {
  const options = { ...OPTIONS, draws: await draws() }
  const { regressions } = compareReports(await baseReport(), await headReport({ outcome: failing(0, 1) }), options)
  expect(regressions.map(describeDraws)).toEqual([
    'failed 3 of 3 further draws',
    'passed 2 of 3 further draws: noise is likely',
  ])
})

test('they change nothing but the label', async () => {
  const [base, head] = [await baseReport(), await headReport({ outcome: failing(0, 1, 2, 3, 4, 5) })]
  const without = compareReports(base, head, OPTIONS)
  const labelled = compareReports(base, head, { ...OPTIONS, draws: await draws() })
  const unlabelled = { ...labelled, regressions: labelled.regressions.map((each) => ({ ...each, draws: null })) }
  expect(unlabelled).toEqual(without)
  expect(without.outcome).toBe('regressed')
})

test('draws of something else are refused with what differs', async () => {
  const [base, head] = [await baseReport(), await headReport()]
  const refuse = async (other: Awaited<ReturnType<typeof headReport>>, message: string) =>
    expect(() => compareReports(base, head, { ...OPTIONS, draws: other })).toThrow(
      expect.objectContaining({ code: 'compare/draws', message: expect.stringContaining(message) }),
    )
  await refuse(await baseReport(), 'it has no row of mens/vox@1600 under C1')
  await refuse(head, 'it is the run of HEAD itself')
  const warm = { sampling: { temperature: 0.7, topP: null, maxTokens: 4096, reasoningEffort: null } }
  await refuse(
    await headReport({ subjects: [{ ...BASE, id: 'mens/vox@1600', checkpoint: '1600', ...warm }] }),
    'sampling temperature is 0 in HEAD and 0.7 in it',
  )
})
