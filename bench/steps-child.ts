import { run } from '../src/language/run.ts'

const WARM_UPS = 3
const ROUNDS = 7

/** What this process prints as JSON: the program of its first argument, run first in a fresh process and then again and again. */
export interface StepTimes {
  readonly steps: number
  readonly coldMs: number
  readonly warmMs: readonly number[]
}

function timeRun(source: string): { readonly steps: number; readonly elapsedMs: number } {
  const startedAt = performance.now()
  const result = run(source, {
    write: () => true,
    limits: { steps: 10_000_000, depth: 1024, memoryBytes: 512 * 2 ** 20 },
  })
  if (result.kind !== 'exited' || result.exit !== 0) throw new Error(`the program failed: ${JSON.stringify(result)}`)
  return { steps: result.steps, elapsedMs: performance.now() - startedAt }
}

const source = process.argv[2] ?? ''
const { steps, elapsedMs: coldMs } = timeRun(source)
for (let round = 0; round < WARM_UPS; round++) timeRun(source)
const warmMs = Array.from({ length: ROUNDS }, () => timeRun(source).elapsedMs)
console.log(JSON.stringify({ steps, coldMs, warmMs } satisfies StepTimes))
