import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { buildCli } from './built-cli.ts'
import { type CliResult, startNode } from './cli-process.ts'

let folder: string

beforeAll(async () => {
  folder = await buildCli()
})

const run = (...args: string[]): Promise<CliResult> => startNode([path.join(folder, 'cli.js'), ...args]).result

test.each([
  ['mens', ['mens list', 'mens check-data']],
  ['corpus', ['corpus audit']],
])('%s lists its commands, however it is asked', async (group, names) => {
  const [alone, long, short, help] = await Promise.all([
    run(group),
    run(group, '--help'),
    run(group, '-h'),
    run('help', group),
  ])
  expect(alone).toMatchObject({ code: 0, stderr: '' })
  for (const name of names) expect(alone?.stdout).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
  expect([long, short, help]).toEqual([alone, alone, alone])
})

test('an unknown command of a group is told with those of the group', async () => {
  const { code, stderr } = await run('mens', 'lst')
  expect(code).toBe(2)
  expect(stderr).toContain('There is no command "mens lst".')
  expect(stderr).toContain('The commands are: mens list, mens check-data. Did you mean mens list?')
})

test('an unknown first word is told with all commands', async () => {
  const { code, stderr } = await run('sweep', 'lst')
  expect([code, stderr.includes('There is no command "sweep".')]).toEqual([2, true])
})

test('commands of a group stand together in the overview', () => {
  const groups = [...commands.keys()].map((name) => name.split(' ')[0])
  const runs = groups.filter((group, index) => group !== groups[index - 1])
  expect(new Set(runs).size).toBe(runs.length)
})
