import { describe, expect, test } from 'vitest'
import { run } from '../../src/language/run.ts'
import { LIMITS, observe, observeBody } from './run-program.ts'

function stepsOf(body: string): number {
  const { result } = observeBody(body)
  return result.kind === 'exited' ? result.steps : Number.NaN
}

describe('steps', () => {
  test.each([
    ['a let of a literal is a statement and a node', 'let a = 1', 2],
    ['a built-in call evaluates no callee', 'print(1)', 3],
    ['a call of the file’s own function does', 'f(1)', 4 + 2],
    ['an assignment target is free', 'let mut a = 1\na = 2', 4],
    ['push evaluates no receiver', 'let a = []\na.push(1)', 2 + 3],
    ['other methods do', 'let a = []\na.len()', 2 + 3],
    ['an else-if is a statement in an else block', 'if false { } else if true { }', 3 + 3],
    ['a block in a loop body is no node', 'let mut i = 0\nwhile i < 2 { i = i + 1 }', 2 + 1 + 2 * 7 + 3],
    ['a for round is its body', 'for i in range(3) { i }', 2 + 2 + 3 * 3],
    ['a template is the sum of its parts', 'let a = 1\nlet b = "{a} and {a}"', 2 + 1 + 5],
    ['an arm’s bare jump is a block', 'match 1 { _ => return }', 3 + 2],
  ])('%s', (_rule, body, steps) => {
    const { result } = observe(`fn f(n: int) to int { return n }\nfn main() {\n${body}\n}`)
    expect(result).toMatchObject({ exit: 0, steps })
  })

  test('the limit is hit when the counter reaches it', () => {
    const body = 'let mut i = 0\nwhile i < 50 { i = i + 1 }\nprint(i)'
    const steps = stepsOf(body)
    expect(observeBody(body, { steps: steps + 1 }).result).toMatchObject({ exit: 0 })
    expect(observeBody(body, { steps }).result).toMatchObject({ exit: 78, steps })
  })

  test('what was printed before the limit stays printed', () => {
    const { result, stdout } = observeBody('print("a")\nwhile true { }', { steps: 1000 })
    expect([result.kind === 'exited' && result.exit, stdout]).toEqual([78, 'a\n'])
  })

  test('a loop that counts no steps is refused rather than run for ever', () => {
    expect(observeBody('loop { }').result.kind).toBe('unsupported')
  })

  test('the same program takes the same steps every time', () => {
    const body = 'let mut m: Map[str, int] = {}\nfor i in range(300) { m[str(i % 7)] = i }\nprint(m)'
    expect(observeBody(body)).toEqual(observeBody(body))
  })
})

describe('depth', () => {
  const recursive = (levels: number) =>
    `fn d(n: int) to int { if n == 0 { return 0 }\n return 1 + d(n - 1) }\nfn main() { print(d(${levels - 1})) }`

  test('as many applied functions as the limit may nest, main not counted', () => {
    expect(observe(recursive(20), { depth: 20 }).result).toMatchObject({ exit: 0 })
    expect(observe(recursive(21), { depth: 20 }).result).toMatchObject({ exit: 78 })
  })

  test('functions given to methods count as well', () => {
    const nested = 'print([1].map(fn(a) [2].map(fn(b) [3].map(fn(c) a + b + c))))'
    expect(observeBody(nested, { depth: 3 }).stdout).toBe('[[[6]]]\n')
    expect(observeBody(nested, { depth: 2 }).result).toMatchObject({ exit: 78 })
  })

  test('endless recursion ends with the budget', () => {
    expect(observe('fn f(n: int) to int { return f(n + 1) }\nfn main() { f(0) }').result).toMatchObject({ exit: 78 })
  })
})

