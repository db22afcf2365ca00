import type { Engine } from '../engine/engine.ts'

/** How many times as long as the reference a candidate may take before it counts as never ending. */
const TIMES_REFERENCE = 50

/**
 * `engine` with the patience a slow machine needs: a program that is tried again alone, because it overran, gets up to fifty times as
 * long as `reference` takes here and now, where that is more than the engine's own limit. The reference is timed once, alone, when the
 * first program overruns; one that does not end by itself changes nothing.
 */
export function scaleToReference(engine: Engine, reference: string): Engine {
  let timed: Promise<number> | null = null

  async function timeReference(): Promise<number> {
    const outcome = await engine.runAlone(reference)
    return outcome.kind === 'exited' ? outcome.elapsedMs * TIMES_REFERENCE : 0
  }
  function patience(): Promise<number> {
    timed ??= timeReference()
    return timed
  }

  return {
    ...engine,
    async check(program, options = {}) {
      return engine.check(program, options.isAlone ? { ...options, atLeastMs: await patience() } : options)
    },
    async runAlone(program) {
      return engine.runAlone(program, { atLeastMs: await patience() })
    },
  }
}
