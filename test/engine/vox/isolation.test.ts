import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createProcessExec } from '../../../src/cli/process-exec.ts'
import { chooseIsolation } from '../../../src/engine/vox/isolation.ts'
import { resolveVox } from '../../../src/engine/vox/resolve-vox.ts'
import {
  copyWorkspace,
  hasCargo,
  needsCargo,
  pathWithout,
  pathWithScript,
  quickBuild,
  temporaryFolder,
  testDeps,
} from './vox-workspace.ts'

vi.setConfig({ testTimeout: 180_000 })

const exec = createProcessExec()
const isLinux = process.platform === 'linux'
const onLinux = isLinux ? '' : ' (skipped: Linux only)'

/** A build script that looks for the canary wherever a program can look for keys. */
const SPY = `use std::{env, fs};

fn main() {
    let mark = "canary-of-the-build-test";
    let mut found = Vec::new();
    for (name, value) in env::vars() {
        if value.contains(mark) {
            found.push(format!("variable {name}"));
        }
    }
    let mut scanned = 0;
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        if let Ok(bytes) = fs::read(entry.path().join("environ")) {
            scanned += 1;
            if String::from_utf8_lossy(&bytes).contains(mark) {
                found.push(format!("process {}", entry.path().display()));
            }
        }
    }
    let report = format!("scanned {scanned}\\nfound {found:?}\\n");
    fs::write(env::var("OUT_DIR").unwrap() + "/spied.txt", report).unwrap();
}
`

/** A process of ours with a key in its environment, as the harness itself would be. */
async function startBearer(value: string): Promise<number> {
  const bearer = spawn('sleep', ['600'], { env: { PATH: process.env.PATH ?? '', MODEL_API_KEY: value } })
  onTestFinished(() => void bearer.kill('SIGKILL'))
  await once(bearer, 'spawn')
  return bearer.pid ?? 0
}

const ways = [
  { name: 'the strongest isolation here', missing: [] },
  { name: 'a process namespace alone', missing: ['bwrap'] },
]

describe.skipIf(!hasCargo || !isLinux)(`a build script${needsCargo}${onLinux}`, () => {
  test.each(ways)('finds no key of ours, in $name', async ({ missing }) => {
    const canary = `canary-of-the-build-test-${randomUUID()}`
    const bearer = await startBearer(canary)
    // Without isolation anybody would find it.
    expect(readFileSync(`/proc/${bearer}/environ`, 'utf8')).toContain(canary)
    const { deps, lines } = testDeps()
    const env = { ...deps.env, PATH: pathWithout(...missing), MODEL_API_KEY: canary, VOX_SOURCE_TOKEN: canary }
    const { kind } = await chooseIsolation(exec, { PATH: env.PATH })
    const request = { source: { location: copyWorkspace({ 'crates/vox-cli/build.rs': SPY }) }, build: quickBuild }
    const resolved = resolveVox(request, { ...deps, env })
    if (kind === 'none') return await expect(resolved).rejects.toMatchObject({ code: 'vox/keys-in-reach' })
    await resolved
    expect(spiedIn(deps.workFolder)).toMatch(/^scanned [1-9]\d*\nfound \[\]\n$/)
    expect(lines).toContain(`vox: cargo runs in its own process namespace (${kind}), where it can read no keys`)
    expect(JSON.stringify(lines)).not.toContain(canary)
    return undefined
  })

  test('is not run where nothing isolates it and there are keys', async () => {
    const { deps } = testDeps()
    const env = { ...deps.env, PATH: pathWithout('bwrap', 'unshare'), MODEL_API_KEY: 'secret-value' }
    const request = { source: { location: copyWorkspace() }, build: quickBuild }
    const error = await resolveVox(request, { ...deps, env }).catch((error) => error)
    expect(error).toMatchObject({ code: 'vox/keys-in-reach' })
    expect(error.message).toContain('MODEL_API_KEY')
    expect(error.message).not.toContain('secret-value')
    expect(error.hint).toContain('without keys')
  })

  test('is run where nothing isolates it and there are no keys, which is said; the copy then serves where there are', async () => {
    const { deps, lines } = testDeps()
    const keyless = { PATH: pathWithout('bwrap', 'unshare'), HOME: process.env.HOME, RUSTUP_AUTO_INSTALL: '0' }
    const request = { source: { location: copyWorkspace() }, build: quickBuild }
    expect(await resolveVox(request, { ...deps, env: keyless })).toMatchObject({ provenance: 'built' })
    expect(lines.some((line) => line.startsWith('vox: cargo runs without isolation'))).toBe(true)
    const keyed = { ...keyless, MODEL_API_KEY: 'abc' }
    expect(await resolveVox(request, { ...deps, env: keyed })).toMatchObject({ provenance: 'cache' })
  })
})

