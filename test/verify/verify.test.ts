import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Fixture } from '../../src/corpus/fixture.ts'
import { captureOf } from '../../src/engine/captured-text.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Verdict } from '../../src/verify/verdict.ts'
import { describeKind } from '../../src/verify/verdict-text.ts'
import { createVerifier } from '../../src/verify/verify.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { FIND, FIRSTS, loadProblems, TWICE } from './temp-corpus.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const GOOD = 'fn twice(n: int) to int { return n + n }'

let engine: Engine
let twice: Fixture
let find: Fixture
let firsts: Fixture
let undefinedDomain: Fixture

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
  const { domain, ...withoutDomain } = TWICE
  const fixtures = await loadProblems([TWICE, FIND, FIRSTS])
  ;[twice, find, firsts] = fixtures as [Fixture, Fixture, Fixture]
  ;[undefinedDomain] = (await loadProblems([withoutDomain])) as [Fixture]
})
afterAll(() => engine.close())

/** An engine that counts and may tamper with the calls of the real one. */
function watched(): { readonly engine: Engine; readonly programs: string[] } {
  const programs: string[] = []
  const noted = <Rest extends readonly unknown[], Result>(call: (program: string, ...rest: Rest) => Result) => {
    return (program: string, ...rest: Rest) => {
      programs.push(program)
      return call(program, ...rest)
    }
  }
  const { check, run, runAlone } = engine
  return { programs, engine: { ...engine, check: noted(check), run: noted(run), runAlone: noted(runAlone) } }
}

describe('from answer to verdict', () => {
  const fenced = `\`\`\`vox\n${GOOD}\n\`\`\``
  test.each([
    ['a fenced program', fenced, 'stop', 'passed'],
    ['no known finish reason', fenced, null, 'passed'],
    ['an empty answer', '', 'stop', 'no-code none'],
    ['no answer', null, 'stop', 'no-code none'],
    ['cut with nothing', null, 'length', 'truncated'],
    ['cut with a whole program', fenced, 'length', 'truncated'],
    ['cut in the provider’s other word', fenced, 'MAX_TOKENS', 'truncated'],
    ['filtered', fenced, 'content_filter', 'no-code filtered'],
    ['refused', null, 'refusal', 'no-code refused'],
    ['prose', 'It doubles.', 'stop', 'no-code none'],
    ['an unclosed fence', `\`\`\`vox\n${GOOD}`, 'stop', 'passed'],
    ['a program that does not parse', `\`\`\`vox\n${GOOD} }\n\`\`\``, 'stop', 'check-failed parse'],
  ])('%s', async (_, text, finishReason, expected) => {
    const { verdict } = await createVerifier({ engine, key: 'k' }).verify(twice, { text, finishReason })
    expect(describeKind(verdict)).toBe(expected)
  })

  test('the candidate, the rule and what was noted come with it', async () => {
    const text = `\`\`\`vox\n${GOOD}\nfn main() { print(twice(2)) }`
    expect(await createVerifier({ engine, key: 'k' }).verify(twice, { text, finishReason: 'stop' })).toEqual({
      verdict: { kind: 'passed' },
      candidate: `${GOOD}\n${' '.repeat('fn main() { print(twice(2)) }'.length)}`,
      rule: 'vox-block',
      notes: ['unclosed fence', 'stripped main'],
    })
    const cut = await createVerifier({ engine, key: 'k' }).verify(twice, { text, finishReason: 'length' })
    expect(cut).toMatchObject({ verdict: { kind: 'truncated' }, rule: 'vox-block' })
    expect(cut.candidate).toContain(GOOD)
  })

  test('diagnostics have the lines of the candidate', async () => {
    const { verdict } = await createVerifier({ engine, key: 'k' }).verifyProgram(
      twice,
      'fn twice(n: int) to int {\n    return m * 2\n}',
    )
    expect(verdict).toMatchObject({
      kind: 'check-failed',
      class: 'undefined_name',
      diagnostics: expect.arrayContaining([expect.objectContaining({ line: 2, column: 12 })]),
    })
  })

  test('a wrong answer names the assertion and the value', async () => {
    const verifier = createVerifier({ engine, key: 'k' })
    expect((await verifier.verifyProgram(twice, 'fn twice(n: int) to int { return n * n }')).verdict).toEqual({
      kind: 'wrong-answer',
      where: 'assertion',
      detail: 'twice(4) should give 8, gave 16',
    })
    expect(
      (await verifier.verifyProgram(find, 'fn find(xs: list[int], x: int) to Option[int] { return Some(1) }')).verdict,
    ).toMatchObject({
      detail: 'find([5], 5) should give Some(0), gave Some(1)',
    })
  })

  test('a run-time error names the call', async () => {
    const program = 'fn twice(n: int) to int { return n * 2 + 0 / n }'
    expect((await createVerifier({ engine, key: 'k' }).verifyProgram(twice, program)).verdict).toEqual({
      kind: 'runtime-error',
      class: 'runtime_arith',
      detail: 'twice(0): Error: Eval failed: AssertionFailed("integer division by zero")',
    })
  })
})

