import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { applyPolicy } from '../../src/verify/policy.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ENTRY = { name: 'area', arity: 2 }
const GOOD = 'fn area(w: int, h: int) to int {\n    return w * h\n}\n'

function ruleOf(candidate: string): string {
  const result = applyPolicy(candidate, ENTRY)
  return result.kind === 'allowed' ? 'allowed' : `${result.kind} ${result.rule}`
}

test.each([
  [
    'its own helpers and types',
    `type P { x: int }\ntype S =\n    | A\n    | B(n: int)\n${GOOD}fn half(n: int) to int { return n / 2 }`,
  ],
  [
    'generics and defaults',
    `fn same<T>(x: T) to T { return x }\nfn area(w: int, h: int = {a: 1, b: [2, 3]}["a"].unwrap()) to int { return w }`,
  ],
  [
    'a function type in the header',
    `fn use(f: fn(int, int) to int) to fn(int) to int { return fn(x: int) x }\n${GOOD}`,
  ],
  [
    'a local with a namespace name',
    'fn area(time: int, h: int) to int {\n    let io = time\n    for env in [1] { print(env) }\n    match Some(io) { Some(fs) => print(fs) None => {} }\n    let f = http => http\n    return io * h\n}',
  ],
  [
    'a function with a namespace name',
    `fn process(n: int) to int { return n }\nfn area(w: int, h: int) to int { return process(w) * h }`,
  ],
  [
    'a field and a method with a namespace name',
    'type T { time: int }\nfn area(w: int, h: int) to int { let t = {time: w}\n return t.time * h }',
  ],
  ['a type and a variant of one name', `type Point = | Point(x: int, y: int)\n${GOOD}`],
  ['semicolons', `${GOOD.trim()};\n`],
  ['arrows', 'fn area(w: int, h: int) -> int { return w * h }'],
])('%s pass', (_, candidate) => {
  expect(ruleOf(candidate)).toBe('allowed')
})

test.each([
  ['unparsed unreadable', 'fn area(w: int, h: int) to int { return w & h }'],
  ['unparsed unreadable', 'fn area(w: int, h: int) to int { return 99999999999999999999 }'],
  ['unparsed unreadable', 'fn area(w: int, h: int) to int { return w'],
  ['unparsed top-level', 'fn area w: int { return w }'],
  ['violation top-level', `${GOOD}let k = 1`],
  ['violation left-over', `type A = int\n${GOOD}`],
  ['violation duplicate', `type A = | X\ntype B = | X\n${GOOD}`],
  ['violation duplicate', `type A { x: int }\ntype A = | X\n${GOOD}`],
  ['violation built-in-name', `type A = | None\n${GOOD}`],
  ['violation entry-missing', 'fn aria(w: int, h: int) to int { return w }'],
  ['violation entry-missing', 'type Area { w: int }'],
  ['violation entry-missing', ''],
  ['violation entry-arity', 'fn area() to int { return 1 }'],
  ['violation host-namespace', 'fn area(w: int, h: int) to int { let p = process\n return 1 }'],
  ['violation decorator', `@pure ${GOOD}`],
])('%s', (rule, candidate) => {
  expect(ruleOf(candidate)).toBe(rule)
})

test.each([
  ['behind a main that does not parse', 'process.exit(0)\n return 1 }\nfn main() { let = '],
  ['a local of an inner block', 'if w > 9 { let process = 1 }\n process.exit(0)\n return 1'],
  ['a parameter of a lambda', 'let f = fn(process: int) process + 1\n process.exit(0)\n return 1'],
  [
    'a variable of a match arm',
    'match Some(1) { Some(process) => print(process) None => {} }\n process.exit(0)\n return 1',
  ],
  ['a variable of a loop', 'for process in [1] { print(process) }\n process.exit(0)\n return 1'],
  ['in brackets', '(process).exit(0)\n return 1'],
  ['another name for it', 'if w > 9 { let process = 1 }\n let p = process\n p.exit(0)\n return 1'],
  ['another name for it before it is bound', 'let p = process\n let process = 1\n p.exit(0)\n return 1'],
  ['in its own binding', 'let process = process\n return 1'],
  ['in a default', 'let f = fn(process: int, p: int = process) 1\n return 1'],
  ['in a template behind the block', 'if w > 9 { let process = 1 }\n print("{process}")\n return 1'],
])('a namespace is found: %s', (_, body) => {
  expect(ruleOf(`fn area(w: int, h: int) to int { ${body} }`)).toBe('violation host-namespace')
})

