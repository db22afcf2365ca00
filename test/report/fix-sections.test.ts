import { expect, test } from 'vitest'
import { explainFixRows } from '../../src/report/fix-words.ts'
import { renderHtml } from '../../src/report/report-html.ts'
import { renderSummary } from '../../src/report/summary-markdown.ts'
import { sampleSubject } from '../score/sample-run.ts'
import { readPage } from './html-page.ts'
import { sampleReport } from './sample-report.ts'

test('what a row with a second turn counts is explained once, at the rows', async () => {
  const subjects = [sampleSubject('m+fix1', { model: 'm', harness: 'vox-harness+fix1', hasFixTurn: true })]
  const report = await sampleReport({ fixtures: 2, subjects })
  const words = explainFixRows(report.rows) ?? 'none'
  for (const text of [readPage(renderHtml(report)).text, renderSummary(report)]) {
    expect(text.split(words)).toHaveLength(2)
    expect(text.indexOf(words)).toBeLessThan(text.lastIndexOf('What diagnostics mend'))
  }
})