describe('controls', () => {
  test('a fresh input names itself, what was due and what came', async () => {
    const program = 'fn twice(n: int) to int { if n > 400 { return 0 - 1 }\n return n * 2 }'
    const { verdict } = await createVerifier({ engine, key: 'k' }).verifyProgram(twice, program)
    expect(verdict).toMatchObject({ kind: 'wrong-answer', where: 'fresh inputs' })
    const detail = verdict.kind === 'wrong-answer' ? verdict.detail : ''
    const [, input, due] = /^twice\((\d+)\) should give (\d+), gave -1$/.exec(detail) ?? []
    expect(Number(due)).toBe(2 * Number(input))
    expect(Number(input)).toBeGreaterThan(400)
  })

  test('at least 20 fresh inputs are drawn, by the key', async () => {
    const calls = async (key: string) =>
      (await createVerifier({ engine, key }).freshInputs(firsts)).map(({ call }) => call)
    const first = await calls('one')
    expect(first.length).toBeGreaterThanOrEqual(20)
    expect(await calls('one')).toEqual(first)
    expect(await calls('two')).not.toEqual(first)
  })

  test('without a domain nothing but the assertions decides', async () => {
    const program =
      'fn twice(n: int) to int { if n is 4 { return 8 }\n if n is 1 { return 2 }\n if n < 0 { return 0 - 6 }\n return 0 }'
    expect((await createVerifier({ engine, key: 'k' }).verifyProgram(undefinedDomain, program)).verdict).toEqual({
      kind: 'passed',
    })
  })

  test('a batch that is too much for one program is judged input by input', async () => {
    const [heavy] = (await loadProblems([
      {
        signature: 'fn spin(n: int) to int',
        reference: '    let mut i: int = 0\n    while i < 100000 + n {\n        i = i + 1\n    }\n    return i',
        asserts: [
          ['spin(1)', '100001'],
          ['spin(0)', '100000'],
        ],
        domain: 'n = { range = [0, 50] }',
      },
    ])) as [Fixture]
    const verifier = createVerifier({ engine, key: 'k' })
    expect((await verifier.verifyProgram(heavy, heavy.reference)).verdict).toEqual({ kind: 'passed' })
    const slower = heavy.reference.replace('while i <', 'while (i + 1 - 1 + 1 - 1 + 1 - 1) + 0 * 1 * 1 <')
    expect((await verifier.verifyProgram(heavy, slower)).verdict).toEqual({ kind: 'passed' })
    const tooSlow = heavy.reference.replace('{\n    let', '{\n    if n > 20 { return spin(n) }\n    let')
    expect((await verifier.verifyProgram(heavy, tooSlow)).verdict).toEqual({ kind: 'budget', resource: 'depth' })
  })

  test('a reference that fails on its own domain is named, not blamed on the candidate', async () => {
    const [broken] = (await loadProblems([
      {
        signature: 'fn inverse(n: int) to int',
        reference: '    return 100 / n',
        asserts: [
          ['inverse(5)', '20'],
          ['inverse(-1)', '-100'],
        ],
        domain: 'n = { range = [-1, 1] }',
      },
    ])) as [Fixture]
    await expect(createVerifier({ engine, key: 'k' }).verifyProgram(broken, broken.reference)).rejects.toThrow(
      /The reference of fixture 001 fails on an input of its own domain: inverse\(0\)/,
    )
  })

  test('answers of every type are compared exactly', async () => {
    const problems = [
      ['float', '    return float(n) / 4.0', '0.25', 'float(n + 1) / 4.0'],
      ['bool', '    return n % 3 is 0', 'false', 'n % 3 is 1'],
      ['str', '    return "é{}\'\\"\\\\\\n" + str(n)', `'é{}\\'"\\\\\\n1'`, '"x"'],
      ['list[str]', '    return ["a, b", str(n)]', '["a, b", "1"]', '["a", "b", str(n)]'],
      ['list[list[int]]', '    return [[n], []]', '[[1], []]', '[[], [n]]'],
      ['Option[str]', '    if n < 0 { return None }\n    return Some("Some(1)")', 'Some("Some(1)")', 'Some("1")'],
      ['Result[int, str]', '    if n < 0 { return Error("no, " + str(n)) }\n    return Ok(n)', 'Ok(1)', 'Ok(n + 1)'],
      ['list[Option[int]]', '    if n < 0 { return [[n][1]] }\n    return [[n][0]]', '[Some(1)]', '[[n][1]]'],
    ] as const
    for (const [type, reference, expected, wrong] of problems) {
      const [fixture] = (await loadProblems([
        {
          signature: `fn shape(n: int) to ${type}`,
          reference,
          asserts: [['shape(1)', expected]],
          domain: 'n = { range = [-9, 9] }',
        },
      ])) as [Fixture]
      const verifier = createVerifier({ engine, key: 'k' })
      expect([type, (await verifier.verifyProgram(fixture, fixture.reference)).verdict]).toEqual([
        type,
        { kind: 'passed' },
      ])
      const other = `fn shape(n: int) to ${type} {\n    if n is 1 { ${reference.trim().split('\n').at(-1)} }\n    return ${wrong}\n}`
      expect([type, describeKind((await verifier.verifyProgram(fixture, other)).verdict)]).toEqual([
        type,
        'wrong-answer fresh inputs',
      ])
    }
  })

  test('a timeout counts only when it is confirmed alone', async () => {
    let alone = 0
    const timeout = async () => ({ kind: 'timeout', stdout: captureOf('') }) as const
    const flaky: Engine = {
      ...engine,
      run: timeout,
      runAlone(program) {
        alone++
        return engine.run(program)
      },
    }
    expect((await createVerifier({ engine: flaky, key: 'k' }).verifyProgram(twice, GOOD)).verdict).toEqual({
      kind: 'passed',
    })
    expect(alone).toBeGreaterThanOrEqual(3)
    const stuck: Engine = { ...flaky, runAlone: timeout }
    expect((await createVerifier({ engine: stuck, key: 'k' }).verifyProgram(twice, GOOD)).verdict).toEqual({
      kind: 'timeout',
    })
  })
})

