import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderHtml } from '../../src/report/report-html.ts'
import { renderSummary } from '../../src/report/summary-markdown.ts'
import { anySweep } from '../score/any-run.ts'
import { FAILURES, FOLDER_SUBJECT, judged, sampleSubject } from '../score/sample-run.ts'
import { readPage } from './html-page.ts'
import { HOSTILE, makeHostile, sampleReport } from './sample-report.ts'

test('the policy of the page allows its own style sheet and nothing else', async () => {
  const page = renderHtml(await sampleReport({ fixtures: 2 }))
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  )
  expect(style).not.toMatch(/url\(|@import/)
})

test('the page loads nothing, runs nothing and links nowhere but into itself', async () => {
  const { tags } = readPage(renderHtml(makeHostile(await sampleReport({ fixtures: 6 }))))
  const names = new Set(tags.map(({ name }) => name))
  for (const name of ['script', 'img', 'iframe', 'link', 'object', 'embed', 'form', 'base', 'use', 'image'])
    expect(names).not.toContain(name)
  for (const { attributes } of tags) {
    for (const [name, value] of attributes) {
      expect(name).not.toMatch(/^on|^style$|^src/)
      if (name === 'href') expect(value).toMatch(/^#[a-z0-9]+$/)
    }
  }
})

test('hostile text in every field stays text', async () => {
  const report = makeHostile(await sampleReport({ fixtures: 12, samples: 2, k: [1, 2] }))
  const { text } = readPage(renderHtml(report))
  const visible = HOSTILE.slice(0, HOSTILE.indexOf('\n'))
  // Each prompt, answer, program and label, at the least.
  expect(text.split(visible).length).toBeGreaterThan(report.attempts.length * 3)
})

test('every link leads to exactly one place, and every attempt and prompt is one', async () => {
  const report = await sampleReport({ fixtures: 5, samples: 2, k: [1] })
  const { tags } = readPage(renderHtml(report))
  const ids = tags.flatMap(({ attributes }) => attributes.get('id') ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  for (const { attributes } of tags) {
    const href = attributes.get('href')
    if (href !== undefined) expect(ids).toContain(href.slice(1))
  }
  expect(ids.filter((id) => /^a\d+$/.test(id))).toHaveLength(report.attempts.length)
  expect(ids.filter((id) => /^p\d+$/.test(id))).toHaveLength(report.plan.prompts.length)
})

test('whatever happened, the page is well formed and tells the power statement', async () => {
  await fc.assert(
    fc.asyncProperty(anySweep, async (options) => {
      const report = await sampleReport(options)
      const { text } = readPage(renderHtml(report))
      for (const { text: caveat } of report.caveat.slice(0, 2)) expect(text).toContain(caveat)
    }),
    { numRuns: 25 },
  )
})

test('a diagnostic stands behind the line it is about', async () => {
  const code = 'fn solve(count: int) to str {\n    let xs = 1\n    return xs && 2\n}'
  const verdict = {
    kind: 'check-failed',
    class: 'parse',
    diagnostics: [{ severity: 'error' as const, code: null, message: 'use `and`', line: 3, column: 15 }],
  } as const
  const page = renderHtml(
    await sampleReport({
      fixtures: 1,
      conditions: ['C0'],
      subjects: [sampleSubject('model')],
      outcome: () => ({
        ...judged(verdict as never),
        verification: {
          verdict: { ...verdict, diagnostics: [...verdict.diagnostics] },
          candidate: code,
          rule: null,
          notes: [],
        },
      }),
    }),
  )
  const { text } = readPage(page)
  const at = text.indexOf('return xs && 2')
  expect(at).toBeGreaterThan(0)
  expect(text.slice(at)).toMatch(/^return xs && 2\s+↑ error \(line 3\): use `and`/)
})

test('diagnostics at impossible places neither crash nor vanish', async () => {
  const places = [0, -5, 1e9, 2.5, Number.MAX_VALUE]
  const diagnostics = places.map((place, index) => ({
    severity: 'error' as const,
    code: null,
    message: `message ${index}`,
    line: place,
    column: place,
  }))
  const candidate = ['first', 'second', 'third'].map((word) => `// the ${word} line\n`).join('')
  const outcome = judged({ kind: 'check-failed', class: 'parse', diagnostics })
  const { text } = readPage(
    renderHtml(
      await sampleReport({
        fixtures: 1,
        conditions: ['C0'],
        subjects: [sampleSubject('model')],
        outcome: () => ({ ...outcome, verification: { ...outcome.verification!, candidate } }),
      }),
    ),
  )
  for (const index of places.keys()) expect(text).toContain(`message ${index}`)
  const inOrder = ['the first line', 'message 0', 'the second line', 'message 3', 'the third line', 'message 2']
  expect(inOrder.map((words) => text.split(words).length)).toEqual(inOrder.map(() => 2))
  expect(inOrder.map((words) => text.indexOf(words))).toEqual(
    inOrder.map((words) => text.indexOf(words)).toSorted((a, b) => a - b),
  )
})

test('each verdict is told in words, not by colour alone', async () => {
  const { text } = readPage(
    renderHtml(await sampleReport({ fixtures: FAILURES.length, outcome: ({ fixture }) => judged(FAILURES[fixture]!) })),
  )
  for (const words of ['option_misuse', 'wrong answer', 'fresh inputs', 'policy: import', 'budget: steps'])
    expect(text).toContain(words)
})

test('a shared prompt part stands in the page once', async () => {
  const report = await sampleReport({ fixtures: 20 })
  const page = renderHtml(report)
  for (const { text } of report.plan.conditions.filter(({ tokens }) => tokens > 0)) {
    const [, marked = ''] = text.split('\n\n')
    expect(page.split(marked)).toHaveLength(2)
  }
})

test('a withheld row shows no rate, but what it could have been', async () => {
  const report = await sampleReport({
    fixtures: 4,
    conditions: ['C0'],
    subjects: [sampleSubject('model')],
    outcome: ({ fixture }) =>
      fixture === 0
        ? { completion: { kind: 'infra-error', class: 'rate', message: 'slow down', requests: 3 }, verification: null }
        : judged({ kind: 'passed' }),
  })
  const { text } = readPage(renderHtml(report))
  expect(text).toContain('withheld')
  expect(text).toContain('75 % if they failed, 100 % if they passed')
  expect(text).toContain('1 infra error (rate)')
})

test('6,000 attempts make a page of bearable size', async () => {
  const report = await sampleReport({
    fixtures: 40,
    samples: 25,
    k: [1, 10],
    conditions: ['C0', 'C1'],
    subjects: [sampleSubject('a'), sampleSubject('b'), sampleSubject('c')],
  })
  expect(report.attempts.length).toBe(6000)
  const page = renderHtml(report)
  expect(page.length).toBeLessThan(20e6)
})

test('the help of answers from a folder is not known, and they are in no help curve', async () => {
  const report = await sampleReport({ fixtures: 3, subjects: [FOLDER_SUBJECT] })
  const { text } = readPage(renderHtml(report))
  expect(text).toContain('help not known')
  expect(text).not.toContain('What help buys')
  const summary = renderSummary(report)
  expect(summary).toContain('C1, help&nbsp;not&nbsp;known')
  expect(summary).not.toContain('### What help buys')
})

test('a column that is unknown in every row is told once instead', async () => {
  const unknown = sampleSubject('model', { price: null, cutoff: { date: null, source: 'not declared' } })
  const { text } = readPage(
    renderHtml(
      await sampleReport({
        fixtures: 2,
        subjects: [unknown],
        outcome: () => judged({ kind: 'truncated' }, { latencyMs: 900 }),
      }),
    ),
  )
  const rows = text.slice(text.indexOf('In the order of the plan'), text.indexOf('Where attempts end', 2000))
  expect(rows).toContain('Unknown for every row: the rate after the knowledge cutoff, tokens, cost.')
  expect(rows).toContain('900 ms')
  expect(rows).toContain('answers of at most 4,096 tokens')
  expect(rows).not.toContain('Tokensa pass')
})

test('each row and its range have the same number of decimals', async () => {
  const page = renderHtml(
    await sampleReport({
      fixtures: 40,
      subjects: [sampleSubject('model')],
      outcome: () => judged({ kind: 'timeout' }),
    }),
  )
  expect(page).toContain('<b>0.0 %</b> <span class="range">0.0–8.8 %</span>')
})

test('every cell of a table that stacks on a narrow screen names itself', async () => {
  const conditions = ['C0', 'C1', 'C1-strings']
  const page = renderHtml(await sampleReport({ fixtures: 20, samples: 2, k: [1, 2], conditions }))
  const tables = [...page.matchAll(/<table class="stacked[\s\S]*?<\/table>/g)].map(([table]) => table)
  // Rows, comparisons, lifts, ablations, funnel.
  expect(tables).toHaveLength(5)
  for (const table of tables) {
    const cells = table.match(/<td[^>]*>/g) ?? []
    expect(cells.length).toBeGreaterThan(6)
    for (const cell of cells) expect(cell).toMatch(/ data-label="[^"]+"/)
  }
})

test('the failures that occur are explained, and no others', async () => {
  const page = renderHtml(
    await sampleReport({
      fixtures: 2,
      outcome: () => judged({ kind: 'runtime-error', class: 'runtime_match', detail: 'x' }),
    }),
  )
  expect(page).toContain('<dt>runtime-error runtime_match</dt><dd>no arm matched, or there was no value to unwrap</dd>')
  expect(page).not.toContain('<dt>truncated</dt>')
})
