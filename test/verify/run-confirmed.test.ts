import { expect, test } from 'vitest'
import { captureOf } from '../../src/engine/captured-text.ts'
import type { Engine, RunOutcome } from '../../src/engine/engine.ts'
import { runConfirmed } from '../../src/verify/run-confirmed.ts'

const nothing = captureOf('')
const timeout: RunOutcome = { kind: 'timeout', stdout: nothing }
const killed: RunOutcome = { kind: 'crashed', signal: 'SIGKILL', stderr: nothing }
const crashed: RunOutcome = { kind: 'crashed', signal: 'SIGSEGV', stderr: nothing }
const fine: RunOutcome = { kind: 'exited', code: 0, stdout: nothing, stderr: nothing, elapsedMs: 1 }

/** What comes of a program whose run beside others ends like this, and alone well. */
function confirmed(beside: RunOutcome): Promise<RunOutcome> {
  const engine = { run: async () => beside, runAlone: async () => fine } as Partial<Engine> as Engine
  return runConfirmed(engine, '')
}

test.each([
  ['a timeout', timeout, 'exited'],
  ['a kill by nobody here', killed, 'exited'],
  ['a crash of its own', crashed, 'crashed'],
  ['an end of its own', fine, 'exited'],
] as const)('%s: what happens alone counts where the machine may have had a part', async (_, beside, kind) => {
  expect((await confirmed(beside)).kind).toBe(kind)
})
