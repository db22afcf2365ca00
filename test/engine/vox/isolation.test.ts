import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createProcessExec } from '../../../src/cli/process-exec.ts'
import { chooseIsolation } from '../../../src/engine/vox/isolation.ts'
import { resolveVox } from '../../../src/engine/vox/resolve-vox.ts'
import {
  commitAll,
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
    println!("cargo:warning=scanned {scanned}");
    println!("cargo:warning=found {found:?}");
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
    expect(warningsIn(deps.workFolder)).toEqual([expect.stringMatching(/^scanned [1-9]\d*$/), 'found []'])
    expect(lines).toContain(`vox: cargo runs in its own process namespace (${kind}), where it can read no keys`)
    expect(JSON.stringify(lines)).not.toContain(canary)
    return undefined
  })

  test.for(ways)("cannot change what the user's cargo goes by, in $name", async ({ missing }, { skip }) => {
    const home = folderOnDisk()
    const env = { ...process.env, HOME: home, CARGO_HOME: `${home}/.cargo`, PATH: pathWithout(...missing) }
    const { deps } = testDeps({ env: { ...env, RUSTUP_HOME: rustupHome(), RUSTUP_AUTO_INSTALL: '0' } })
    if (!(await canMount(deps.env))) return skip('nothing isolates files here')
    mkdirSync(path.join(home, '.cargo', 'registry', 'src'), { recursive: true })
    writeFileSync(path.join(home, '.cargo', 'credentials.toml'), 'token = "canary"')
    const files = ['config.toml', 'config', 'env', 'bin/cargo', 'registry/src/planted', '.package-cache', '../.bashrc']
    const script = scriptOf(
      `for file in ${files.join(' ')}; do mkdir -p "$(dirname ${home}/.cargo/$file)"; echo planted > ${home}/.cargo/$file; done`,
      `cat ${home}/.cargo/credentials.toml "$CARGO_HOME/credentials.toml"`,
      'for file in config.toml bin config; do echo planted > "$CARGO_HOME/$file" && echo wrote; done',
      'mv "$CARGO_HOME" "$CARGO_HOME.away" && echo moved',
      'echo "its own: $CARGO_HOME"',
    )
    const tree = copyWorkspace({ 'crates/vox-cli/build.rs': script })
    await resolveVox({ source: { location: tree }, build: quickBuild }, deps)
    const [said, ...others] = warningsIn(deps.workFolder)
    expect(others).toEqual([])
    expect(said).toContain(`its own: ${deps.workFolder}/targets/`)
    expect(readdirSync(home, { recursive: true }).sort()).toEqual(
      ['.cargo', '.cargo/credentials.toml', '.cargo/registry', '.cargo/registry/src'].sort(),
    )
    return undefined
  })

  test.for(ways)(
    "reads no token of the tree's repository and can ask its commit, in $name",
    async ({ missing }, { skip }) => {
      const { deps } = testDeps()
      const env = { ...deps.env, PATH: pathWithout(...missing) }
      if (!(await canMount(env))) return skip('nothing isolates files here')
      const script = scriptOf(
        'git rev-parse HEAD',
        'repository=$(git rev-parse --path-format=absolute --git-common-dir)',
        'cat "$repository/config" "$repository/modules/inner/config" | grep canary',
        'if echo x >> "$repository/config"; then echo "wrote"; fi',
      )
      const tree = copyWorkspace({ 'crates/vox-cli/build.rs': script })
      const commit = commitAll(tree)
      writeFileSync(path.join(tree, '.git', 'config'), '[http]\n\textraheader = canary\n', { flag: 'a' })
      mkdirSync(path.join(tree, '.git', 'modules', 'inner'), { recursive: true })
      writeFileSync(path.join(tree, '.git', 'modules', 'inner', 'config'), '[http]\n\textraheader = canary\n')
      await resolveVox({ source: { location: tree }, build: quickBuild }, { ...deps, env })
      expect(warningsIn(deps.workFolder)).toEqual([commit])
      // A worktree has its repository elsewhere.
      const linked = path.join(folderOnDisk(), 'linked')
      execFileSync('git', ['worktree', 'add', '--quiet', '--detach', linked], { cwd: tree })
      rmSync(deps.workFolder, { recursive: true })
      const elsewhere = { ...deps, cache: testDeps().deps.cache, env }
      await resolveVox({ source: { location: linked }, build: quickBuild }, elsewhere)
      expect(warningsIn(deps.workFolder)).toEqual([commit])
      return undefined
    },
  )

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
    if (!(await canMount(env))) return skip('nothing isolates files here')
    const isolation = await chooseIsolation(exec, env)
    const [open, closed] = [temporaryFolder(), temporaryFolder()]
    // On the file system that is read-only as a whole.
    const outside = folderOnDisk()
    const mounts = [`${outside}/a disk`, `${closed}/disk`, `${open}/disk`]
    for (const folder of mounts) mountDisk(folder)
    writeFileSync(path.join(open, 'replaced'), 'token')
    writeFileSync(path.join(closed, 'by'), '')
    const place = {
      cwd: open,
      readable: [closed],
      writable: [open],
      replaced: [{ file: path.join(open, 'replaced'), by: path.join(closed, 'by') }],
      env,
    }
    const folders = [open, closed, outside, ...mounts]
    const script = `mount -o remount,bind,rw / 2>/dev/null
      for folder; do
        if touch "$folder/a" 2>/dev/null; then echo "wrote $folder"; fi
        case $folder in *disk) [ -e "$folder/kept" ] || echo "lost $folder" ;; esac
      done
      if [ -w /proc/sys/kernel/core_pattern ]; then echo "may say what the kernel starts"; fi
      if echo x >> replaced; then echo "wrote the replacement"; fi 2>/dev/null
      cat replaced; exit 0`
    const result = await exec.run(isolation.wrap(['sh', '-c', script, 'sh', ...folders], place), { cwd: open, env })
    expect(result).toMatchObject({ kind: 'exited', code: 0, stdout: `wrote ${open}\nwrote ${open}/disk\n` })
  })

  test.for(ways)('hides homes but for programs and named folders in them, in $name', async ({ missing }, { skip }) => {
    const home = folderOnDisk()
    const env = { PATH: `${home}/bin:${pathWithout(...missing)}`, HOME: home, RUNNER_TEMP: folderOnDisk() }
    if (!(await canMount(env))) return skip('nothing isolates files here')
    const isolation = await chooseIsolation(exec, env)
    // The home that the system has for this user is another one.
    const real = mkdtempSync(path.join(userInfo().homedir, '.vox-test-'))
    onTestFinished(() => rmSync(real, { recursive: true, force: true }))
    for (const folder of ['bin', 'src/tree', '.cache/target', '.ssh'])
      mkdirSync(`${home}/${folder}`, { recursive: true })
    const secrets = [`${home}/.netrc`, `${home}/.ssh/id`, `${home}/src/other`, `${real}/key`, `${env.RUNNER_TEMP}/git`]
    for (const file of [...secrets, `${home}/src/tree/main`]) writeFileSync(file, `content of ${file}\n`)
    writeFileSync(`${home}/bin/tool`, '#!/bin/sh\necho tool\n', { mode: 0o755 })
    const tree = `${home}/src/tree`
    const target = `${home}/.cache/target`
    const script = `cat ${secrets.join(' ')} 2>/dev/null; tool; cat main; echo made > ${target}/out
      echo bad 2>/dev/null > ${tree}/out; echo bad 2>/dev/null > ${home}/bin/tool; echo fine > "$HOME/scratch" && echo end`
    const place = { cwd: tree, readable: [tree], writable: [target], env }
    const result = await exec.run(isolation.wrap(['sh', '-c', script], place), { cwd: tree, env })
    expect(result).toMatchObject({ stdout: `tool\ncontent of ${tree}/main\nend\n` })
    expect(readdirSync(home, { recursive: true }).filter((name) => /out|scratch/.test(String(name)))).toEqual([
      '.cache/target/out',
    ])
    expect(readdirSync('/tmp').filter((name) => name.startsWith('vox-hidden-'))).toEqual([])
    return undefined
  })
})

