import { describe, expect, test } from 'vitest'
import { terminalSummary } from '../../src/cli/terminal-summary.ts'
import type { Subject } from '../../src/generate/plan.ts'
import { listFacts } from '../../src/report/facts.ts'
import { headlineOf } from '../../src/report/headline.ts'
import { renderHtml } from '../../src/report/report-html.ts'
import { renderSummary } from '../../src/report/summary-markdown.ts'
import { listTrainingData, trainingDataCaveats } from '../../src/report/training-words.ts'
import { samplePlan, sampleSubject } from '../score/sample-run.ts'
import { sampleTrainingData } from '../score/sample-training-data.ts'
import { readPage } from './html-page.ts'
import { sampleReport } from './sample-report.ts'

const mens = (trainingData: Subject['trainingData']) =>
  sampleSubject('mens/demo@final', { model: 'mens/demo', trainingData })
const planOf = (...subjects: Subject[]) => samplePlan({ fixtures: 2, subjects })
const textOf = (trainingData: Subject['trainingData']) => trainingDataCaveats(planOf(mens(trainingData)))[0]?.text

test('clean data is told with what was searched, and with what clean does not mean', () => {
  expect(textOf(sampleTrainingData())).toBe(
    'Training data of mens/demo@final, as the file that was given says: searched on 2026-11-30 (12 files, 1.2 MiB, hash dddddddddddd); no canary, no overlap. That is about copies in this data: it does not see a paraphrase, a translation, or what a model it began from was trained on.',
  )
})

test('touched problems are named and never clean', () => {
  const touched = [
    { id: '003', share: 0.5, longestRun: 90 },
    { id: '017', share: 0.01, longestRun: 26 },
  ]
  const text = textOf(sampleTrainingData({ kind: 'overlap', touched }))
  expect(text).toContain('overlap with problems 003 (50 %), 017 (1 %): not clean')
  expect(text).toContain('These problems count as contaminated, whatever the cutoff says.')
})

test('of many touched problems the first are named and the others counted', () => {
  const touched = Array.from({ length: 25 }, (_, at) => ({ id: `${100 + at}`, share: 1, longestRun: 50 }))
  expect(textOf(sampleTrainingData({ kind: 'overlap', touched }))).toMatch(/, 119 \(100 %\) and 5 more: not clean/)
})

test('a canary makes every problem suspect', () => {
  const text = textOf(sampleTrainingData({ kind: 'canary', canaries: { searched: 1, hits: 2 } }))
  expect(text).toContain('a canary at 2 places: not clean')
  expect(text).toContain('none counts as uncontaminated')
})

test('what could not be searched is told', () => {
  const unsearched = { files: 3, fixtures: ['002'] }
  const text = textOf(sampleTrainingData({ kind: 'incomplete', unsearched }))
  expect(text).toContain('3 files not searched in full, 1 problem without text of its own to search for')
  expect(text).toContain('does not read as clean')
})

test('a corpus without a canary is told', () => {
  expect(textOf(sampleTrainingData({ canaries: { searched: 0, hits: 0 } }))).toContain('no canary to search for')
})

test('a MENS model without a search is told as not checked, another model needs no word', () => {
  expect(textOf(null)).toMatch(/^The training data of mens\/demo@final was not checked/)
  expect(listTrainingData(planOf(mens(null)))).toEqual(['mens/demo@final: not checked'])
  const other = planOf(sampleSubject('vendor/model'))
  expect([trainingDataCaveats(other), listTrainingData(other)]).toEqual([[], []])
})

test('the report has it as a fact and as a caveat', async () => {
  const report = await sampleReport({ fixtures: 1, subjects: [mens(sampleTrainingData())] })
  expect(new Map(listFacts(report)).get('Training data')).toMatch(/^mens\/demo@final: searched on 2026-11-30 /)
  expect(report.caveat.map(({ id }) => id)).toContain('training-data')
})

test('problems that training data touched do not read as added before the cutoff', async () => {
  const touched = [{ id: '001', share: 1, longestRun: 50 }]
  const { caveat } = await sampleReport({
    fixtures: 2,
    subjects: [mens(sampleTrainingData({ kind: 'overlap', touched }))],
  })
  expect(caveat.map(({ id }) => id)).not.toContain('cutoff')
})

test('subjects whose data nobody searched share one sentence', () => {
  const unchecked = ['1', '2'].map((label) => sampleSubject(`mens/demo@${label}`, { model: 'mens/demo' }))
  const caveats = trainingDataCaveats(planOf(...unchecked, sampleSubject('vendor/model'), mens(sampleTrainingData())))
  expect(caveats.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Training data of mens\/demo@final, /),
    'The training data of 2 subjects was not checked (mens/demo@1, mens/demo@2): whether it holds these problems cannot be told.',
  ])
})

describe('a canary and touched problems', () => {
  const found = sampleTrainingData({
    kind: 'canary',
    canaries: { searched: 1, hits: 2 },
    touched: [{ id: '001', share: 1, longestRun: 50 }],
  })
  const report = sampleReport({ fixtures: 2, subjects: [mens(found), sampleSubject('vendor/model')] })
  const words = 'holds a canary and text of 1 problem'

  test('are loud in the head of every output', async () => {
    expect(headlineOf(await report).loud).toContain(`training data of mens/demo@final ${words}`)
  })

  test('stand at the rows of that subject, and at no other', async () => {
    const { text } = readPage(renderHtml(await report))
    const rows = text.slice(text.indexOf('In the order of the plan'))
    expect(rows.split(`its training data ${words}`)).toHaveLength(2)
    expect(rows.indexOf(`its training data ${words}`)).toBeLessThan(rows.indexOf('vendor/model'))
    const summary = renderSummary(await report)
    expect(summary.split(`its training data ${words}`)).toHaveLength(2)
    expect(summary).toMatch(/^- \*\*mens\/demo.*final: its training data holds/m)
  })

  test('are a line of the terminal', async () => {
    expect(terminalSummary(await report)).toContain(`\nnot clean: training data of mens/demo@final ${words}\n`)
  })

  test('of many subjects are counted in the head', async () => {
    const subjects = Array.from({ length: 5 }, (_, at) => sampleSubject(`mens/${at}`, { trainingData: found }))
    const labels = headlineOf(await sampleReport({ fixtures: 1, subjects })).loud.filter((label) =>
      label.startsWith('training data'),
    )
    expect(labels).toHaveLength(4)
    expect(labels.at(-1)).toBe('training data of 2 more subjects touched')
  })
})

test('clean and unsearched data are no label, note or line', async () => {
  const report = await sampleReport({ fixtures: 1, subjects: [mens(sampleTrainingData()), sampleSubject('mens/x')] })
  expect(headlineOf(report).labels.join()).not.toContain('training data')
  expect(renderSummary(report)).not.toContain('its training data')
  expect(terminalSummary(report)).not.toContain('training data')
})
