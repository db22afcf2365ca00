import type { RunResult } from '../../src/language/parse-result.ts'
import { run } from '../../src/language/run.ts'
import type { RunLimits } from '../../src/language/run-limits.ts'

/** Vox's own limits on steps and depth, and the harness's on memory. */
export const LIMITS: RunLimits = { steps: 10_000_000, depth: 1024, memoryBytes: 512 * 2 ** 20 }

export interface Observed {
  readonly result: RunResult
  readonly stdout: string
}

/** Runs `source` and keeps what it prints. */
export function observe(source: string, limits: Partial<RunLimits> = {}, caps: readonly string[] = []): Observed {
  let stdout = ''
  const write = (text: string): boolean => {
    stdout += text
    return true
  }
  const result = run(source, { write, limits: { ...LIMITS, ...limits }, caps })
  return { result, stdout }
}

/** Runs statements as the body of `main`. */
export function observeBody(body: string, limits: Partial<RunLimits> = {}): Observed {
  return observe(`fn main() {\n${body}\n}\n`, limits)
}

/** What a program prints; throws when it does not end with exit 0. */
export function outputOf(source: string): string {
  const { result, stdout } = observe(source)
  if (result.kind !== 'exited' || result.exit !== 0) throw new Error(`${JSON.stringify(result)}\n${source}`)
  return stdout
}
