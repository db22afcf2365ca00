import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { splitTests } from '../../src/corpus/assertions.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { tryAlteredClaim } from '../../src/verify/altered-claim.ts'
import { createNonce } from '../../src/verify/nonce.ts'
import { trialOf } from '../../src/verify/trial.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { FIND, loadProblems, TWICE } from './temp-corpus.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let engine: Engine
let programs: string[]
beforeAll(async () => {
  const real = createEmbeddedEngine({ workerUrl: await buildWorker() })
  engine = {
    ...real,
    run(program) {
      programs.push(program)
      return real.run(program)
    },
  }
})
afterAll(() => engine.close())

async function alteredLines(key: string): Promise<readonly string[]> {
  const [fixture] = await loadProblems([FIND])
  if (fixture === undefined) throw new Error('no fixture')
  programs = []
  const { assertions } = splitTests(fixture.tests)
  const trial = trialOf(fixture, assertions, [])
  expect(await tryAlteredClaim({ engine, key, createNonce }, fixture, trial, fixture.reference)).toBeNull()
  const lines = programs[0]?.split('\n').filter((line) => line.trim().startsWith('assert(')) ?? []
  const original = assertions.map(({ call, expected }) => `    assert(${call} == ${expected})`)
  return lines.filter((line) => !original.includes(line))
}

test('exactly one assertion is altered, chosen by the key', async () => {
  const chosen = new Set<string>()
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const lines = await alteredLines(key)
    expect(lines).toHaveLength(1)
    expect(await alteredLines(key)).toEqual(lines)
    chosen.add(lines[0] ?? '')
  }
  expect(chosen.size).toBeGreaterThan(2)
})

test('an expectation that is no literal of the type is negated as a whole', async () => {
  const [fixture] = await loadProblems([{ ...TWICE, asserts: [['twice(1)', '2']] }])
  if (fixture === undefined) throw new Error('no fixture')
  programs = []
  const [assertion] = splitTests(fixture.tests).assertions
  if (assertion === undefined) throw new Error('no assertion')
  const odd = { ...assertion, expected: '1 + 1' }
  const trial = trialOf(fixture, [odd], [])
  expect(await tryAlteredClaim({ engine, key: 'k', createNonce }, fixture, trial, fixture.reference)).toBeNull()
  expect(programs[0]).toContain('assert((twice(1) == 1 + 1) == false)')
})

test('a program that fails at another assertion than the altered one did not evaluate it', async () => {
  const [fixture] = await loadProblems([TWICE])
  if (fixture === undefined) throw new Error('no fixture')
  const trial = trialOf(fixture, splitTests(fixture.tests).assertions, [])
  const failingElsewhere: Engine = {
    ...engine,
    run(program) {
      // As a program would that found the tests in its own source: it fails where it likes, here at the last or the first.
      const lines = program.split('\n')
      const asserts = lines.flatMap((line, at) => (line.trim().startsWith('assert(') ? [at] : []))
      const original = trial.claims.map(({ call, expected }) => `    assert(${call} == ${expected})`)
      const altered = asserts.findIndex((line) => !original.includes(lines[line] ?? ''))
      const place = asserts[altered === 0 ? asserts.length - 1 : 0] ?? 0
      const quiet = lines.map((line, at) =>
        at === place ? '    assert(false)' : original[altered] && at === asserts[altered] ? original[altered] : line,
      )
      return engine.run(quiet.join('\n'))
    },
  }
  const context = { engine: failingElsewhere, key: 'k', createNonce }
  expect(await tryAlteredClaim(context, fixture, trial, fixture.reference)).toEqual({
    kind: 'cheated',
    how: expect.stringMatching(/was to fail, but the program stopped at number/),
  })
})
