import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Fixture } from '../../src/corpus/fixture.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openSandbox } from '../../src/engine/sandbox/open-sandbox.ts'
import { createRunKey } from '../../src/verify/run-key.ts'
import { describeKind } from '../../src/verify/verdict-text.ts'
import { createVerifier, type Verifier } from '../../src/verify/verify.ts'
import { buildEntry, openBuiltVoxEmbedded } from '../engine/built-worker.ts'
import { FIND, FIRSTS, loadProblems, TWICE } from '../verify/temp-corpus.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Of each trick of cheats.yml, a case that reaches the engine once the policy gate is taken away. */
const casesSchema = z.object({
  cases: z.array(
    z.object({
      trick: z.int(),
      name: z.string(),
      fixture: z.string().default('twice'),
      program: z.string(),
      below: z.string().optional(),
    }),
  ),
})
const file = path.join(import.meta.dirname, '../cheats.yml')
const { cases } = casesSchema.parse(parse(readFileSync(file, 'utf8')))
const sample = [...new Set(cases.map(({ trick }) => trick))].flatMap((trick) => {
  const found = cases.find((each) => each.trick === trick && each.below !== undefined)
  return found === undefined ? [] : [[`${trick} ${found.name}`, found] as const]
})

describe.concurrent('below the gate, processes in the strongest sandbox there is', () => {
  let engine: Engine
  let verifier: Verifier
  let fixtures: ReadonlyMap<string, Fixture>

  beforeAll(async () => {
    const embedded = await buildEntry('cli/vox-embedded.ts')
    const sandbox = await openSandbox({ mode: 'best', readable: [process.execPath, embedded] })
    engine = await openBuiltVoxEmbedded({ command: [process.execPath, embedded], sandbox })
    verifier = createVerifier({ engine, key: createRunKey() })
    fixtures = new Map((await loadProblems([TWICE, FIND, FIRSTS])).map((each) => [each.entry.name, each]))
  })
  afterAll(() => engine.close())

  test('most tricks have such a case', () => {
    expect(sample.length).toBeGreaterThan(10)
  })

  test.each(sample)('%s', async (_, { fixture, program, below }) => {
    const loaded = fixtures.get(fixture)
    if (loaded === undefined) throw new Error(`no fixture ${fixture}`)
    expect(describeKind(await verifier.verifyBelowGate(loaded, program))).toBe(below)
  })
})
