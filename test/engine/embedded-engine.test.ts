import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { DEFAULT_LIMITS } from '../../src/engine/engine.ts'
import { buildWorker } from './built-worker.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let workerUrl: URL
let engine: Engine

beforeAll(async () => {
  workerUrl = await buildWorker()
  engine = createEmbeddedEngine({ workerUrl, slots: 2 })
})
afterAll(() => engine.close())

function main(body: string): string {
  return `fn main() to str {\n${body}\nreturn "done"\n}\n`
}

test('check accepts and rejects with places', async () => {
  expect(await engine.check(main('let a = 1'))).toMatchObject({ kind: 'accepted' })
  expect(await engine.check(main('let a = b'))).toMatchObject({
    kind: 'rejected',
    diagnostics: [{ severity: 'error', message: 'Undefined variable: b', line: 2, column: 9 }],
  })
})

test('run gives the exit code and both streams', async () => {
  const outcome = await engine.run(main('print("hello")'))
  expect(outcome).toMatchObject({ kind: 'exited', code: 0, stdout: { head: 'hello\ndone\n', lastLine: 'done' } })
  expect(await engine.run(main('assert(false)'))).toMatchObject({
    kind: 'exited',
    code: 1,
    stderr: { lastLine: 'Error: Eval failed: AssertionFailed("assert failed")' },
  })
})

test('budgets end by their own exit codes and say which they were', async () => {
  expect(await engine.run(main('while true { }'))).toMatchObject({ code: 78, exceeded: 'steps' })
  const recursion = `fn f(n: int) to int { return f(n + 1) }\n${main('f(0)')}`
  expect(await engine.run(recursion)).toMatchObject({ code: 78, exceeded: 'depth' })
  expect(await engine.run(main('let s = "x".repeat(4000000000)'))).toMatchObject({ code: 79 })
})

test('a worker that overruns its wall time is replaced, and what it printed is kept', async () => {
  const hasty = createEmbeddedEngine({ workerUrl, slots: 1, limits: { ...DEFAULT_LIMITS, wallMs: 150 } })
  const spin = main('print("x".repeat(20000))\nlet xs = range(3000)\nwhile true { let ys = xs.sorted() }')
  const [slow, quick] = await Promise.all([hasty.run(spin), hasty.run(main('print(1)'))])
  expect(slow).toMatchObject({ kind: 'timeout', stdout: { bytes: 20_001 } })
  expect(quick).toMatchObject({ kind: 'exited', code: 0 })
  await hasty.close()
})

test('endless output ends at the limit in bounded memory', async () => {
  const outcome = await engine.run(main('while true { print("0123456789".repeat(1000)) }'))
  if (outcome.kind !== 'output-limit') throw new Error(outcome.kind)
  expect(outcome.stdout.head.length).toBe(65_536)
  expect(outcome.stdout.bytes).toBeLessThanOrEqual(8 * 1024 * 1024)
})

test('300 KB of output pass', async () => {
  const outcome = await engine.run(main('for i in range(300) { print("x".repeat(1000)) }'))
  expect(outcome).toMatchObject({ kind: 'exited', code: 0, stdout: { bytes: 300_305, lastLine: 'done' } })
})

test('memory is bounded whatever holds it, and only that program ends', async () => {
  const small = createEmbeddedEngine({
    workerUrl,
    slots: 2,
    limits: { ...DEFAULT_LIMITS, memoryBytes: 64 * 1024 * 1024 },
  })
  const hogs = [
    'let mut xs: list[int] = []\nwhile true { xs.push(1) }',
    'let mut xs = [[1]]\nwhile true { xs = [xs.flatten(), xs.flatten()] }',
    'let mut s = "ab"\nwhile true { s = s + s }',
    'let mut m: Map[str, int] = {}\nlet mut i = 0\nwhile true { m.insert(str(i), i)\n i = i + 1 }',
    'let xs = range(100000000)',
    'let s = "é".repeat(100000000)\nlet t = s.to_upper()',
    'let xs = "a,".repeat(10000000).split(",")',
    'let mut s = "x"\nwhile true { s = s.replace("x", "xx") }',
    'let mut xs: list[str] = []\nwhile true { xs.push("abcdefgh".repeat(100000).to_upper()) }',
    'let cs = "a".repeat(3000000).chars()\nlet mut xs = [range(1000)]\nwhile true { xs.push(range(50000)) }',
  ]
  const outcomes = await Promise.all(hogs.map((hog) => small.run(main(hog))))
  expect(outcomes.map((outcome) => (outcome.kind === 'exited' ? outcome.code : outcome.kind))).toEqual(
    hogs.map(() => expect.toBeOneOf([78, 79])),
  )
  expect(await small.run(main('print(1)'))).toMatchObject({ kind: 'exited', code: 0 })
  await small.close()
})

test('deep programs never bring a worker down', async () => {
  const deep = [
    `let a = ${'('.repeat(4000)}1${')'.repeat(4000)}`,
    `let a = ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    `let a = ${'not '.repeat(50_000)}true`,
    `let a = 1${' + 1'.repeat(20_000)}`,
    `${'if true { '.repeat(5000)}${'}'.repeat(5000)}`,
    'let mut xs = [[1]]\nfor i in range(100000) { xs = [xs] }\nprint(xs)',
  ]
  for (const body of deep) {
    for (const outcome of [await engine.check(main(body)), await engine.run(main(body))]) {
      expect(outcome.kind).toBeOneOf(['accepted', 'rejected', 'exited', 'unsupported'])
    }
  }
})

test('a timeout is confirmed while nothing else runs', async () => {
  const order: string[] = []
  await Promise.all([
    engine.run(main('for i in range(100000) { let a = i }')).then(() => order.push('before')),
    engine.runAlone(main('for i in range(100000) { let a = i }')).then(() => order.push('alone')),
    engine.run(main('print(1)')).then(() => order.push('after')),
  ])
  expect(order).toEqual(['before', 'alone', 'after'])
})

test('the identity is honest', () => {
  expect(engine.identity).toMatchObject({
    kind: 'embedded',
    version: 'embedded',
    official: false,
    sha256: /^[0-9a-f]{64}$/.exec(engine.identity.sha256 ?? '')?.[0],
  })
})

test('a missing worker is named', () => {
  expect(() => createEmbeddedEngine({ workerUrl: new URL('file:///no/such/worker.js') })).toThrow(
    /worker cannot be read/,
  )
})
