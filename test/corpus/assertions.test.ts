import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTests, splitTests } from '../../src/corpus/assertions.ts'

const PRELUDE = `// training_eligible: false
fn quote(s: str) to str {
    return "}" + '"' + s  # a brace } and a "quote
}

`

function withMain(...lines: string[]): string {
  return `${PRELUDE}fn main() to str {\n${lines.map((line) => `    ${line}\n`).join('')}    return "ok"\n}\n`
}

test('the parts of a tests file', () => {
  const text = withMain('assert(quote("a") == "b")', 'assert(quote("") == "")  // edge')
  const { source, prelude, main, assertions } = splitTests(text)

  expect(source).toBe(text)
  expect(prelude).toBe(PRELUDE)
  expect(main.text).toBe(text.slice(PRELUDE.length, -1))
  expect(source.slice(main.returnedSpan.start, main.returnedSpan.end)).toBe('"ok"')
  expect(assertions.map(({ call, callee, expected }) => [call, callee, expected])).toEqual([
    ['quote("a")', 'quote', '"b"'],
    ['quote("")', 'quote', '""'],
  ])
  for (const { span, callSpan, expectedSpan, call, expected } of assertions) {
    expect(source.slice(span.start, span.end)).toBe(`assert(${call} == ${expected})`)
    expect(source.slice(callSpan.start, callSpan.end)).toBe(call)
    expect(source.slice(expectedSpan.start, expectedSpan.end)).toBe(expected)
  }
})

test('brackets, quotes and comparisons within strings and comments mislead nobody', () => {
  const lines = [
    `assert(quote("a) == (b") == ")")`,
    `assert(quote('it"s {x}') == '{"')`,
    `assert(quote(r#"raw " ) } "#) == r"\\")`,
    `assert(quote("\\"") == '\\'')  # assert(quote("x") == "y")`,
    '// return "no" }',
    'assert(quote(',
    '    "over lines"',
    ') == "x")',
  ]
  expect(splitTests(withMain(...lines)).assertions.map(({ expected }) => expected)).toEqual([
    '")"',
    `'{"'`,
    'r"\\"',
    `'\\''`,
    '"x"',
  ])
})

test('spans count in the normalised text', () => {
  const text = `\uFEFF${withMain('assert(quote("ä🙂") == "🙂")').replaceAll('\n', '\r\n')}`
  const { source, assertions, main } = splitTests(text)

  expect(source).not.toContain('\r')
  expect(source.slice(assertions[0]?.expectedSpan.start, assertions[0]?.expectedSpan.end)).toBe('"🙂"')
  expect(main.text.startsWith('fn main')).toBe(true)
})

test('a nested fn main is none of the tests’', () => {
  const text = `fn f(n: int) to int {\n    fn main() to str { return "x" }\n    return n\n}\nfn main() to str {\n    assert(f(1) == 1)\n    return "ok"\n}\n`
  expect(splitTests(text).assertions).toHaveLength(1)
})

test.for([
  [
    'text before main on its line',
    'fn f(n: int) to int { return n } fn main() to str { assert(f(1) == 1) return "ok" }',
  ],
  ['a decorated main', '@test fn main() to str {\n assert(f(1) == 1)\n return "ok"\n}'],
  ['a main with parameters', 'fn main(n: int) to str {\n assert(f(1) == 1)\n return "ok"\n}'],
  ['a main of another type', 'fn main() to int {\n assert(f(1) == 1)\n return "ok"\n}'],
  ['an unclosed main', 'fn main() to str {\n assert(f(1) == 1)\n return "ok"\n'],
  ['a statement behind return', 'fn main() to str {\n assert(f(1) == 1)\n return "ok"\n assert(f(2) == 2)\n}'],
  ['no return', 'fn main() to str {\n assert(f(1) == 1)\n}'],
  ['the literal first', withMain('assert(1 == f(1))')],
  ['a negated call', withMain('assert(not f(1) == true)')],
  ['a method on the call', withMain('assert(f(1).len() == 2)')],
  ['nothing to compare with', withMain('assert(f(1) ==)')],
  ['an unterminated string', withMain('assert(f("1) == 2)')],
] as const)('%s is malformed', ([, text]) => {
  expect(parseTests(text).kind).toBe('malformed')
})

test('each malformed statement is told with its line', () => {
  const text = withMain('assert(f(1))', 'assert(f(1) == 1)', 'let x = 3', 'print(x)')
  expect(parseTests(text)).toEqual({
    kind: 'malformed',
    problems: [7, 9, 10].map(
      (line) => `line ${line}: main may only hold \`assert(call == literal)\` statements and \`return "ok"\``,
    ),
  })
})

test('any text is taken apart or refused, never thrown at', () => {
  const pieces = fc.constantFrom(
    'fn main() to str {',
    'assert(',
    'f(1)',
    ' == ',
    '1',
    ')',
    '\n',
    'return "ok"',
    '}',
    '"',
    "'",
    '{',
    '#',
    '//',
    'r"',
    '\\',
    '@test ',
    'é',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(pieces).map((parts) => parts.join('')),
      ),
      (text) => {
        const result = parseTests(text)
        if (result.kind === 'parsed') expect(result.tests.assertions.length).toBeGreaterThan(0)
        else expect(result.problems.length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 2000 },
  )
})
