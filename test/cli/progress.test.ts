import { expect, test } from 'vitest'
import { createProgress } from '../../src/cli/progress.ts'
import { progressLines, type RunProgress } from '../../src/cli/progress-table.ts'
import type { LiveView, Terminal } from '../../src/cli/terminal.ts'
import { widthOf } from '../../src/cli/text-width.ts'
import type { Plan } from '../../src/generate/plan.ts'
import type { SweepEvent } from '../../src/sweep/run-sweep.ts'
import { answer, PREFLIGHT, samplePlan, sampleSubject } from '../score/sample-run.ts'

type AttemptEvent = Extract<SweepEvent, { kind: 'attempt' }>

/** Progress over a plan, at a time that the test sets. */
function stand(plan: Plan, isInteractive: boolean) {
  const notes: string[] = []
  let view: LiveView | string | null = null
  const clock = { ms: 0 }
  const terminal: Terminal = {
    isInteractive,
    out: (text) => notes.push(text),
    note: (text) => notes.push(text),
    live(next) {
      view = next
    },
  }
  const progress = createProgress(terminal, () => clock.ms)
  const attempts = plan.cells.length * plan.fixtures.length * plan.samples
  progress.show({ kind: 'planned', plan, shard: null, attempts, kept: 0, spentByCell: new Map(), spentUsd: 0 })
  progress.show({ kind: 'preflight', line: PREFLIGHT })
  notes.length = 0
  return {
    ...{ progress, notes, clock },
    attempt(changes: Partial<AttemptEvent> = {}) {
      const cell = plan.cells[0]?.id ?? ''
      const common = { cell, fixture: '001', sample: 0, isAsked: true, cellSpentUsd: 0, spentUsd: 0 }
      progress.show({ kind: 'attempt', verdict: { kind: 'passed' }, completions: [answer()], ...common, ...changes })
    },
    lines: (columns = 80, rows = 24) => (typeof view === 'function' ? view({ columns, rows }) : [view]),
  }
}

const one = samplePlan({ subjects: [sampleSubject('a/b')], conditions: ['C0'], fixtures: 40 })

test('on a terminal one row a cell tells done, passing, infra errors and spend', () => {
  const plan = samplePlan({ subjects: [sampleSubject('a/b')], conditions: ['C0', 'C1'], fixtures: 8 })
  const { progress, attempt, lines } = stand(plan, true)
  attempt({ cell: 'a/b C0', cellSpentUsd: 0.25, spentUsd: 0.25 })
  attempt({ cell: 'a/b C1', verdict: { kind: 'timeout' }, cellSpentUsd: 0.5, spentUsd: 0.75 })
  const failed = { kind: 'infra-error', class: 'rate', message: 'x', requests: 1 } as const
  attempt({ cell: 'a/b C1', verdict: null, completions: [failed], cellSpentUsd: 0.5, spentUsd: 0.75 })
  expect(lines().map((line) => line?.split(/ {2,}/))).toEqual([
    ['3 of 16 attempts, $0.75 of $2.00 spent'],
    ['', 'done', 'passing', 'infra errors', 'spent'],
    ['all rows', '3/16', '1/2', '1', '$0.75'],
    ['a/b C0', '1/8', '1/1', '0', '$0.25'],
    ['a/b C1', '2/8', '0/1', '1', '$0.50'],
  ])
  progress.end()
})

test('the estimate comes from what was really asked, and is for the whole', () => {
  const { progress, attempt, lines, clock } = stand(one, true)
  for (let kept = 0; kept < 10; kept++) attempt({ isAsked: false })
  expect(lines()[0]).toBe('10 of 40 attempts')
  for (let asked = 0; asked < 10; asked++) {
    clock.ms += 30_000
    attempt()
  }
  expect(lines()[0]).toBe('20 of 40 attempts, about 10 min left')
  progress.end()
})

test('a name that holds control characters cannot steer the terminal', () => {
  const { progress, attempt, lines } = stand(
    samplePlan({ subjects: [sampleSubject('a\u001b[2J\nb')], conditions: ['C0'] }),
    true,
  )
  attempt()
  expect(lines().join('')).not.toMatch(/[\u0000-\u001f]/)
  expect(lines().join('')).toContain('a\\u{1b}[2J\\nb C0')
  progress.end()
})

test('elsewhere a line comes at each tenth, with what is left and spent', () => {
  const { attempt, notes, clock } = stand(one, false)
  for (let done = 1; done <= 40; done++) {
    clock.ms += 1000
    attempt({ spentUsd: done / 100 })
  }
  expect(notes).toHaveLength(10)
  expect(notes[4]).toBe('20 of 40 attempts, under 1 min left, $0.20 of $2.00 spent, 20 passing')
  expect(notes[9]).toBe('40 of 40 attempts, $0.40 of $2.00 spent, 40 passing')
})

test('elsewhere news also come after half a minute, and no sooner', () => {
  const { attempt, notes, clock } = stand(samplePlan({ subjects: [sampleSubject('a/b')], fixtures: 40 }), false)
  const at: number[] = []
  for (let done = 1; done <= 11; done++) {
    clock.ms += 10_000
    attempt()
    if (notes.length > at.length) at.push(clock.ms)
  }
  expect(at).toEqual([30_000, 60_000, 90_000])
})

/** A run of so many cells. */
function runOf(cells: number, name = 'vendor/model C'): RunProgress {
  const cell = { planned: 40, done: 20, passed: 10, infraErrors: 1, notAttempted: 0, spentUsd: 0.1 }
  return {
    cells: Array.from({ length: cells }, (_, index) => ({ ...cell, name: `${name}${index}` })),
    ...{ spentUsd: cells / 10, capUsd: null, remainingMs: 200_000 },
  }
}

test('as many rows as the terminal is high, and how many more there are', () => {
  const lines = progressLines(runOf(12), { columns: 80, rows: 10 })
  expect(lines).toHaveLength(9)
  expect(lines.at(-2)).toContain('vendor/model C4')
  expect(lines.at(-1)).toBe('and 7 more rows')
  expect(progressLines(runOf(12), { columns: 80, rows: 16 }).at(-1)).toContain('vendor/model C11')
})

test.each([1, 2, 3, 4, 5, 6, 24])('a terminal of %i rows is never filled', (rows) => {
  for (const cells of [1, 2, 3, 30]) {
    expect(progressLines(runOf(cells), { columns: 80, rows }).length).toBeLessThanOrEqual(Math.max(1, rows - 1))
  }
})

test('names are shortened so that the numbers fit', () => {
  for (const name of [
    'vendor/a-model-with-a-very-long-name-that-goes-on-and-on-and-on C',
    '日本語の長い名前'.repeat(6),
  ]) {
    const lines = progressLines(runOf(3, name), { columns: 80, rows: 24 })
    expect(lines.slice(1).map(widthOf)).toEqual([79, 79, 79, 79, 79])
    expect(lines[3]).toMatch(/….*0 +20\/40 +10\/19 +1 +\$0\.10$/)
  }
})
