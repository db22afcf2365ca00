import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTerminal } from '../../src/cli/terminal.ts'
import { Screen } from './screen.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A terminal whose two streams end on one screen, as usual. */
function stand(columns = 40, rows = 10, env: NodeJS.ProcessEnv = {}) {
  const screen = new Screen(columns, rows)
  const stream = screen as unknown as NodeJS.WriteStream
  return { screen, terminal: createTerminal(stream, stream, env) }
}

/** Until whatever was put off is drawn. */
const settle = () => vi.advanceTimersByTime(1000)

test('live lines are replaced in place, fewer and more of them', () => {
  const { screen, terminal } = stand()
  terminal.note('before')
  for (const lines of [['one', 'two', 'three'], ['four'], ['five', 'six']]) {
    terminal.live(() => lines)
    settle()
    expect(screen.shown).toEqual(['before', ...lines])
  }
})

test('what is written goes above the live lines, and they leave nothing behind', () => {
  const { screen, terminal } = stand()
  terminal.live(() => ['one', 'two'])
  terminal.note('noted')
  terminal.out('said')
  expect(screen.shown).toEqual(['noted', 'said', 'one', 'two'])
  terminal.live(null)
  expect(screen.shown).toEqual(['noted', 'said', ''])
})

test('a burst of changes is drawn once at once, and its last one soon after', () => {
  const { screen, terminal } = stand()
  for (let count = 0; count <= 500; count++) terminal.live(() => [`count ${count}`])
  expect(screen.writes).toBe(1)
  vi.advanceTimersByTime(100)
  expect(screen.writes).toBe(2)
  expect(screen.shown).toEqual(['count 500'])
})

test('a burst that lasts is drawn at most ten times a second', () => {
  const { screen, terminal } = stand()
  for (let ms = 0; ms < 3000; ms++) {
    terminal.live(() => [`after ${ms} ms`])
    vi.advanceTimersByTime(1)
  }
  expect(screen.writes).toBeGreaterThan(20)
  expect(screen.writes).toBeLessThanOrEqual(31)
})

test('nothing is drawn after the live lines were removed', () => {
  const { screen, terminal } = stand()
  terminal.live('one')
  terminal.live('two')
  terminal.live(null)
  settle()
  expect(screen.shown).toEqual([''])
})

test('a resize draws the view anew for the new size', () => {
  const { screen, terminal } = stand(40, 10)
  terminal.note('before')
  terminal.live(({ columns, rows }) => [`${columns} columns`, `${rows} rows`, 'x'.repeat(columns * 2)])
  screen.resize(20, 6)
  settle()
  expect(screen.shown).toEqual(['before', '20 columns', '6 rows', 'x'.repeat(19)])
})

test('lines that are too wide for a terminal that has just become narrower leave nothing behind', () => {
  const { screen, terminal } = stand(40, 10)
  terminal.note('before')
  terminal.live(({ columns }) => ['a'.repeat(columns), 'b'.repeat(columns)])
  screen.resize(15, 10, false)
  for (let time = 0; time < 3; time++) {
    terminal.live(({ columns }) => ['a'.repeat(columns), 'b'.repeat(columns)])
    settle()
  }
  screen.resize(15, 10)
  settle()
  expect(screen.shown).toEqual(['before', 'a'.repeat(14), 'b'.repeat(14)])
})

test('a wide character at the edge is left out whole', () => {
  const { screen, terminal } = stand(10, 5)
  terminal.live(() => ['日本語日本語', 'ｘ日本語日本語'])
  expect(screen.shown).toEqual(['日本語日', 'ｘ日本語'])
})

test('more lines than the terminal has never scroll', () => {
  const { screen, terminal } = stand(20, 5)
  terminal.note('before')
  for (let time = 0; time < 5; time++) {
    terminal.live(() => Array.from({ length: 50 }, (_, line) => `line ${line}`))
    settle()
  }
  expect(screen.shown).toEqual(['before', 'line 0', 'line 1', 'line 2', 'line 3'])
  expect(screen.scrolled).toEqual([])
})

test.each([{ CI: 'true' }, { TERM: 'dumb' }])('nothing is live where no one watches: %o', (env) => {
  const { screen, terminal } = stand(40, 10, env)
  terminal.live('one')
  terminal.note('noted')
  settle()
  expect([terminal.isInteractive, screen.shown]).toEqual([false, ['noted', '']])
})

test('whatever is written and shown, and however wide the terminal becomes, notes stand above the newest view', () => {
  const word = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'b', '日', '🙂', 'é') })
  const act = fc.oneof(
    fc.record({ kind: fc.constant('note' as const), text: word }),
    fc.record({ kind: fc.constant('live' as const), lines: fc.array(word, { maxLength: 5 }) }),
    fc.record({ kind: fc.constant('resize' as const), columns: fc.integer({ min: 20, max: 60 }) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 150 }) }),
  )
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      const { screen, terminal } = stand(30, 100)
      const notes: string[] = []
      let lines: readonly string[] = []
      for (const each of acts) {
        if (each.kind === 'note') {
          notes.push(each.text)
          terminal.note(each.text)
        } else if (each.kind === 'live') {
          lines = each.lines
          terminal.live(() => each.lines)
        } else if (each.kind === 'resize') screen.resize(each.columns, 100)
        else vi.advanceTimersByTime(each.ms)
      }
      settle()
      expect(screen.shown).toEqual([...notes, ...(lines.length === 0 ? [''] : lines)])
      terminal.live(null)
    }),
  )
})
