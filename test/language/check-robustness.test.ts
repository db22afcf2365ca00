import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block, Expr, Stmt } from '../../src/language/ast.ts'
import { check } from '../../src/language/check.ts'
import { checkModule } from '../../src/language/checker/module.ts'

const SOURCES: readonly string[] = ['programs', 'random', 'mutants'].flatMap((table) =>
  readFileSync(new URL(`../conformance/${table}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).source),
)
const WORDS = SOURCES.slice(0, 400).flatMap((source) => source.match(/\w+|[^\w\s]+|\s+/g) ?? [])

/** A known program with a few of its words replaced, dropped or doubled by words of other programs. */
const mangled = fc
  .tuple(
    fc.constantFrom(...SOURCES),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('drop', 'double', 'replace'), fc.constantFrom(...WORDS)), {
      maxLength: 6,
    }),
  )
  .map(([source, edits]) => {
    const words = source.match(/\w+|[^\w\s]+|\s+/g) ?? []
    for (const [seed, edit, word] of edits) {
      const at = seed % Math.max(words.length, 1)
      if (edit === 'drop') words.splice(at, 1)
      if (edit === 'double') words.splice(at, 0, words[at] ?? '')
      if (edit === 'replace') words.splice(at, 1, word)
    }
    return words.join('')
  })

test('no program makes the checker throw, and a verdict does not change by itself', () => {
  fc.assert(
    fc.property(mangled, (source) => {
      const checked = check(source)
      expect(['accepted', 'rejected', 'unsupported']).toContain(checked.kind)
      expect(check(source)).toEqual(checked)
    }),
    { numRuns: 800 },
  )
})

test('rejected means that there is an error, accepted that there is none', () => {
  fc.assert(
    fc.property(mangled, (source) => {
      const checked = check(source)
      if (checked.kind === 'unsupported') return
      const all = checked.kind === 'rejected' ? checked.diagnostics : checked.warnings
      expect(all.some((each) => each.severity === 'error')).toBe(checked.kind === 'rejected')
    }),
    { numRuns: 500 },
  )
})

test('an accepted program stays accepted beside an annotated function nobody calls', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SOURCES), (source) => {
      if (check(source).kind !== 'accepted') return
      const extended = `${source}\nfn zz_unused(a: int, b: list[str]) to str { return b.join(str(a)) }\n`
      expect(check(extended).kind).toBe('accepted')
    }),
    { numRuns: 300 },
  )
})

const span = { start: 0, end: 0 }
const leaf: Expr = { kind: 'int', value: 1n, span }
const block = (...body: Stmt[]): Block => ({ kind: 'block', body, span })
const statement = (value: Expr): Stmt => ({ kind: 'expr', value, span })

/** Ways to nest, deeper than any parser lets through. */
const NESTINGS: Readonly<Record<string, (inner: Expr) => Expr>> = {
  list: (inner) => ({ kind: 'list', items: [inner], span }),
  tuple: (inner) => ({ kind: 'tuple', items: [inner], span }),
  object: (inner) => ({ kind: 'object', fields: [{ key: 'a', value: inner }], span }),
  lambda: (inner) => ({ kind: 'lambda', params: [], result: null, body: inner, span }),
  block: (inner) => block(statement(inner)),
  while: (inner) => block({ kind: 'while', condition: leaf, body: block(statement(inner)), span }),
  match: (inner) => ({
    kind: 'match',
    subject: leaf,
    arms: [{ pattern: { kind: 'wildcard', span }, body: inner, span }],
    span,
  }),
  call: (inner) => ({
    kind: 'call',
    callee: { kind: 'name', name: 'str', span },
    args: [{ name: null, value: inner }],
    span,
  }),
  receiver: (inner) => ({ kind: 'method', receiver: inner, name: 'abs', args: [], span }),
  argument: (inner) => ({ kind: 'method', receiver: leaf, name: 'min', args: [{ name: null, value: inner }], span }),
  operand: (inner) => ({ kind: 'binary', operator: 'add', left: leaf, right: inner, span }),
  try: (inner) => ({ kind: 'try', operand: inner, span }),
  element: (inner) => ({ kind: 'element', name: 'row', args: [], children: block(statement(inner)), span }),
}

describe('nesting beyond the limit is unsupported, not an overflow', () => {
  test.each(Object.entries(NESTINGS))('%s', (_name, nest) => {
    let nested: Expr = leaf
    for (let depth = 0; depth < 20_000; depth++) nested = nest(nested)
    const { unsupported, inference } = checkModule({ items: [{ kind: 'statement', body: statement(nested), span }] })
    expect(unsupported !== null || inference.isExhausted).toBe(true)
  })
})

describe('work grows with the program, not with its types', () => {
  const lines = (count: number, line: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => line(at + 1)).join('\n')
  const timed = (body: string): { readonly kind: string; readonly elapsedMs: number } => {
    const start = performance.now()
    const { kind } = check(`fn main() {\n${body}\n}\n`)
    return { kind, elapsedMs: performance.now() - start }
  }
  // Each body would take exponential time if shared types were walked as trees.
  test.each([
    [
      'doubled tuples',
      `let a0 = (1, 2)\n${lines(2_000, (at) => `let a${at} = (a${at - 1}, a${at - 1})`)}\nlet z: int = a2000`,
    ],
    [
      'doubled options',
      `let p0 = None\n${lines(300, (at) => `let p${at} = Some((p${at - 1}, p${at - 1}))`)}\n[p300].contains(p300)`,
    ],
    [
      'lambdas that call twice',
      `let f0 = x => x\n${lines(1_000, (at) => `let f${at} = x => f${at - 1}(f${at - 1}(x))`)}`,
    ],
    ['assignments in the targets of assignments', `let mut xs = [1]\n${'xs[{ '.repeat(60)}1${' }] += 1'.repeat(60)}`],
    ['a list in a list in a list', `let a = ${'['.repeat(90)}nope${']'.repeat(90)}`],
    ['growing open types', `let a0 = []\n${lines(2_000, (at) => `let a${at} = [a${at - 1}]\nstr(a${at})`)}`],
  ])('%s', (_name, body) => {
    const { kind, elapsedMs } = timed(body)
    expect(['accepted', 'rejected', 'unsupported']).toContain(kind)
    expect(elapsedMs).toBeLessThan(10_000)
  })
})
