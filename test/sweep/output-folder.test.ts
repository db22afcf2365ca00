import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test, vi } from 'vitest'
import { prepareOutput } from '../../src/sweep/output-folder.ts'
import { buildEntry } from '../engine/built-worker.ts'
import { temporaryFolder } from './small-corpus.ts'

vi.setConfig({ testTimeout: 60_000 })

let module: string
beforeAll(async () => {
  module = await buildEntry('sweep/output-folder.ts')
})

const NAMES = ['attempts.jsonl', 'report.json', 'report.html', 'summary.md', 'sweep.json']

function folderOfRun(): string {
  const folder = temporaryFolder()
  for (const name of NAMES) writeFileSync(path.join(folder, name), `${name} of the earlier run`)
  return folder
}

/** Begins a journal in a process of its own, which is killed before or after the `at`-th file that it links, renames or removes. */
function beginAndDie(folder: string, at: number, when: 'before' | 'after'): { wasKilled: boolean } {
  const script = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { folder, at, when } = JSON.parse(process.argv[1])
let steps = -1
for (const name of ['linkSync', 'renameSync', 'rmSync', 'mkdirSync']) {
  const act = fs[name]
  fs[name] = (...given) => {
    if (steps < 0) return act(...given)
    const isLast = steps++ === at
    if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL')
    act(...given)
    if (isLast) process.kill(process.pid, 'SIGKILL')
  }
}
syncBuiltinESMExports()
const { prepareOutput } = await import(${JSON.stringify(pathToFileURL(module).href)})
const output = await prepareOutput(folder)
output.claim()
steps = 0
output.startJournal()
`
  const node = ['--input-type=module', '-e', script, JSON.stringify({ folder, at, when })]
  const { signal, status, stderr } = spawnSync(process.execPath, node, { encoding: 'utf8' })
  if (signal === null) expect(status, stderr).toBe(0)
  return { wasKilled: signal === 'SIGKILL' }
}

const isWhole = (folder: string) =>
  NAMES.every((name) => {
    const file = path.join(folder, name)
    return existsSync(file) && readFileSync(file, 'utf8') === `${name} of the earlier run`
  })

test.each(['before', 'after'] as const)(
  'wherever a process is killed %s a step of setting a run aside, one folder has all of it',
  async (when) => {
    let at = 0
    for (; ; at++) {
      const folder = folderOfRun()
      const { wasKilled } = beginAndDie(folder, at, when)
      const earlier = path.join(folder, 'earlier-1')
      expect([folder, earlier].some(isWhole), `step ${at}`).toBe(true)
      // Whoever resumes would take it for a run that has asked nothing.
      if (!existsSync(path.join(folder, 'attempts.jsonl'))) expect(readdirSync(folder)).not.toContain('sweep.json')
      const output = await prepareOutput(folder)
      output.startJournal()
      output.release()
      expect([earlier, path.join(folder, 'earlier-2')].some(isWhole), `step ${at}, and then another run`).toBe(true)
      expect(readdirSync(folder).filter((name) => !name.startsWith('earlier-'))).toEqual([])
      if (!wasKilled) break
    }
    expect(at).toBeGreaterThan(2 * NAMES.length)
  },
)

test('files of which no link can be made, as of another user’s, are set aside as well', () => {
  const folder = folderOfRun()
  const script = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { linkSync } = fs
fs.linkSync = (from, to) => {
  if (to.includes('.run.lock')) return linkSync(from, to)
  throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' })
}
syncBuiltinESMExports()
const { prepareOutput } = await import(${JSON.stringify(pathToFileURL(module).href)})
const output = await prepareOutput(process.argv[1])
output.startJournal()
output.release()
`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, folder])
  expect(status, String(stderr)).toBe(0)
  expect(isWhole(path.join(folder, 'earlier-1'))).toBe(true)
  expect(readdirSync(folder)).toEqual(['earlier-1'])
})
