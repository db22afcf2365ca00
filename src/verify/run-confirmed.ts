import type { CheckOutcome, Engine, RunOutcome } from '../engine/engine.ts'

/**
 * Runs a program. What may be the machine's doing counts only when it happens again while nothing else runs: a timeout, and a kill by
 * nobody here, which is the kernel's when memory is short.
 */
export async function runConfirmed(engine: Engine, program: string): Promise<RunOutcome> {
  const outcome = await engine.run(program)
  const isMachinesDoing = outcome.kind === 'timeout' || (outcome.kind === 'crashed' && outcome.signal === 'SIGKILL')
  return isMachinesDoing ? engine.runAlone(program) : outcome
}

/** Checks a program; a timeout counts only when it is confirmed alone. */
export async function checkConfirmed(engine: Engine, program: string): Promise<CheckOutcome> {
  const outcome = await engine.check(program)
  return outcome.kind === 'timeout' ? engine.check(program, { isAlone: true }) : outcome
}