const rustupHome = () => process.env.RUSTUP_HOME ?? path.join(userInfo().homedir, '.rustup')

async function canMount(env: NodeJS.ProcessEnv): Promise<boolean> {
  const { kind } = await chooseIsolation(exec, { PATH: env.PATH ?? '' })
  return kind === 'bubblewrap' || (kind === 'process namespace' && process.getuid?.() === 0)
}

/** A file system of its own where this user may mount one, else a folder. */
function mountDisk(folder: string): void {
  mkdirSync(folder)
  if (process.getuid?.() === 0) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,nosuid', 'tmpfs', folder])
    onTestFinished(() => void spawnSync('umount', ['--lazy', folder]))
  }
  writeFileSync(path.join(folder, 'kept'), '')
}

/** What build scripts said, as the logs of builds in a work folder have it. */
function warningsIn(workFolder: string): string[] {
  const logs = path.join(workFolder, 'logs')
  const text = readdirSync(logs).map((name) => readFileSync(path.join(logs, name), 'utf8'))
  return [...text.join('').matchAll(/^warning: vox-cli@[\d.]+: (.*)$/gm)].map(([, said = '']) => said)
}

/** One that is neither in a home nor in the folder of temporary files. */
function folderOnDisk(): string {
  const folder = mkdtempSync('/var/tmp/vox-test-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A build script that runs shell commands and says what they print. */
const scriptOf = (...commands: readonly string[]) => `use std::process::Command;

fn main() {
    let run = Command::new("sh").args(["-c", r#"${commands.join('\n')}"#]).output().unwrap();
    for line in String::from_utf8_lossy(&run.stdout).lines() {
        println!("cargo:warning={line}");
    }
}
`
