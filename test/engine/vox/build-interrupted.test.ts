import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { resolveVox } from '../../../src/engine/vox/resolve-vox.ts'
import { buildEntry } from '../built-worker.ts'
import { copyWorkspace, entriesOf, hasCargo, needsCargo, quickBuild, runProgram, testDeps } from './vox-workspace.ts'

vi.setConfig({ testTimeout: 180_000 })

const PROGRAM = 'fn main() to int { return 6 * 7 }'

describe.skipIf(!hasCargo)(`a build${needsCargo}`, () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'that a %s to its harness ends leaves nothing that runs or is kept, and is made good by the next',
    async (signal) => {
      const { deps, cacheFolder } = testDeps()
      const request = { source: { location: copyWorkspace(slowCompiler) }, build: quickBuild }
      const modules = await Promise.all(
        ['engine/vox/resolve-vox.ts', 'cli/process-exec.ts', 'cli/folder-cache.ts'].map(
          async (source) => pathToFileURL(await buildEntry(source)).href,
        ),
      )
      const script = `
import { resolveVox } from '${modules[0]}'
import { createProcessExec } from '${modules[1]}'
import { createFolderCache } from '${modules[2]}'
await resolveVox(${JSON.stringify(request)}, {
  exec: createProcessExec(),
  cache: createFolderCache(${JSON.stringify(cacheFolder)}),
  workFolder: ${JSON.stringify(deps.workFolder)},
  env: { ...process.env, LANG: 'slow' },
  log: (line) => console.log(line),
})`
      const harness = spawn(process.execPath, ['--input-type=module', '--eval', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(harness, 'exit')
      for await (const line of createInterface({ input: harness.stdout })) if (line.includes('vox: 1 of 4')) break
      harness.kill(signal)
      expect(await ended).toEqual([null, signal])
      while (isUsed(deps.workFolder)) await sleep(50)
      expect(entriesOf(path.join(deps.workFolder, 'builds'))).toEqual([])
      expect(entriesOf(cacheFolder)).toEqual([])

      const vox = await resolveVox(request, deps)
      expect(vox.provenance).toBe('built')
      expect(runProgram(vox.executable, PROGRAM)).toBe('42\n')
    },
  )

  test('of one tree that another is under way for waits for it', async () => {
    const { deps, lines, cacheFolder } = testDeps()
    const request = { source: { location: copyWorkspace() }, build: quickBuild }
    const [one, other] = await Promise.all([resolveVox(request, deps), resolveVox(request, deps)])
    expect(one).toEqual(other)
    expect(one.provenance).toBe('built')
    expect(lines).toContain('vox: another build of this tree is under way; waiting for it')
    expect(runProgram(one.executable, PROGRAM)).toBe('42\n')
    expect(entriesOf(cacheFolder)).toHaveLength(1)
    expect(entriesOf(path.join(deps.workFolder, 'builds'))).toHaveLength(1)
  })
})

/** A compiler that takes minutes for the second crate where LANG, which builds are given, says so. */
const slowCompiler = {
  '.cargo/config.toml': '[build]\nrustc-wrapper = "./slow.sh"\n',
  'slow.sh': `#!/bin/sh
case "$LANG $*" in
  slow*"--crate-name vox_eval"*) sleep 600 ;;
esac
exec "$@"
`,
}

/** Whether any process works in a folder, as its command line tells. */
function isUsed(folder: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(path.join('/proc', name, 'cmdline'), 'utf8').includes(folder)
    } catch {
      return false
    }
  })
}
