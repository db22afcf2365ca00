import { expect, test } from 'vitest'
import { listGateRefusals } from '../../src/report/gate-refusals.ts'
import { sampleReport } from './sample-report.ts'

test('a complete run over held-out problems may be gated', async () => {
  expect(listGateRefusals(await sampleReport({ purpose: 'run' }))).toEqual([])
})

test.each([
  ['a demonstration', { purpose: 'demo' }, /demo run/],
  ['another split', { split: 'all' }, /split is all/],
] as const)('%s may not', async (_, options, reason) => {
  expect(listGateRefusals(await sampleReport(options)).join()).toMatch(reason)
})

test('nor may a result of an engine that fails a reference, left out or not', async () => {
  const report = await sampleReport({ purpose: 'run' })
  const excluded = [{ fixture: '099', reason: 'check-failed' }]
  expect(listGateRefusals({ ...report, plan: { ...report.plan, excluded } })).toEqual([
    'the engine fails 1 reference, whose problems were left out',
  ])
  const failures = [{ fixture: '001', planted: 'reference', expected: 'passed', found: 'timeout', verdict: null }]
  expect(listGateRefusals({ ...report, preflight: { references: 1, saboteurs: 0, failures } })).toEqual([
    'its preflight failed',
  ])
  expect(listGateRefusals({ ...report, preflight: null })).toEqual(['it has no preflight'])
})

test('the reasons stand in the report', async () => {
  expect((await sampleReport({ purpose: 'smoke' })).gateRefusals).toEqual(['it is a smoke run'])
})
