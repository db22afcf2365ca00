import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comparisonSchema } from '../../src/compare/comparison-schema.ts'
import { baseReport, failing, headReport, range } from '../compare/sample-pair.ts'
import { buildCli } from './built-cli.ts'
import { startNode } from './cli-process.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vox-compare-'))
const file = (name: string) => path.join(folder, name)
let script: string

beforeAll(async () => {
  script = path.join(await buildCli(), 'cli.js')
  const write = async (name: string, report: ReturnType<typeof baseReport>) =>
    writeFileSync(file(name), JSON.stringify(await report))
  await write('base.json', baseReport())
  await write('same.json', headReport())
  await write('worse.json', headReport({ outcome: failing(...range(0, 6)) }))
  await write('four-lost.json', headReport({ outcome: failing(...range(0, 4)) }))
  await write('smoke.json', headReport({ purpose: 'smoke' }))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function compare(...args: readonly string[]) {
  return startNode([script, 'compare', ...args], { cwd: folder }).result
}

test.each([
  ['regressed', 1, ['base.json', 'worse.json'], 'Regressed'],
  ['blocked', 1, ['base.json', 'smoke.json'], 'Blocked'],
  ['cannot tell', 0, ['base.json', 'same.json'], 'Cannot tell'],
  ['improved', 0, ['worse.json', 'base.json'], 'Improved'],
  ['no baseline', 0, ['none', 'same.json'], 'No baseline'],
  [
    'kept by the gate, broken by the preset',
    1,
    ['base.json', 'four-lost.json', '--preset', 'upstream'],
    'broken: at most 3',
  ],
  ['the same without the preset', 0, ['base.json', 'four-lost.json'], 'Cannot tell'],
  ['a later push', 0, ['base.json', 'worse.json', '--push', '2'], 'j = 2'],
])('%s exits %i', async (_, code, args, words) => {
  const result = await compare(...args)
  expect(result.stdout).toContain(words)
  expect(result).toMatchObject({ code, stderr: '' })
})

test('--output writes both files, and --json prints the first', async () => {
  const { code, stdout } = await compare('base.json', 'worse.json', '--output', 'new/out', '--json')
  expect(code).toBe(1)
  const written = JSON.parse(readFileSync(file('new/out/comparison.json'), 'utf8'))
  expect(comparisonSchema.parse(written).outcome).toBe('regressed')
  expect(JSON.parse(stdout)).toEqual(written)
  expect(readFileSync(file('new/out/comparison.md'), 'utf8')).toContain('## Regressed')
})

test('every problem of the options is told at once', async () => {
  const { code, stderr } = await compare(
    'none',
    'same.json',
    '--alpha',
    '2',
    '--margin',
    '10',
    '--push',
    '0',
    '--horizon',
    '3',
    '--preset',
    'x',
    '--draws',
    'same.json',
  )
  expect(code).toBe(2)
  for (const option of [
    '--alpha: 2',
    '--margin: 10',
    '--push: 0',
    '--push and --horizon',
    '--preset: there is no preset "x"',
    '--draws: without a BASE',
  ])
    expect(stderr).toContain(option)
})

test.each([
  ['an alpha of 0.6', ['base.json', 'same.json', '--alpha', '0.6'], '--alpha: 0.6 does not lie between 0 and 0.5'],
  ['none as HEAD', ['base.json', 'none'], 'none stands for BASE only'],
])('%s is refused', async (_, args, words) => {
  const { code, stderr } = await compare(...args)
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})

test('a subject that is not there ends with 2 and the ones that are', async () => {
  const { code, stderr } = await compare('base.json', 'same.json', '--head-subject', 'nobody')
  expect(code).toBe(2)
  expect(stderr).toContain('mens/vox@1600')
})

test.each([
  ['half a file', '{"schemaVersion": 1, "rows": [', 'report/invalid'],
  ['another file', '{"hello": "world"}', 'report/invalid'],
  ['a report of another version', '{"schemaVersion": 7}', 'it has schema version 7'],
  ['steering text', '{"schemaVersion": "\\u001b[2J"}', 'report/invalid'],
])('%s as a report ends with 2 and no stack', async (_, text, words) => {
  writeFileSync(file('damaged.json'), text)
  for (const args of [
    ['damaged.json', 'same.json'],
    ['base.json', 'damaged.json'],
    ['base.json', 'same.json', '--draws', 'damaged.json'],
  ]) {
    const { code, stdout, stderr } = await compare(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
    expect(stderr).not.toMatch(/\u001b| {4}at /)
  }
})

test.each([
  ['compare', ['compare', 'huge.json', 'same.json']],
  ['reproduce', ['reproduce', 'huge.json']],
])('%s does not read a huge file', async (_, args) => {
  writeFileSync(file('huge.json'), '')
  truncateSync(file('huge.json'), 300 * 1024 * 1024)
  const { code, stderr } = await startNode([script, ...args], { cwd: folder }).result
  expect(code).toBe(2)
  expect(stderr).toContain('report/too-large')
})

test('what has no size is read no further than the limit either', async () => {
  const { code, stderr } = await compare('/dev/zero', 'same.json')
  expect(code).toBe(2)
  expect(stderr).toContain('report/too-large')
})

test('a folder that cannot be written ends with 3', async () => {
  writeFileSync(file('occupied'), '')
  const { code, stderr } = await compare('base.json', 'same.json', '--output', 'occupied')
  expect(code).toBe(3)
  expect(stderr).toContain('infra/unwritable')
})
