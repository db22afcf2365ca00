import { describe, expect, it } from 'vitest'
import { parse } from '../../src/language/parser/parser.ts'
import { parseErrors } from './parser-fixture.ts'

describe('grouping parentheses', () => {
  it('are taken up to 4096 deep', () => {
    expect(parse(`${'('.repeat(4096)}1${')'.repeat(4096)}`).kind).toBe('parsed')
  })

  it('fail past that, as in Vox', () => {
    expect(parseErrors(`${'('.repeat(4097)}1${')'.repeat(4097)}`)).toEqual([
      'expression nesting exceeds the parser limit',
    ])
  })
})

describe('the count of open parentheses', () => {
  it('goes down where they close', () => {
    expect(parse('(1)\n'.repeat(5000)).kind).toBe('parsed')
  })

  it('starts anew behind an error, at top level and in a block', () => {
    const lines = '((((((((((a b\n'.repeat(900)
    for (const source of [lines, `fn f() {\n${lines}}`]) {
      expect(new Set(parseErrors(source))).toEqual(new Set(['Expected ), found b']))
    }
  })
})

describe('other nesting past what a recursive walk can carry', () => {
  it.each([
    ['blocks', '{ let a = '],
    ['lists', '['],
    ['calls', 'f('],
    ['objects', '{a: '],
    ['lambdas', 'x => '],
    ['conditions', 'if a { '],
    ['loops', 'for x in '],
    ['views', 'b() { '],
    ['parentheses with operands', '(1 + '],
  ])('is declined: %s', (_, opening) => {
    expect(parse(opening.repeat(100_000))).toMatchObject({ kind: 'unsupported', reason: 'nesting too deep' })
  })

  it.each([
    ['operators', 'x', ' + x'],
    ['methods', 'x', '.a()'],
    ['question marks', 'x', '?'],
    ['else branches', 'if a { }', ' else if a { }'],
    ['pipes', 'x', ' |> f'],
  ])('is declined: a chain of %s', (_, first, rest) => {
    expect(parse(first + rest.repeat(100_000))).toMatchObject({ kind: 'unsupported', reason: 'nesting too deep' })
  })

  it.each([
    ['prefix operators', `${'not '.repeat(100_000)}x`],
    ['types', `let x: ${'a['.repeat(100_000)}`],
    ['patterns', `let ${'('.repeat(100_000)}`],
  ])('is declined: %s', (_, source) => {
    expect(parse(source)).toMatchObject({ kind: 'unsupported', reason: 'nesting too deep' })
  })

  it('does not concern chains and blocks of a usual size', () => {
    expect(parse(`x${' + x'.repeat(400)}`).kind).toBe('parsed')
    expect(parse(`fn f() { ${'if a { '.repeat(100)}${'}'.repeat(100)} }`).kind).toBe('parsed')
  })
})

describe('size', () => {
  // Around a second each; quadratic behaviour would take many minutes.
  it.each([
    ['statements', `fn main() {\n${'    let x = foo(1, "a").bar[2] + 3 * y\n'.repeat(60_000)}}\n`, 'parsed'],
    ['functions', 'fn f(a: int) to int { return a + 1 }\n'.repeat(60_000), 'parsed'],
    ['broken lines', ')\n'.repeat(500_000), 'failed'],
    ['broken declarations', 'fn '.repeat(500_000), 'failed'],
    ['unterminated quotes', '"'.repeat(1_000_001), 'failed'],
    ['view calls before blank lines', `b()${'\n'.repeat(10)}`.repeat(100_000), 'parsed'],
    ['holes', `"${'{a}'.repeat(300_000)}"`, 'parsed'],
  ])('is no trouble: %s', (_, source, kind) => {
    expect(parse(source).kind).toBe(kind)
  })

  it('reports unknown characters up to a cap, with one closing remark', () => {
    const errors = parseErrors('^\n'.repeat(100_000))
    expect(errors).toHaveLength(21)
    expect(errors.at(-1)).toMatch(/^Too many unknown characters/)
  })

  it('stops after a thousand errors', () => {
    expect(parseErrors(')\n'.repeat(5000))).toHaveLength(1000)
  })
})
