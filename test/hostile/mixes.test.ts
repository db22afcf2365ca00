import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Fixture } from '../../src/corpus/fixture.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import { DEFAULT_LIMITS, type Engine } from '../../src/engine/engine.ts'
import { createProcessEngine } from '../../src/engine/process-engine.ts'
import { openSandbox } from '../../src/engine/sandbox/open-sandbox.ts'
import { createRunKey } from '../../src/verify/run-key.ts'
import { describeKind } from '../../src/verify/verdict-text.ts'
import { createVerifier } from '../../src/verify/verify.ts'
import { buildEntry, buildWorker } from '../engine/built-worker.ts'
import { NO_ABILITIES, STAND_IN_IDENTITY } from '../engine/stand-in.ts'
import { loadProblems, TWICE } from '../verify/temp-corpus.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

/** A program with the verdict it has when nothing else runs. */
type Judged = readonly [program: string, verdict: string]

const RIGHT = 'fn twice(n: int) to int { return n * 2 }\n'

const calm: readonly Judged[] = [
  [RIGHT, 'passed'],
  ['fn twice(n: int) to int { return n + n }\n', 'passed'],
  ['fn twice(n: int) to int { return 0 }\n', 'wrong-answer assertion'],
  ['fn twice(n: int) to int { if n > 4 { return 0 } return n * 2 }\n', 'wrong-answer fresh inputs'],
  ['fn twice(n: int) to int { return "2" }\n', 'check-failed type_mismatch'],
  ['fn twice(n: int) to int { return n / 0 }\n', 'runtime-error runtime_arith'],
  ['fn twise(n: int) to int { return n * 2 }\n', 'policy entry-missing'],
]

const greedy: readonly Judged[] = [
  ['fn twice(n: int) to int { while true { print("x".repeat(1000)) } return 0 }\n', 'output-limit'],
  ['fn twice(n: int) to int { let s = "x".repeat(4000000000) return n * 2 }\n', 'budget memory'],
  [`fn twice(n: int) to int { return ${'['.repeat(50_000)} }\n`, 'unsupported'],
]

/** Only for the permissive engine, which obeys them. */
const violent: readonly Judged[] = [
  [`// sh: yes\n${RIGHT}`, 'output-limit'],
  [`// sh: kill -SEGV $PPID\n${RIGHT}`, 'crashed'],
  [`// sh: kill -STOP $PPID\n${RIGHT}`, 'timeout'],
  [`// exit: 139\n${RIGHT}`, 'crashed'],
  [`// exit: 0\n${RIGHT}`, 'cheated'],
  [`// sh: (setsid sh -c 'while :; do :; done' &) ; sleep 0.1\n${RIGHT}`, 'passed'],
]

/** Only where a sandbox bounds them. */
const bombs: readonly Judged[] = [
  [`// sh: f() { f | f & }; f; sleep 0.2\n// exit: 3\n${RIGHT}`, 'crashed'],
  [`// sh: kill -KILL -1\n// exit: 3\n${RIGHT}`, 'crashed'],
]

let fixture: Fixture
beforeAll(async () => {
  const [loaded] = await loadProblems([TWICE])
  if (loaded === undefined) throw new Error('the fixture was not loaded')
  fixture = loaded
})

/** Every program gets its own verdict, whatever runs before and beside it. */
async function expectOwnVerdicts(engine: Engine, programs: readonly Judged[], numRuns: number): Promise<void> {
  const key = createRunKey()
  const { freshInputs } = createVerifier({ engine, key })
  const mixes = fc.shuffledSubarray([...programs, ...calm], { minLength: 4, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(mixes, async (mix) => {
      const verifier = createVerifier({ engine, key, freshInputs })
      const found = await Promise.all(
        mix.map(async ([program]) => describeKind((await verifier.verifyProgram(fixture, program)).verdict)),
      )
      expect(mix.map(([program], at) => [program.slice(0, 80), found[at]])).toEqual(
        mix.map(([program, verdict]) => [program.slice(0, 80), verdict]),
      )
    }),
    // A mix takes seconds, and every program of it is named; making it smaller is not worth the time.
    { numRuns, endOnFailure: true },
  )
}

describe('a candidate that crashes, hangs or floods changes no other candidate’s verdict', () => {
  let engine: Engine
  afterAll(() => engine.close())

  test('in the embedded pool', async () => {
    engine = createEmbeddedEngine({
      workerUrl: await buildWorker(),
      slots: 2,
      limits: { ...DEFAULT_LIMITS, outputBytes: 1024 * 1024 },
    })
    await expectOwnVerdicts(engine, greedy, 20)
  })
})

describe('nor among processes that may do what they like', () => {
  let engine: Engine
  afterAll(() => engine.close())

  test('in the strongest sandbox there is', async () => {
    const permissive = await buildEntry('../test/hostile/permissive-vox.ts')
    const sandbox = await openSandbox({ mode: 'best', readable: [process.execPath, permissive] })
    const processes = await createProcessEngine({
      command: [process.execPath, permissive],
      identity: STAND_IN_IDENTITY,
      abilities: { ...NO_ABILITIES, unsupportedExit: 64 },
      slots: 2,
      limits: { ...DEFAULT_LIMITS, wallMs: 1500, outputBytes: 1024 * 1024 },
      sandbox,
    })
    engine = {
      ...processes,
      // One that hangs in earnest gets none of the patience meant for slow machines.
      runAlone: (program, options) => processes.runAlone(program, program.includes('-STOP') ? {} : options),
    }
    const isContained = sandbox.report.level !== 'none'
    await expectOwnVerdicts(engine, [...violent, ...(isContained ? bombs : [])], 4)
  })
})
