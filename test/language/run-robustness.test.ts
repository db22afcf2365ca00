import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lex } from '../../src/language/lexer.ts'
import { observe } from './run-program.ts'

const sources: readonly string[] = ['programs', 'random'].flatMap((table) => {
  const lines = readFileSync(new URL(`../conformance/${table}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line).source)
})

const SMALL = { steps: 20_000, depth: 100, memoryBytes: 4 * 2 ** 20 }
const WORDS = [
  ...'return break continue match if else for while loop let mut fn None Some Ok Err null not and or is isnt'.split(
    ' ',
  ),
  ...'print assert len str range abs max sorted chr fs std json process constructor __proto__'.split(' '),
  ...'+ - * / % == < ( ) [ ] { } , . ? |> => = += : 0 1 9223372036854775807 1.5 "a" "{x}"'.split(' '),
  ...'push pop map fold insert unwrap slice join chars reversed get'.split(' '),
]

/** A program with some tokens dropped, doubled, swapped or replaced. */
const mutant = fc
  .tuple(
    fc.constantFrom(...sources),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...WORDS)), { minLength: 1, maxLength: 4 }),
  )
  .map(([source, edits]) => {
    const texts = lex(source).map((token) => token.text)
    for (const [place, kind, word] of edits) {
      const at = place % Math.max(1, texts.length)
      const text = texts[at] ?? ''
      if (kind === 0) texts.splice(at, 1)
      else if (kind === 1) texts.splice(at, 0, text)
      else if (kind === 2) texts.splice(at, 2, texts[at + 1] ?? '', text)
      else texts[at] = word
    }
    return texts.join(' ')
  })

test('no program makes the interpreter throw, and every run can be had again', () => {
  fc.assert(
    fc.property(mutant, (source) => {
      const first = observe(source, SMALL)
      expect(observe(source, SMALL)).toEqual(first)
      if (first.result.kind === 'exited') {
        expect([0, 1, 77, 78, 79, 101].includes(first.result.exit) || source.includes('exit')).toBe(true)
        expect(first.result.steps).toBeLessThanOrEqual(SMALL.steps)
      }
    }),
    { numRuns: 800 },
  )
})

/** Any expression over names and values of every kind; most are wrong in kind, none may be more than that. */
const { expression } = fc.letrec<{ expression: string; leaf: string }>((tie) => ({
  leaf: fc.constantFrom(
    ...[
      '0',
      '-1',
      '9223372036854775807',
      '1.5',
      '"aé🙂"',
      '""',
      'true',
      'null',
      'None',
      'Red',
      '[]',
      '{}',
      'xs',
      'm',
      's',
      'f',
      'o',
      'undefined_name',
    ],
  ),
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    tie('leaf'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', 'isnt', '<', '>=', 'and', 'or', '|>'),
        tie('expression'),
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc.tuple(fc.constantFrom('not ', '-'), tie('expression')).map(([operator, a]) => `(${operator}${a})`),
    fc.array(tie('expression'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}, ${b})`),
    tie('expression').map((a) => `{a: ${a}, "b c": 1}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a})[${b}]`),
    fc
      .tuple(
        fc.constantFrom(
          'Some',
          'Ok',
          'Error',
          'Box',
          'f',
          'print',
          'len',
          'int',
          'float',
          'max',
          'sum',
          'range',
          'chr',
          'sorted',
        ),
        tie('expression'),
      )
      .map(([name, a]) => `${name}(${a})`),
    tie('expression').map((a) => `((${a})?)`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `(if ${a} { ${b} } else { ${c} })`),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([a, b]) => `(match ${a} { Some(v) => v None => ${b} 1 => 2 Box(p, q) => p _ => ${b} })`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(for v in ${a} { if ${b} { break } v })`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom(
          ...'len push pop get first contains index extend remove_at zip slice_list join sorted sum max flatten map filter fold any sorted_by'.split(
            ' ',
          ),
          ...'split replace count slice char_at index_of repeat to_int ord trim insert get_or keys entries update unwrap unwrap_or expect is_some ok'.split(
            ' ',
          ),
        ),
        fc.array(fc.oneof(tie('expression'), fc.constantFrom('fn(x) x', 'fn(x, y) x + y', '(x => [x])')), {
          maxLength: 2,
        }),
      )
      .map(([receiver, method, args]) => `(${receiver}).${method}(${args.join(', ')})`),
  ),
}))

test('no mixture of kinds makes the interpreter throw', () => {
  const prelude = 'type T = | Red | Box(w: int, h: int)\nfn f(x) { return x }\n'
  const names = 'let mut xs = [3, 1]\nlet mut m = {a: 1}\nlet s = "text"\nlet o = Some([1])\n'
  fc.assert(
    fc.property(expression, expression, (a, b) => {
      const source = `${prelude}fn main() {\n${names}let v = ${a}\nprint(v)\nxs[${b}] = v\nprint(v == ${b}, str(v), xs, m) }`
      expect(['exited', 'unsupported']).toContain(observe(source, SMALL).result.kind)
    }),
    { numRuns: 800 },
  )
})

test.each([
  ['a chain of operators', `fn main() { print(${'1 + '.repeat(5000)}1) }`],
  ['else-ifs', `fn main() { ${'if false { } else '.repeat(3000)}{ print(1) } }`],
  ['unary operators', `fn main() { print(${'- '.repeat(5000)}1) }`],
  ['lambdas', `fn main() { let f = ${'fn(x) '.repeat(3000)}1\n print(1) }`],
  ['methods', `fn main() { print([1]${'.reversed()'.repeat(5000)}) }`],
  ['a nested value in a text', 'fn main() { let mut xs = [1]\n for i in range(20000) { xs = [xs] }\n print(xs) }'],
  [
    'a nested value compared',
    'fn main() { let mut a = Some(1)\n let mut b = Some(1)\n for i in range(20000) { a = Some(a) b = Some(b) }\n print(a == b) }',
  ],
])('too deep a nesting of %s is refused or runs, and never overflows', (_what, source) => {
  expect(['exited', 'unsupported']).toContain(observe(source).result.kind)
})

test('calls nested in their own arguments compile once', () => {
  const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`
  const source = `fn g(f, xs) { ${nested(40, 'f(', ')')}\n ${nested(40, 'xs.push(', ')')}\n return 1 }
fn main() { let m = {}\n g(fn(x) x, [])\n ${nested(30, 'm.insert("a", fn() ', ')')}
 print(1) }`
  const startedAt = performance.now()
  expect(observe(source).result).toMatchObject({ exit: 0 })
  expect(performance.now() - startedAt).toBeLessThan(2000)
})
