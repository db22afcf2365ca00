import { existsSync, readdirSync, statSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type ActRun, createStorage, emptyRunnerTemporary, runAct } from './act-run.ts'
import { cloneThisRepository } from './repositories.ts'

const cargo = path.join(process.env.CARGO_HOME ?? path.join(process.env.HOME ?? '', '.cargo'), 'bin')
const hasCargo = existsSync(path.join(cargo, 'cargo'))

/** A job of this repository's own self-test, with `uses: ./`. */
function selfTest(job: string, storage = createStorage()): Promise<ActRun> {
  const { folder, commit, git } = cloneThisRepository()
  const workflow = '.github/workflows/self-test.yml'
  const use = '        uses: ./\n'
  const own = `${use}        env: { RUNNER_TEMP: ${emptyRunnerTemporary(storage)} }\n`
  commit({ [workflow]: git('show', `HEAD:${workflow}`).replaceAll(use, own) })
  return runAct({
    repository: folder,
    workflow,
    event: 'push',
    job,
    matrix: 'os:ubuntu-24.04',
    storage,
    path: cargo,
    env: {
      RUSTUP_HOME: process.env.RUSTUP_HOME ?? path.join(process.env.HOME ?? '', '.rustup'),
      RUSTUP_AUTO_INSTALL: '0',
    },
  })
}

test('recorded answers are scored through the committed dist', async () => {
  const run = await selfTest('embedded')
  expect(run.code, run.log).toBe(0)
  const artifact = 'self-test-ubuntu-24.04-1-1'
  expect(run.jobs[0]?.outputs).toMatchObject({ complete: 'true', 'spend-usd': '0', artifact })
  expect([...run.artifacts.keys()]).toEqual([artifact, `${artifact}.html`])
})

test.runIf(hasCargo)(
  'a vox is built once, restored by the next run, and built again when its entry is damaged',
  async () => {
    const storage = createStorage()
    const built = await selfTest('vox', storage)
    expect(built.code, built.log).toBe(0)
    expect(built.log).toMatch(/vox: built \d+ crates/)
    expect(built.log).toMatch(/vox: saved as/)

    const restored = await selfTest('vox', storage)
    expect(restored.code, restored.log).toBe(0)
    expect(restored.log).not.toMatch(/vox: built/)
    expect(restored.log).toMatch(/vox: cached build \S+ restored/)

    for (const entry of archives(path.join(storage, 'cache'))) truncateSync(entry, Math.floor(statSync(entry).size / 2))
    const rebuilt = await selfTest('vox', storage)
    expect(rebuilt.code, rebuilt.log).toBe(0)
    expect(rebuilt.log).toMatch(/vox: built \d+ crates/)
  },
)

/** Files of act's cache, but for its index. */
function archives(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const found = files.map((entry) => path.join(entry.parentPath, entry.name)).filter((file) => !file.endsWith('.db'))
  if (found.length === 0) throw new Error(`there is no archive below ${folder}`)
  return found
}
