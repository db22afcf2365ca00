import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { noSandbox } from '../../src/engine/sandbox/sandbox.ts'
import type { VoxAbilities } from '../../src/engine/vox-abilities.ts'
import { probeAbilities, runFlags } from '../../src/engine/vox-abilities.ts'
import { openVoxProcess } from '../../src/engine/vox-process.ts'
import { buildEntry } from './built-worker.ts'
import { NO_ABILITIES } from './stand-in.ts'

vi.setConfig({ testTimeout: 120_000 })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vox-abilities-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function abilitiesOf(command: readonly string[]): Promise<VoxAbilities> {
  const vox = await openVoxProcess(command, noSandbox)
  try {
    return await probeAbilities(vox, null)
  } finally {
    await vox.close()
  }
}

async function abilitiesOfScript(script: string): Promise<VoxAbilities> {
  const file = path.join(folder, 'vox.sh')
  await writeFile(file, `#!/bin/sh\nfor last; do :; done\n${script}\n`)
  await chmod(file, 0o755)
  return abilitiesOf([file])
}

test('vox-embedded does all that vox of September does', async () => {
  expect(await abilitiesOf([process.execPath, await buildEntry('cli/vox-embedded.ts')])).toEqual({
    jsonDiagnostics: true,
    diagnosticStream: 'stderr',
    capsDirective: true,
    capsFlag: true,
    maxSteps: true,
    maxMemory: true,
    finalValue: 'display',
    indexingIsOption: true,
    recursion: true,
    writeBack: true,
    unsupportedExit: null,
  })
})

test('a binary like that of May: no flags, values in debug form, denials that do not end the program', async () => {
  const abilities = await abilitiesOfScript(`
case "$*" in *--caps*|*--max*|*--output-format*) echo 'error: unexpected argument' >&2; exit 2;; esac
if [ "$1" = check ]; then
  grep -q nowhere_defined "$last" && { echo 'error[E0001]: Undefined variable: nowhere_defined' ; exit 1; }
  exit 0
fi
grep -q 'caps none' "$last" && echo "Capability denied: script missing capability for 'fs' namespace"
grep -q assert "$last" && { echo 'Error: Eval failed' >&2; exit 1; }
echo 'Str("ok")'`)
  expect(abilities).toEqual({
    ...NO_ABILITIES,
    diagnosticStream: 'stdout',
    capsDirective: true,
    finalValue: 'debug',
    indexingIsOption: false,
    recursion: false,
    writeBack: false,
  })
})

test('a flag that is accepted and ignored is no ability', async () => {
  const abilities = await abilitiesOfScript('echo ok')
  expect([abilities.capsDirective, abilities.capsFlag, abilities.maxSteps, abilities.jsonDiagnostics]).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test('a binary that fails at everything can do nothing', async () => {
  const abilities = await abilitiesOfScript('exit 1')
  expect(abilities.finalValue).toBe('none')
  expect(Object.values(abilities).filter((value) => value === true)).toEqual([])
})

test('only flags that are there are given', () => {
  expect(runFlags(NO_ABILITIES, 1000)).toEqual([])
  expect(runFlags({ ...NO_ABILITIES, capsFlag: true, maxMemory: true }, 1000)).toEqual([
    '--caps',
    'process:none',
    '--max-memory',
    '1000',
  ])
})
