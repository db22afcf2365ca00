import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Fixture } from '../../src/corpus/fixture.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createRunKey } from '../../src/verify/run-key.ts'
import { describeKind } from '../../src/verify/verdict-text.ts'
import type { Verifier } from '../../src/verify/verify.ts'
import { createVerifier } from '../../src/verify/verify.ts'
import { buildWorker, openBuiltVoxEmbedded } from '../engine/built-worker.ts'
import { FIND, FIRSTS, loadProblems, TWICE } from './temp-corpus.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const cheatsSchema = z.object({
  cases: z.array(
    z.strictObject({
      trick: z.int(),
      name: z.string(),
      fixture: z.enum(['twice', 'find', 'firsts']).default('twice'),
      program: z.string(),
      verdict: z.string(),
      below: z.string().optional(),
      notes: z.array(z.string()).default([]),
    }),
  ),
})
const { cases } = cheatsSchema.parse(parse(readFileSync(path.join(import.meta.dirname, '../cheats.yml'), 'utf8')))

let engine: Engine
let verifier: Verifier
let fixtures: ReadonlyMap<string, Fixture>

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
  verifier = createVerifier({ engine, key: createRunKey() })
  fixtures = new Map((await loadProblems([TWICE, FIND, FIRSTS])).map((fixture) => [fixture.entry.name, fixture]))
})
afterAll(() => engine.close())

function fixtureOf(name: string): Fixture {
  const fixture = fixtures.get(name)
  if (fixture === undefined) throw new Error(`no fixture ${name}`)
  return fixture
}

test('every trick is there', () => {
  expect([...new Set(cases.map(({ trick }) => trick))].sort((a, b) => a - b)).toEqual(
    Array.from({ length: 27 }, (_, at) => at + 1),
  )
})

describe('in the embedded pool', () => {
  test.each(cases.map((each) => [`${each.trick} ${each.name}`, each] as const))('%s', async (_, each) => {
    const { verdict, notes } = await verifier.verifyProgram(fixtureOf(each.fixture), each.program)
    expect([describeKind(verdict), notes]).toEqual([each.verdict, each.notes])
  })
})

describe('below the gate', () => {
  const below = cases.filter((each) => each.below !== undefined)
  test.each(below.map((each) => [`${each.trick} ${each.name}`, each] as const))('%s', async (_, each) => {
    const verdict = await verifier.verifyBelowGate(fixtureOf(each.fixture), each.program)
    expect(describeKind(verdict)).toBe(each.below)
  })
})

describe.concurrent('through vox-embedded processes alike', () => {
  /** One case of each trick that reaches the engine where there is one. */
  const sample = [...new Set(cases.map(({ trick }) => trick))].map(
    (trick) =>
      cases.find((each) => each.trick === trick && !each.verdict.startsWith('policy')) ??
      cases.find((each) => each.trick === trick && each.below !== undefined) ??
      cases.find((each) => each.trick === trick),
  )
  let processes: Engine
  beforeAll(async () => {
    processes = await openBuiltVoxEmbedded()
  })
  afterAll(() => processes.close())

  test.each(sample.flatMap((each) => (each === undefined ? [] : [[`${each.trick} ${each.name}`, each] as const])))(
    '%s',
    async (_, each) => {
      const other = createVerifier({ engine: processes, key: createRunKey() })
      const fixture = fixtureOf(each.fixture)
      const gated = await other.verifyProgram(fixture, each.program)
      expect(withoutResource(describeKind(gated.verdict))).toBe(withoutResource(each.verdict))
      if (each.below === undefined || !each.verdict.startsWith('policy')) return
      expect(describeKind(await other.verifyBelowGate(fixture, each.program))).toBe(each.below)
    },
  )
})

/** The binary has one exit code for steps and depth. */
function withoutResource(verdict: string): string {
  return verdict.replace(/^budget .*/, 'budget')
}
