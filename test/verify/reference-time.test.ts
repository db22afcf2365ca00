import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { DEFAULT_LIMITS } from '../../src/engine/engine.ts'
import { createProcessEngine } from '../../src/engine/process-engine.ts'
import { noSandbox } from '../../src/engine/sandbox/sandbox.ts'
import { createVerifier } from '../../src/verify/verify.ts'
import { NO_ABILITIES, STAND_IN_IDENTITY } from '../engine/stand-in.ts'
import { loadProblems, TWICE } from './temp-corpus.ts'

/** Checks at once; a run fails its assertions after a number of seconds that stands in the program as `sleep_N`. */
const SLOW_MACHINE = `#!/bin/sh
[ "$1" = check ] && exit 0
sleep "$(sed -n 's/.*sleep_\\([0-9_]*\\).*/\\1/p' program.vox | head -1 | tr _ .)"
echo 'Error: Eval failed: AssertionFailed("assert failed")' >&2
exit 1
`
const WALL_MS = 1500

let folder: string
let engine: Engine
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vox-slow-machine-'))
  const file = path.join(folder, 'vox.sh')
  await writeFile(file, SLOW_MACHINE)
  await chmod(file, 0o755)
  engine = await createProcessEngine({
    sandbox: noSandbox,
    command: [file],
    identity: STAND_IN_IDENTITY,
    abilities: NO_ABILITIES,
    limits: { ...DEFAULT_LIMITS, wallMs: WALL_MS },
  })
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

async function verdictOf(candidateSleep: string, referenceSleep: string) {
  const [fixture] = await loadProblems([{ ...TWICE, reference: `    // sleep_${referenceSleep}\n    return n * 2` }])
  if (fixture === undefined) throw new Error('the problem was not loaded')
  const verifier = createVerifier({ engine, key: 'k', isExplaining: false })
  const program = `fn twice(n: int) to int {\n    // sleep_${candidateSleep}\n    return n\n}\n`
  return (await verifier.verifyProgram(fixture, program)).verdict.kind
}

test('a candidate may overrun the limit where the reference is slow too', async () => {
  expect(await verdictOf('2', '0_5')).toBe('wrong-answer')
})

test('beside a quick reference it may not', async () => {
  expect(await verdictOf('60', '0')).toBe('timeout')
})

test('a reference that overruns itself earns nobody more time', async () => {
  expect(await verdictOf('60', '60')).toBe('timeout')
})
