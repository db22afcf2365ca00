import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { resolveVox, type VoxBuildOptions } from '../../../src/engine/vox/resolve-vox.ts'
import { gateOutcome } from '../../../src/engine/vox/source-gate.ts'
import type { VoxDeps } from '../../../src/engine/vox/vox-request.ts'
import { copyWorkspace, hasCargo, needsCargo, quickBuild, temporaryFolder, testDeps } from './vox-workspace.ts'

vi.setConfig({ testTimeout: 180_000 })

const request = (tree: string, sourceGate: VoxBuildOptions['sourceGate']) => ({
  source: { location: tree },
  build: { ...quickBuild, jobs: 2, sourceGate },
})

/** What the gate of a source comes to whose `vox` is this shell script; a second call asks the same state again. */
function gateOf(script: string, changes: Partial<VoxDeps> = {}) {
  const { deps } = testDeps()
  mkdirSync(deps.workFolder)
  const executable = path.join(temporaryFolder(), 'vox')
  const tree = temporaryFolder()
  const CARGO_HOME = temporaryFolder()
  return async (text = script) => {
    writeFileSync(executable, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    return await gateOutcome(
      {
        key: 'key',
        tree,
        executable,
        targetFolder: path.join(deps.workFolder, 'target'),
        options: { ...quickBuild, sourceGate: 'record' },
        isolation: { kind: 'none', reasons: [], wrap: (command) => command },
        env: { PATH: process.env.PATH ?? '', CARGO_HOME },
      },
      { ...deps, ...changes, env: {} },
    )
  }
}

test('what the gate says is read whole where its output is cut between two bytes of a character', async () => {
  const { exec } = testDeps().deps
  const bytewise: typeof exec = {
    run: (command, options) =>
      exec.run(command, {
        ...options,
        onOutput(piece, stream) {
          for (const byte of piece) options.onOutput?.(Buffer.of(byte), stream)
        },
      }),
  }
  const ask = gateOf('echo "==> vérifier été.vox"; echo "à côté" >&2; exit 1', { exec: bytewise })
  const outcome = await ask()
  expect(outcome.detail).toContain('it stopped at: vérifier été.vox')
  expect(outcome.tail).toContain('à côté')
})

test.each([
  ['the gate was killed', 'echo "==> tests"; kill -9 $$', 'it was stopped (SIGKILL)'],
  ['its shell says that it was killed', 'exit 137', 'it was stopped (exit code 137)'],
  ['the disk was full', 'echo "error: No space left on device (os error 28)"; exit 101', 'the disk was full'],
  ['memory ran out', 'echo "memory allocation of 8 bytes failed"; exit 101', 'memory ran out'],
  [
    'nothing could be fetched',
    'echo "error: failed to download serde" >&2; exit 101',
    'cargo could not fetch what it needs',
  ],
])('that %s is no outcome of the source, and it is asked again', async (_what, script, detail) => {
  const ask = gateOf(script)
  expect(await ask()).toMatchObject({ outcome: 'not-run', detail })
  expect(await ask('exit 0')).toMatchObject({ outcome: 'passed' })
})

test('that the gate crashed by itself is an outcome, which is kept', async () => {
  const ask = gateOf('kill -SEGV $$')
  expect(await ask()).toMatchObject({ outcome: 'failed', detail: 'it ended with killed by SIGSEGV' })
  expect(await ask('exit 0')).toMatchObject({ outcome: 'failed' })
})

describe.skipIf(!hasCargo)(`the gate of a source${needsCargo}`, () => {
  test('is not asked unless it should be', async () => {
    const { deps, lines } = testDeps()
    expect((await resolveVox(request(copyWorkspace(), 'off'), deps)).sourceGate).toBeNull()
    expect(lines.some((line) => line.includes('gate'))).toBe(false)
  })

  test('runs once for a state of the source, on a copy, with limited jobs', async () => {
    const tree = copyWorkspace()
    const { deps, lines } = testDeps()
    const vox = await resolveVox(request(tree, 'require'), deps)
    expect(vox.sourceGate).toEqual({ outcome: 'passed', detail: 'it found nothing', tail: '' })
    expect(lines).toContain("vox: the source's gate runs (vox ci pre-push --complete, jobs: 2)")
    expect(readdirSync(tree)).not.toContain('gate-report.txt')
    lines.length = 0
    expect((await resolveVox(request(tree, 'require'), deps)).sourceGate).toEqual(vox.sourceGate)
    expect(lines.some((line) => line.includes('gate runs'))).toBe(false)
  })

  test('that fails is recorded with the end of its output and the command that mends it', async () => {
    const { deps } = testDeps()
    const { sourceGate } = await resolveVox(request(copyWorkspace({ 'gate.txt': 'stale\n' }), 'record'), deps)
    expect(sourceGate).toEqual({
      outcome: 'failed',
      // The same words each time, wherever the copy lay.
      detail:
        'it ended with exit code 1; it stopped at: vox ci gate-check (jobs 2); it says: run `vox ci gate-sync --write` in the source, and commit what changes',
      tail: '==> vox ci gate-check (jobs 2)\npre-push: ./gate.txt is stale; run `vox ci gate-sync --write` from the repo root',
    })
  })

  test('a command in a diff that the gate prints is not taken for its advice', async () => {
    const tree = copyWorkspace({
      'crates/vox-cli/src/gate.rs': `use std::process::ExitCode;
pub fn run() -> ExitCode { println!("==> fmt\\n-    // run \`old\`\\n+    // run \`new\`\\n     run \`context\`"); ExitCode::FAILURE }
`,
    })
    const { deps } = testDeps()
    const { sourceGate } = await resolveVox(request(tree, 'record'), deps)
    expect(sourceGate?.detail).toBe('it ended with exit code 1; it stopped at: fmt')
  })

  test('that fails stops a run that requires it; the build is kept', async () => {
    const tree = copyWorkspace({ 'gate.txt': 'stale\n' })
    const { deps } = testDeps()
    const error = await resolveVox(request(tree, 'require'), deps).catch((error) => error)
    expect(error).toMatchObject({ code: 'vox/source-gate' })
    expect(error.message).toContain('vox ci gate-sync --write')
    expect(await resolveVox(request(tree, 'off'), deps)).toMatchObject({ provenance: 'cache' })
  })

  test('that this vox does not have is recorded as not run', async () => {
    const { deps } = testDeps()
    const tree = copyWorkspace({
      'crates/vox-cli/src/gate.rs': `use std::process::ExitCode;
pub fn run() -> ExitCode { eprintln!("error: unrecognized subcommand 'ci'"); ExitCode::from(2) }
`,
    })
    expect((await resolveVox(request(tree, 'record'), deps)).sourceGate?.outcome).toBe('not-run')
  })
})