test.each([
  ['a variable', 'let time = "1:2"\n print(time.split(":"))\n return 1'],
  ['a variable of a loop', 'for env in [[1]] { print(env.len()) }\n return 1'],
  ['a variable of a pattern', 'match [[1]][0] {\n Some(io) => { return io.len() }\n None => { return 0 }\n }'],
  ['a parameter of a lambda', 'let f = fn(time: str) to int { return time.len() }\n return f("a")'],
])('a name like a namespace is harmless as %s', (_, body) => {
  expect(ruleOf(`fn area(w: int, h: int) to int { ${body} }`)).toBe('allowed')
})

test('a function with the name of a namespace has no members', () => {
  const candidate =
    'fn process(n: int) to int { return n }\nfn area(w: int, h: int) to int { process.exit(0)\n return 1 }'
  expect(ruleOf(candidate)).toBe('violation host-namespace')
})

test('a namespace behind a stripped main is shown where the candidate has it', () => {
  const candidate = `fn main() { let = }\n${GOOD}fn main() { }\nfn half(n: int) to int { return fs.read(n) }`
  const start = candidate.indexOf('fs.read')
  expect(applyPolicy(candidate, ENTRY)).toMatchObject({ rule: 'host-namespace', span: { start, end: start + 2 } })
})

test('a violation says where it is', () => {
  const candidate = `${GOOD}let k = 1`
  expect(applyPolicy(candidate, ENTRY)).toMatchObject({
    detail: '`let` at top level begins neither a function nor a type',
    span: { start: GOOD.length, end: GOOD.length + 3 },
  })
})

test.each([
  ['', 'takes 0 parameters, not 2'],
  ['a: int', 'takes 1 parameter, not 2'],
])('an entry function of (%s) %s', (parameters, words) => {
  expect(applyPolicy(`fn area(${parameters}) to int { return 1 }`, ENTRY)).toMatchObject({
    detail: expect.stringContaining(words),
  })
})

test('main is stripped from the candidate, and everything else stays at its place', () => {
  const [first, second] = ["fn main() {\n    print('}')\n}", 'pub fn main() to str { return "{" }']
  const blanks = (text: string) => text.replace(/[^\n]/g, ' ')
  const result = applyPolicy(`// one\n${first}\n${GOOD}${second}\n// two\n`, ENTRY)
  expect(result).toMatchObject({
    kind: 'allowed',
    code: `// one\n${blanks(first)}\n${GOOD}${blanks(second)}\n// two\n`,
    notes: ['stripped main'],
  })
})

test('it never throws, and what it allows it allows again', () => {
  const part = fc.oneof(
    fc.constantFrom(
      GOOD,
      'fn',
      'main',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      'type A =',
      '| X',
      '"',
      "'",
      '\n',
      ';',
      'pub',
      'async',
      '<',
      '>',
      'let k = 1',
      'import',
      '@test',
      '//',
      'process.exit(0)',
      'to int',
      ',',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 20 }).map((parts) => parts.join(' ')),
      (candidate) => {
        const result = applyPolicy(candidate, ENTRY)
        if (result.kind === 'allowed') expect(applyPolicy(result.code, ENTRY)).toEqual({ ...result, notes: [] })
      },
    ),
    { numRuns: 1000 },
  )
})

test.each(['(', '{', '"', "'", '@', 'fn main() { ', '| X ', 'type A = | X\n', '1 + ', 'not ', ';'])(
  '300 KB of %j takes linear time',
  (piece) => {
    const candidate = GOOD + piece.repeat(Math.ceil(300_000 / piece.length))
    const startedAt = performance.now()
    applyPolicy(candidate, ENTRY)
    expect(performance.now() - startedAt).toBeLessThan(4000)
  },
)