describe('memory', () => {
  const MEBIBYTE = 2 ** 20
  const limits = { memoryBytes: 16 * MEBIBYTE }

  test.each([
    ['a repeated string', 'print("x".repeat(4000000000))'],
    ['a doubled string', 'let mut s = "ab"\nwhile true { s = s + s }'],
    ['a range', 'print(range(1000000000).len())'],
    ['a doubled list', 'let mut xs = [1]\nwhile true { xs.extend(xs) }'],
    ['many lists', 'let mut xs = []\nwhile true { xs.push(range(1000)) }'],
    ['many strings', 'let mut xs = []\nwhile true { xs.push("abc".repeat(50)) }'],
    ['a growing map', 'let mut m = {}\nlet mut i = 0\nwhile true { m["k" + i] = i\n i += 1 }'],
    ['a replaced text', 'let s = "a".repeat(100000)\nprint(s.replace("a", s).len())'],
    ['a joined text', 'print(range(1000).join("y".repeat(100000)).len())'],
    ['a text far larger than its list', 'let mut xs = [1]\nfor i in range(40) { xs = [xs, xs] }\nprint(xs)'],
    ['values nested in closures', 'let mut f = fn(x) x\nwhile true { let g = f\n f = fn(x) g(x) }'],
    ['frames', 'fn_frames(0)'],
  ])('%s ends with exit 79', (_what, body) => {
    const frames = 'fn fn_frames(n: int) to int { let xs = range(10000)\n return fn_frames(n + 1) + xs.len() }'
    const { result } = observe(`${frames}\nfn main() {\n${body}\n}`, limits)
    expect(result).toMatchObject({ exit: 79, stderr: 'vox: memory limit exceeded\n' })
  })

  test('garbage does not count', () => {
    const body = 'let mut n = 0\nfor i in range(2000) { n += range(1000).len() + "x".repeat(10000).len() }\nprint(n)'
    expect(observeBody(body, limits).stdout).toBe('22000000\n')
  })

  test('a long string held many times is one string', () => {
    const body = 'let s = "abc".repeat(50000)\nlet mut xs = []\nfor i in range(1000) { xs.push(s) }\nprint(xs.len())'
    expect(observeBody(body, limits).stdout).toBe('1000\n')
  })

  test('equal strings that were made apart all count, long before they fill the machine', () => {
    const before = process.memoryUsage().rss
    const startedAt = performance.now()
    const { result } = observeBody('let mut xs = []\nwhile true { xs.push("abcdefgh".repeat(100000).to_upper()) }')
    expect(result).toMatchObject({ exit: 79 })
    expect(performance.now() - startedAt).toBeLessThan(5000)
    expect(process.memoryUsage().rss - before).toBeLessThan(1.2e9)
  })

  test('a long literal may be held more often than would fit', () => {
    const body = `let mut xs = []\nfor i in range(100000) { xs.push("${'x'.repeat(10_000)}") }\nprint(xs.len())`
    expect(observeBody(body).stdout).toBe('100000\n')
  })

  test('measuring what is alive again and again costs no more than the program itself', () => {
    const body = `let xs = range(300000).map(fn(x) [x])
let mut n = 0
while n < 100000 { let t = "x".repeat(1000000)
 n = n + 1 }
print(xs.len())`
    const startedAt = performance.now()
    expect(observeBody(body, { memoryBytes: 64 * MEBIBYTE }).stdout).toBe('300000\n')
    // Measured whenever a quarter of the limit was allocated it would be two billion values.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  test('a list grows in place, also after it was lent to a function', () => {
    const source = `fn at(xs: list[int], i: int) to int { return xs[i].unwrap_or(0) }
fn main() { let mut xs: list[int] = []
 let mut i = 0
 while i < 60000 { xs.push(i)
  xs[i] = at(xs, i) + 1
  i = i + 1 }
 print(xs.len()) }`
    const startedAt = performance.now()
    expect(observe(source).stdout).toBe('60000\n')
    // Copied at every round it would be 3.6 billion items.
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
})

test('a sink that wants no more ends the run', () => {
  let taken = 0
  const write = (): boolean => ++taken < 3
  const result = run('fn main() { while true { print("x") } }', { write, limits: LIMITS })
  expect([result.kind, taken]).toEqual(['output-limit', 3])
})
