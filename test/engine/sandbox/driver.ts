import { createInterface } from 'node:readline'
import { BenchError } from '../../../src/bench-error.ts'
import { type SandboxLevel, sandboxLevels } from '../../../src/engine/engine.ts'
import { openSandbox } from '../../../src/engine/sandbox/open-sandbox.ts'
import { openVoxProcess } from '../../../src/engine/vox-process.ts'
import type { DriverAnswer, DriverCall } from './driven-sandbox.ts'

/**
 * A harness in a process of its own, so that tests can give it a user and kill it. Arguments: a level, then what is readable. It prints
 * the sandbox's report, then answers calls, JSON lines both.
 */
const [level = '', ...readable] = process.argv.slice(2)
const levels = sandboxLevels.filter((name): name is SandboxLevel => name === level)
const sandbox = await openSandbox({ mode: 'best', readable, levels, log: (line) => console.error(line) })
const vox = await openVoxProcess([], sandbox)
console.log(JSON.stringify(sandbox.report))
// What a test has done in a sandbox must never be done without it.
if (sandbox.report.level !== level) process.exit()

for await (const line of createInterface(process.stdin)) {
  const { id, command, program, limits, slot } = JSON.parse(line) as DriverCall
  vox.call(command, program, limits, slot).then(
    (end) => answer({ id, end }),
    (error) => answer({ id, error: error instanceof BenchError ? error.code : String(error) }),
  )
}
await vox.close()

function answer(message: DriverAnswer): void {
  console.log(JSON.stringify(message))
}