describe('memo', () => {
  test('an identical program is verified once, a timed-out one every time', async () => {
    const { engine: counting, programs } = watched()
    const verifier = createVerifier({ engine: counting, key: 'k' })
    await Promise.all([verifier.verifyProgram(twice, GOOD), verifier.verifyProgram(twice, GOOD)])
    const once = programs.length
    await verifier.verifyProgram(twice, GOOD)
    expect(programs.length).toBe(once)
    await verifier.verifyProgram(twice, `${GOOD}\n// other`)
    expect(programs.length).toBeGreaterThan(once)

    let runs = 0
    const stuck: Engine = {
      ...engine,
      async run() {
        runs++
        return { kind: 'crashed', signal: 'SIGSEGV', stderr: captureOf('') }
      },
    }
    const other = createVerifier({ engine: stuck, key: 'k', freshInputs: async () => [] })
    await Promise.all([
      other.verifyProgram(twice, GOOD),
      other.verifyProgram(twice, GOOD),
      other.verifyProgram(twice, GOOD),
    ])
    expect(runs).toBe(3)
  })

  test('verdicts depend neither on order, company nor memo', async () => {
    const pool: readonly (readonly [() => Fixture, string])[] = [
      [() => twice, GOOD],
      [() => twice, 'fn twice(n: int) to int { return n * n }'],
      [() => twice, 'fn twice(n: int) to int { if n > 0 { return n * 2 }\n return 0 - 6 * n / n }'],
      [() => twice, 'fn twice(n: int) to int { return twice(n) }'],
      [() => twice, 'let k = 1'],
      [() => find, GOOD],
      [
        () => find,
        'fn find(xs: list[int], x: int) to Option[int] { if xs.contains(x) { return Some(xs.index(x)) }\n return None }',
      ],
      [() => find, 'fn find(xs: list[int], x: int) to Option[int] { return xs[x] }'],
      [() => firsts, 'fn firsts(xs: list[int]) to list[int] { return xs.sorted() }'],
      [() => firsts, 'fn firsts(xs: list[int]) to list[int] { return xs'],
    ]
    const judge = async (order: readonly number[], isMemoised: boolean) => {
      const verifier = createVerifier({ engine, key: 'one key', isMemoised })
      const verdicts = await Promise.all(
        order.map(async (at) => {
          const [fixture, program] = pool[at] as (typeof pool)[number]
          return [at, (await verifier.verifyProgram(fixture(), program)).verdict] as const
        }),
      )
      return new Map<number, Verdict>(verdicts)
    }
    const alone = new Map<number, Verdict>()
    for (const at of pool.keys()) alone.set(at, (await judge([at], false)).get(at) as Verdict)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(pool.length - 1), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (order, isMemoised) => {
          for (const [at, verdict] of await judge(order, isMemoised)) expect(verdict).toEqual(alone.get(at))
        },
      ),
      { numRuns: 15 },
    )
  })
})
