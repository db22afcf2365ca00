import type { CheckOutcome, Engine, RunOutcome } from '../engine/engine.ts'

/** Runs a program; a timeout counts only when the program overruns again while nothing else runs. */
export async function runConfirmed(engine: Engine, program: string): Promise<RunOutcome> {
  const outcome = await engine.run(program)
  return outcome.kind === 'timeout' ? engine.runAlone(program) : outcome
}

/** Checks a program; a timeout counts only when it is confirmed alone. */
export async function checkConfirmed(engine: Engine, program: string): Promise<CheckOutcome> {
  const outcome = await engine.check(program)
  return outcome.kind === 'timeout' ? engine.check(program, { isAlone: true }) : outcome
}
