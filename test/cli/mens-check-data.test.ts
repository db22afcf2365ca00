import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { folderWith } from '../models/temp-folder.ts'
import { referenceOf, smallCorpus, temporaryFolder } from '../sweep/small-corpus.ts'
import { buildCli } from './built-cli.ts'
import { repository, startNode } from './cli-process.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const corpus = path.join(repository, 'corpus')
const CANARY = '5c1d2f0e-8c1b-4e0f-9a55-6d0b7f3a41ce'
const program = referenceOf('017-ferry-arrival').replace(/^\/\/.*\n/gm, '')

let cli: string
beforeAll(async () => {
  cli = path.join(await buildCli(), 'cli.js')
})

const run = (...args: string[]) => startNode([cli, ...args]).result
const checkData = (...args: string[]) => run('mens', 'check-data', ...args, '--corpus', corpus)

test('clean data exits 0, and says what clean does not mean', async () => {
  const { code, stdout } = await checkData(folderWith({ 'a.txt': 'nothing of interest' }))
  expect(code).toBe(0)
  expect(stdout).toMatch(/^clean: no canary and no text of a held-out problem stands in the data\.\n/)
  expect(stdout).toContain('canary: not found (1 searched for)')
  expect(stdout).toContain("overlap: no problem (from 3 % of a problem's 13-grams or 25 tokens in a row on)")
  expect(stdout).toMatch(/data: 1 file, .*, 3 tokens, hash [0-9a-f]{64}\n/)
  expect(stdout).toContain('does not see a paraphrase')
})

test('an overlap exits 1 and names problem, share, file and line', async () => {
  const folder = folderWith({ 'train/a.jsonl': `{}\n${JSON.stringify({ text: program })}\n` })
  const { code, stdout } = await checkData(folder)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^overlap: /)
  expect(stdout).toMatch(/^ {2}017: [\d.]+ % \(.* of .*\), longest run \d+ tokens at train\/a\.jsonl:2$/m)
})

test('a canary exits 1 and is named by file and line', async () => {
  const { code, stdout } = await checkData(folderWith({ 'a.csv': `x\n${CANARY}\n` }))
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^canary: a canary of the corpus stands in the data\..*\ncanary: found at 1 place\n {2}a\.csv:2\n/,
  )
})

test('data that cannot be searched in full exits 4 and is listed', async () => {
  const { code, stdout } = await checkData(folderWith({ 'a.txt': 'x', 'b.parquet': 'PAR1' }))
  expect(code).toBe(4)
  expect(stdout).toContain('not searched in full: 1 file\n  b.parquet: its words are not searched: a .parquet file')
})

test('where no one watches, progress is a few plain lines', async () => {
  const { stderr } = await checkData(folderWith({ 'a.txt': 'word '.repeat(1_000_000) }))
  const lines = stderr.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(lines.at(-1)).toBe('4.8 MiB of 4.8 MiB searched, 0 of 1 file')
})

test('what --output writes goes into the report of a sweep, and touched problems do not count as uncontaminated', async () => {
  const out = temporaryFolder()
  const outcome = path.join(out, 'training-data.json')
  const small = smallCorpus(2)
  const touched = referenceOf('002-shuttle-wait').replace(/^\/\/.*\n/gm, '')
  const searched = await run(
    'mens',
    'check-data',
    folderWith({ 'a.txt': touched }),
    '--corpus',
    small,
    '--output',
    outcome,
  )
  expect([searched.code, searched.stdout]).toEqual([1, expect.stringContaining(`Written: ${outcome}`)])
  const script = path.join(out, 'script.yml')
  writeFileSync(script, 'rules:\n  - answer: I cannot say.\n')
  const swept = await run(
    ...['run', '--script', script, '--model', 'mens/demo', '--checkpoint', 'final', '--cutoff', '2026-01-01'],
    ...['--corpus', small, '--training-data', outcome, '--output', path.join(out, 'sweep')],
  )
  expect([swept.code, swept.stderr]).toEqual([0, expect.not.stringContaining('error')])
  const report = JSON.parse(readFileSync(path.join(out, 'sweep/report.json'), 'utf8'))
  expect(report.plan.subjects[0].trainingData).toMatchObject({ kind: 'overlap', touched: [{ id: '002' }] })
  expect(report.rows[0].uncontaminated).toMatchObject({ kind: 'known', fixtures: 1 })
  expect(readFileSync(path.join(out, 'sweep/summary.md'), 'utf8')).toMatch(
    /Training data of .*overlap with problem 002/,
  )
})

test('an outcome that would lie in the data is refused before the search', async () => {
  const folder = folderWith({ 'data/a.txt': 'x' })
  const output = path.join(folder, 'data/out.json')
  const { code, stderr } = await checkData(path.join(folder, 'data'), '--output', output)
  expect([code, existsSync(output)]).toEqual([2, false])
  expect(stderr).toContain('code: training/output-in-data')
})

test.each([
  ['a folder without files', () => [folderWith({})], 'training/no-files'],
  ['data that is not there', () => ['/no/such/folder'], 'training/not-found'],
  ['no folder at all', () => [], 'usage/arguments'],
  [
    'an output folder that is not there',
    () => [folderWith({ a: 'x' }), '--output', '/no/such/file.json'],
    'usage/no-folder',
  ],
] as const)('%s is refused', async (_what, args, problem) => {
  const { code, stderr } = await checkData(...args())
  expect([code, stderr]).toEqual([2, expect.stringContaining(`code: ${problem}`)])
})

test('the name of a file steers no terminal', async () => {
  const { stdout } = await checkData(folderWith({ 'a\u001b[2J\n::error::x.txt': CANARY }))
  expect(stdout).toContain('\\n')
  expect(stdout).not.toContain('\u001b')
  expect(stdout).not.toMatch(/^::error/m)
})

test.skipIf(process.platform === 'win32')('an outcome for which there is no room leaves the earlier one', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'found.json')
  const data = folderWith({ 'a.txt': 'x' })
  await checkData(data, '--output', file)
  const before = readFileSync(file, 'utf8')
  const words = [process.execPath, cli, 'mens', 'check-data', data, '--corpus', corpus, '--output', file]
  const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', ...words], { encoding: 'utf8' })
  expect(status).toBe(3)
  expect(stderr).toContain('infra/unwritable')
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(readdirSync(folder)).toEqual(['found.json'])
})

test.skipIf(process.platform === 'win32')('the outcome may go into a link or a pipe', async () => {
  const folder = temporaryFolder()
  const [file, link] = [path.join(folder, 'found.json'), path.join(folder, 'link')]
  writeFileSync(file, 'old')
  symlinkSync('found.json', link)
  const data = folderWith({ 'a.txt': 'x' })
  await checkData(data, '--output', link)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  const text = readFileSync(file, 'utf8')
  const words = [process.execPath, cli, 'mens', 'check-data', data, '--corpus', corpus, '--output', '/dev/stdout']
  const { stdout } = spawnSync('sh', ['-c', '"$@" | cat', 'sh', ...words], { encoding: 'utf8' })
  expect(stdout).toContain(text.slice(0, 40))
})