describe.skipIf(!isLinux)(`isolation${onLinux}`, () => {
  test('is none, with the reason, where there is no tool for it', async () => {
    const { kind, reasons } = await chooseIsolation(exec, { PATH: pathWithout('bwrap', 'unshare') })
    expect([kind, reasons]).toEqual(['none', ['neither bwrap nor unshare is on PATH']])
  })

  test('passes over a tool that does not start', async () => {
    const bin = pathWithScript('bwrap', 'echo "bwrap: setting up uid map: Permission denied" >&2\nexit 1', 'unshare')
    const { kind, reasons } = await chooseIsolation(exec, { PATH: bin })
    expect([kind, reasons]).toEqual(['none', ['bwrap: bwrap: setting up uid map: Permission denied']])
  })

  test('passes over a tool that hides nothing', async () => {
    const bin = pathWithScript('bwrap', 'while [ "$1" != "--" ]; do shift; done\nshift\nexec "$@"', 'unshare')
    const { kind, reasons } = await chooseIsolation(exec, { PATH: bin })
    expect([kind, reasons]).toEqual(['none', ['bwrap: a process inside can read the environment of one outside']])
  })

  test.for(ways)('leaves only the named folders writable, in $name', async ({ missing }, { skip }) => {
    const env = { PATH: pathWithout(...missing) }
    const isolation = await chooseIsolation(exec, env)
    if (isolation.kind === 'none') return skip('nothing isolates here')
    if (isolation.kind === 'process namespace' && process.getuid?.() !== 0) return skip('a user cannot mount')
    const [open, closed] = [temporaryFolder(), temporaryFolder()]
    // On the file system that is read-only as a whole.
    const outside = mkdtempSync(path.join(homedir(), '.vox-test-'))
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
    const mounts = [`${outside}/a disk`, `${closed}/disk`, `${open}/disk`]
    for (const folder of mounts) mountDisk(folder)
    mkdirSync(path.join(open, 'guarded'))
    writeFileSync(path.join(open, 'masked'), 'token')
    const place = {
      cwd: open,
      readable: [closed],
      writable: [open],
      guarded: [path.join(open, 'guarded')],
      masked: [path.join(open, 'masked')],
      env,
    }
    const folders = [open, `${open}/guarded`, closed, outside, ...mounts]
    const script = `mount -o remount,bind,rw / 2>/dev/null
      for folder; do
        if touch "$folder/a" 2>/dev/null; then echo "wrote $folder"; fi
        case $folder in *disk) [ -e "$folder/kept" ] || echo "lost $folder" ;; esac
      done
      if [ -w /proc/sys/kernel/core_pattern ]; then echo "may say what the kernel starts"; fi
      cat masked; exit 0`
    const result = await exec.run(isolation.wrap(['sh', '-c', script, 'sh', ...folders], place), { cwd: open, env })
    expect(result).toMatchObject({ kind: 'exited', code: 0, stdout: `wrote ${open}\nwrote ${open}/disk\n` })
  })
})

/** A file system of its own where this user may mount one, else a folder. */
function mountDisk(folder: string): void {
  mkdirSync(folder)
  if (process.getuid?.() === 0) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,nosuid', 'tmpfs', folder])
    onTestFinished(() => void spawnSync('umount', ['--lazy', folder]))
  }
  writeFileSync(path.join(folder, 'kept'), '')
}

function spiedIn(workFolder: string): string {
  const [file, ...others] = readdirSync(workFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('spied.txt'),
  )
  expect(others).toEqual([])
  return readFileSync(path.join(workFolder, file ?? ''), 'utf8')
}
