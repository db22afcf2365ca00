import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { splitTests } from '../../src/corpus/assertions.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { tryAlteredAssertion } from '../../src/verify/altered-assertion.ts'
import { createNonce } from '../../src/verify/nonce.ts'
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
  expect(await tryAlteredAssertion({ engine, key, createNonce }, fixture, assertions, fixture.reference)).toBeNull()
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
  expect(await tryAlteredAssertion({ engine, key: 'k', createNonce }, fixture, [odd], fixture.reference)).toBeNull()
  expect(programs[0]).toContain('assert((twice(1) == 1 + 1) == false)')
})
