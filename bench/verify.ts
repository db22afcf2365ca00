import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Fixture } from '../src/corpus/fixture.ts'
import { loadCorpus } from '../src/corpus/load-corpus.ts'
import { createEmbeddedEngine } from '../src/engine/embedded-engine.ts'
import type { Engine } from '../src/engine/engine.ts'
import { check } from '../src/language/check.ts'
import { run } from '../src/language/run.ts'
import type { Verifier } from '../src/verify/verify.ts'
import { createVerifier } from '../src/verify/verify.ts'
import type { Figure, Place } from './figure.ts'
import { median, times } from './figure.ts'
import { benchProcesses } from './processes.ts'

const SAMPLES = 10
const WARM_UPS = 3
const ROUNDS = 7

/** The embedded pool against its own interpreter, and processes against the way upstream verifies. */
export async function bench(place: Place): Promise<readonly Figure[]> {
  return [...(await benchPool(place)), ...(await benchProcesses(place))]
}

/**
 * Verification of every reference of the shipped corpus as if a model had written it, without the memo. The overhead is measured on a
 * single worker: the CPU time of whole attempts, all threads together, to that of the bare checker and interpreter on the very same
 * programs.
 */
async function benchPool({ root, folder }: Place): Promise<readonly Figure[]> {
  const { fixtures } = await loadCorpus(path.join(root, 'corpus'))
  const workerUrl = pathToFileURL(path.join(folder, 'embedded-worker.js'))
  const pool = createEmbeddedEngine({ workerUrl })
  const single = createEmbeddedEngine({ workerUrl, slots: 1 })
  try {
    return await measure(pool, single, fixtures)
  } finally {
    await pool.close()
    await single.close()
  }
}

async function measure(pool: Engine, single: Engine, fixtures: readonly Fixture[]): Promise<readonly Figure[]> {
  const pooled = await openVerifier(pool, fixtures)
  await verifyAll(pooled, fixtures, 1)
  const startedAt = performance.now()
  await verifyAll(pooled, fixtures, SAMPLES)
  const poolMs = performance.now() - startedAt

  const { engine, takeCalls } = recorded(single)
  const verifier = await openVerifier(engine, fixtures)
  const wholeMs: number[] = []
  const bareMs: number[] = []
  let programs = 0
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    takeCalls()
    const before = cpuMs()
    await verifyAll(verifier, fixtures, 1)
    const between = cpuMs()
    const calls = takeCalls()
    for (const call of calls) call()
    if (round < WARM_UPS) continue
    programs = calls.length
    wholeMs.push(between - before)
    bareMs.push(cpuMs() - between)
  }

  const attempts = fixtures.length * SAMPLES
  const [whole, bare] = [median(wholeMs), median(bareMs)]
  return [
    {
      what: 'attempts to their bare checking and running, CPU time',
      ratio: times(whole / bare),
      note: `${fixtures.length} attempts, ${programs} programs: ${whole.toFixed(0)} ms to ${bare.toFixed(0)} ms, medians of ${ROUNDS}`,
    },
    {
      what: `attempts on ${pool.slots} workers to bare checking and running on one thread`,
      ratio: times((bare * SAMPLES) / poolMs),
      note: `${fixtures.length} references x ${SAMPLES} samples in ${(poolMs / 1000).toFixed(1)} s: ${((attempts / poolMs) * 1000).toFixed(0)} attempts a second`,
    },
  ]
}

/** A verifier that has drawn its fresh inputs, which happens once in every run, whatever the number of attempts. */
async function openVerifier(engine: Engine, fixtures: readonly Fixture[]): Promise<Verifier> {
  const verifier = createVerifier({ engine, key: 'bench', isMemoised: false })
  await Promise.all(fixtures.map((fixture) => verifier.freshInputs(fixture)))
  return verifier
}

async function verifyAll(verifier: Verifier, fixtures: readonly Fixture[], samples: number): Promise<void> {
  const answers = fixtures.flatMap((fixture) => Array.from({ length: samples }, () => fixture))
  const verifications = await Promise.all(
    answers.map((fixture) =>
      verifier.verify(fixture, { text: `\`\`\`vox\n${fixture.reference}\`\`\``, finishReason: 'stop' }),
    ),
  )
  const failed = verifications.filter(({ verdict }) => verdict.kind !== 'passed').length
  if (failed > 0) throw new Error(`${failed} references did not pass`)
}

/** `engine`, with a way to check and run once more, in this thread, what it was given since the last time. */
function recorded(engine: Engine): { engine: Engine; takeCalls(): readonly (() => unknown)[] } {
  let calls: (() => unknown)[] = []
  const limits = { steps: 10_000_000, depth: 1024, memoryBytes: 512 * 2 ** 20 }
  return {
    engine: {
      ...engine,
      check(program, options) {
        calls.push(() => check(program))
        return engine.check(program, options)
      },
      run(program) {
        calls.push(() => run(program, { write: () => true, limits }))
        return engine.run(program)
      },
    },
    takeCalls() {
      const taken = calls
      calls = []
      return taken
    },
  }
}

/** CPU time of this process so far, its worker threads included. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
