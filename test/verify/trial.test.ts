import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createVerifier } from '../../src/verify/verify.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { loadProblems, TWICE } from './temp-corpus.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let engine: Engine
beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

/** A function that prints more than is kept of a stream before each answer, so that marks are lost. */
const noisy = (body: string) =>
  `fn twice(n: int) to int {\n    for i in range(1100) {\n        print("${'noise '.repeat(12)}{i}")\n    }\n${body}\n}\n`

async function verdictsOf(program: string) {
  const [fixture] = await loadProblems([TWICE])
  if (fixture === undefined) throw new Error('no fixture')
  const keys = ['a', 'b', 'c', 'd']
  return Promise.all(
    keys.map(async (key) => (await createVerifier({ engine, key }).verifyProgram(fixture, program)).verdict),
  )
}

test('an honest program that floods the output passes, whichever assertion is altered', async () => {
  for (const verdict of await verdictsOf(noisy('    return n * 2'))) expect(verdict).toEqual({ kind: 'passed' })
})

test('a flood that hides where a wrong answer was given names no other place', async () => {
  for (const verdict of await verdictsOf(noisy('    if n > 4 { return 0 }\n    return n * 2'))) {
    expect(verdict).toMatchObject({ kind: 'wrong-answer', where: 'fresh inputs' })
    expect(JSON.stringify(verdict)).not.toContain('should give 0')
  }
  for (const verdict of await verdictsOf(noisy('    return 7'))) {
    expect(verdict).toMatchObject({ kind: 'wrong-answer', where: 'assertion' })
  }
})
