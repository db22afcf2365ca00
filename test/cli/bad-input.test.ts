import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from './cli-process.ts'

let folder: string
let server: Server
let endpoint: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vox-bad-input-'))
  mkdirSync(join(folder, 'answers'))
  mkdirSync(join(folder, 'dir.json'))
  mkdirSync(join(folder, 'empty-corpus'))
  writeFileSync(join(folder, 'empty-corpus', 'manifest.v1.yaml'), 'fixtures: []\n')
  writeFileSync(join(folder, 'broken.yml'), 'n: 1\nsubjects: [\n')
  writeFileSync(join(folder, 'wrong.yml'), 'subjects:\n  - from-dir: answers\nn: many\n')
  const bomb = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`)
  writeFileSync(join(folder, 'bomb.yml'), `a0: &a0 [x]\n${bomb.join('\n')}\nsubjects: *a9\n`)
  writeFileSync(join(folder, 'file'), '')
  server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"object":"list","data":[{"id":"known/model"}]}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  server.close()
})

const answers = ['--from-dir', 'answers']

test.each<[string, () => string[], string]>([
  ['an unknown command', () => ['sweep'], 'usage/unknown-command'],
  ['an unknown option', () => ['run', '--modle', 'x'], 'usage/arguments'],
  ['no subject', () => ['run'], 'config/invalid'],
  ['no corpus', () => ['run', ...answers, '--corpus', 'missing'], 'corpus/not-found'],
  ['a corpus that is a file', () => ['run', ...answers, '--corpus', 'file'], 'corpus/not-a-folder'],
  ['a folder that is no corpus', () => ['run', ...answers, '--corpus', 'answers'], 'corpus/no-manifest'],
  ['an empty corpus', () => ['run', ...answers, '--corpus', 'empty-corpus'], 'corpus/invalid'],
  ['k above n', () => ['run', ...answers, '--n', '1', '--k', '2'], 'config/invalid'],
  ['an unknown condition', () => ['run', ...answers, '--condition', 'C9'], '--condition: there is no condition "C9"'],
  ['a help file that is missing', () => ['run', ...answers, '--condition', 'file:none.md'], 'condition/unreadable'],
  ['a help file that is empty', () => ['run', ...answers, '--condition', 'file:file'], 'condition/unreadable'],
  ['a help file that is a folder', () => ['run', ...answers, '--condition', 'file:answers'], 'condition/unreadable'],
  ['a bomb of YAML aliases', () => ['run', '--config', 'bomb.yml'], 'bomb.yml: '],
  ['an unknown fixture', () => ['run', ...answers, '--fixtures', '999'], 'corpus/unknown-fixture'],
  ['an empty split', () => ['run', ...answers, '--split', 'training-eligible'], 'corpus/empty-split'],
  ['an unknown model', () => ['run', '--model', 'unknown/model', '--base-url', endpoint], 'model/unknown'],
  ['a missing key', () => ['run', '--model', 'a/b'], 'subject/no-key'],
  ['an output below a file', () => ['run', ...answers, '--output', 'file/out'], 'output/unwritable'],
  ['an output that is a folder', () => ['run', ...answers, '--output', 'dir.json'], 'output/unwritable'],
  ['broken YAML', () => ['run', '--config', 'broken.yml'], 'broken.yml:3:1'],
  ['a wrong value in YAML', () => ['run', '--config', 'wrong.yml'], 'wrong.yml:3:4'],
  ['a folder as configuration', () => ['run', '--config', 'answers'], 'usage/unreadable'],
  ['a folder of answers that is a file', () => ['run', '--from-dir', 'file'], 'subject/no-folder'],
  ['an empty cap', () => ['run', ...answers, '--max-spend-usd', ''], '--max-spend-usd: is present but empty'],
  ['an executable that is not vox', () => ['run', ...answers, '--vox', process.execPath], 'engine/not-vox'],
  ['no answers at all', () => ['verify', ...answers], 'verify/no-answers'],
  ['an answer file that is missing', () => ['extract', 'none.md'], 'usage/unreadable'],
  ['a report that is none', () => ['reproduce', 'wrong.yml'], 'report/invalid'],
  ['a folder without a journal', () => ['report', 'answers'], 'journal/'],
  ['a power of no problems', () => ['power', '--n=-1'], 'usage/power'],
])('%s gets its own error, exit code 2, and nothing half-written', async (_name, args, expected) => {
  const before = readdirSync(folder, { recursive: true }).sort()
  const { code, stdout, stderr } = await runCli(args(), { cwd: folder })
  expect(stderr).toContain(expected)
  expect(stderr).toContain('hint: ')
  expect(code).toBe(2)
  expect(stdout).toBe('')
  const after = readdirSync(folder, { recursive: true }).sort()
  // The folder for the output may be made; no file may be.
  expect(after.filter((name) => name !== 'out')).toEqual(before.filter((name) => name !== 'out'))
})
