import { expect, test } from 'vitest'
import { infraReasons } from '../../src/report/infra-reasons.ts'
import { renderHtml } from '../../src/report/report-html.ts'
import { renderSummary } from '../../src/report/summary-markdown.ts'
import { judged, type Outcome, sampleSubject } from '../score/sample-run.ts'
import { sampleReport } from './sample-report.ts'

function reportOf(messages: readonly (string | null)[]) {
  return sampleReport({
    fixtures: messages.length,
    conditions: ['C0'],
    subjects: [sampleSubject('model')],
    outcome: ({ fixture }): Outcome => {
      const message = messages[fixture] ?? null
      if (message === null) return judged({ kind: 'passed' })
      return { completion: { kind: 'infra-error', class: 'request', message, requests: 1 }, verification: null }
    },
  })
}

test('the most frequent reasons come first, with their counts', async () => {
  const report = await reportOf(['slow', '404 no model', null, '404 no model'])
  expect(infraReasons(report).get('model C0')).toBe('2 × request: 404 no model; 1 × request: slow')
})

test('a row without infra errors has no reasons', async () => {
  expect(infraReasons(await reportOf([null])).size).toBe(0)
})

test('of many or long reasons only the first are shown, and the rest is counted', async () => {
  const line = infraReasons(await reportOf(['a'.repeat(5000), 'b', 'c', 'd', 'e'])).get('model C0') ?? ''
  expect(line.length).toBeLessThan(600)
  expect(line).toMatch(/; and 2 more reasons in report\.json$/)
})

test('both pages show the reasons, escaped', async () => {
  const report = await reportOf(['404 <b>no</b> @team', '404 <b>no</b> @team'])
  expect(renderHtml(report)).toContain('2 × request: 404 &lt;b&gt;no&lt;/b&gt; @team')
  expect(renderSummary(report)).toMatch(/2 × request: 404 &#60;b&#62;no&#60;\/b&#62; @&#8203;team/)
})
