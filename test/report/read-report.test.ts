import { expect, test } from 'vitest'
import { BenchError } from '../../src/bench-error.ts'
import { readReport } from '../../src/report/read-report.ts'
import { sampleReport } from './sample-report.ts'

test('a report that was written can be read', async () => {
  const report = await sampleReport({ fixtures: 2 })
  expect(readReport('report.json', JSON.stringify(report))).toEqual(report)
})

test.each([
  ['{', 'JSON at position 1'],
  ['[]', 'the whole: '],
  ['null', 'the whole: '],
  ['{"schemaVersion": 2}', 'it has schema version 2, and this version of the tool reads 1'],
])('%s is refused by name', (text, problem) => {
  const read = () => readReport('out/report.json', text)
  expect(read).toThrow(BenchError)
  expect(read).toThrow('out/report.json')
  expect(read).toThrow(problem)
})

test('all that is wrong is listed', async () => {
  const report = await sampleReport({ fixtures: 1 })
  const broken = { ...report, purpose: 'fun', run: { ...report.run, id: 7 } }
  expect(() => readReport('report.json', JSON.stringify(broken))).toThrow(/purpose: [\s\S]*run\.id: /)
})
