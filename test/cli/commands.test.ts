import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { optionTable } from '../../src/config/option-table.ts'
import { damage, referenceOf, smallCorpus } from '../sweep/small-corpus.ts'
import { repository, runCli } from './cli-process.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vox-commands-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const names = [...commands.keys()]

test('the overview names every command, the two to start with, and the exit codes', async () => {
  const { code, stdout } = await runCli(['--help'])
  expect(code).toBe(0)
  for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  expect(stdout).toContain('vox-efficacy demo')
  expect(stdout).toMatch(/0 fine, 1 .*, 2 .*, 3 .*, 4 /)
})

test.each(names)('%s --help teaches: usage, what it does, every option, an example', async (name) => {
  const { code, stdout, stderr } = await runCli([...name.split(' '), '--help'])
  expect([code, stderr]).toEqual([0, ''])
  const command = await commands.get(name)?.load()
  expect(stdout).toContain(`Usage: vox-efficacy ${name}`)
  for (const option of command?.options ?? []) expect(stdout).toMatch(new RegExp(`^  --${option.name}( |$)`, 'm'))
  expect(stdout).toMatch(new RegExp(`^ {2}vox-efficacy ${name}`, 'm'))
})

test('help COMMAND is COMMAND --help', async () => {
  expect(await runCli(['help', 'corpus', 'audit'])).toEqual(await runCli(['corpus', 'audit', '--help']))
})

test('run --help lists every option of the option table with its help', async () => {
  const { stdout } = await runCli(['run', '--help'])
  for (const { name, help } of optionTable) {
    expect(stdout.split('\n').find((line) => line.trim().split(' ')[0] === `--${name}`)).toContain(help)
  }
})

test('--version is one line', async () => {
  const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'))
  expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `vox-efficacy ${version}\n`, stderr: '' })
})

test('power of 31 problems and a gap of 10 points: 0.103 to 0.107; 122 to 207 problems are needed', async () => {
  const { code, stdout } = await runCli(['power', '--n', '31', '--gap', '0.10', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    n: 31,
    gap: 0.1,
    alpha: 0.05,
    power: { min: expect.closeTo(0.103, 3), max: expect.closeTo(0.107, 3) },
    neededN: { min: 122, max: 207 },
  })
})

test('prompt --json has all that a model is sent, and nothing of reference or tests', async () => {
  const { code, stdout } = await runCli(['prompt', '--fixture', '002', '--condition', 'C2', '--json'])
  expect(code).toBe(0)
  const prompt = JSON.parse(stdout)
  expect(Object.keys(prompt).sort()).toEqual(['condition', 'fixture', 'hash', 'helpTokens', 'system', 'user'])
  expect(prompt.user).toContain('fn shuttle_wait(now: int, first: int, every: int, last: int) to int')
  const problem = path.join(repository, 'corpus/problems/002-shuttle-wait')
  const secret = ['reference.vox', 'tests.vox']
    .flatMap((file) => readFileSync(path.join(problem, file), 'utf8').split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.length > 12 && !line.startsWith('fn '))
  expect(secret.length).toBeGreaterThan(20)
  for (const line of secret) expect(stdout).not.toContain(JSON.stringify(line).slice(1, -1))
})

test('prompt takes a help text of the user’s own', async () => {
  writeFileSync(path.join(folder, 'help.md'), 'A function is fn NAME(x: int) to int { … }.\n')
  const args = ['prompt', '--fixture', '001', '--condition', 'file:help.md', '--json']
  const prompt = JSON.parse((await runCli(args, { cwd: folder })).stdout)
  expect(prompt.user).toContain('About Vox\n\nA function is fn NAME(x: int) to int { … }.')
  expect(prompt.helpTokens).toBeGreaterThan(5)
})

test('verify says of which problems the reference fails on this engine too', async () => {
  const corpus = smallCorpus(2)
  damage(corpus, 'problems/002-shuttle-wait/tests.vox', '400) == 150', '400) == 151')
  const answers = path.join(folder, 'too-old')
  mkdirSync(answers)
  writeFileSync(path.join(answers, '001.vox'), 'fn luggage_tag() { }\n')
  writeFileSync(path.join(answers, '002.vox'), referenceOf('002-shuttle-wait'))
  const { code, stdout, stderr } = await runCli(['verify', '--from-dir', answers, '--corpus', corpus])
  expect(code).toBe(0)
  expect(stdout).toContain('002 wrong-answer')
  expect(stderr).toContain('the reference of 002 fails here too, so its verdict says nothing: wrong-answer')
  expect(stderr).not.toContain('the reference of 001')
})

test('vox tells where the executable is, why it is not official, and what candidates are kept in', async () => {
  const executable = path.join(repository, 'dist', 'vox-embedded.js')
  const { code, stdout } = await runCli(['vox', '--vox', executable, '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    executable,
    identity: { version: expect.stringMatching(/^vox-embedded /), official: false, provenance: 'path' },
    sandbox: { level: expect.any(String) },
  })
  const plain = await runCli(['vox', '--vox', executable])
  expect(plain.stdout).toMatch(/^official +no: it calls itself vox-embedded /m)
  expect(plain.stdout).toMatch(/^recursion +yes$/m)
})

test('oracle says what a failing engine and corpus are worth', async () => {
  const corpus = smallCorpus(1)
  damage(corpus, 'problems/001-luggage-tag/tests.vox', '== "[~]"', '== "[!]"')
  const { code, stdout, stderr } = await runCli(['oracle', '--corpus', corpus])
  expect(code).toBe(1)
  expect(stdout).toMatch(/reference: wrong-answer assertion +1 +001/)
  expect(stdout).toContain('0 of 0 planted bad programs caught; none were tried on the 1 above')
  expect(stderr).toContain('do not tell good programs from bad')
})

test('verify --json prints a line for each candidate and names what is missing on the side', async () => {
  mkdirSync(path.join(folder, 'answers'))
  const problem = path.join(repository, 'corpus/problems/001-luggage-tag/reference.vox')
  cpSync(problem, path.join(folder, 'answers/001.vox'))
  writeFileSync(path.join(folder, 'answers/002.md'), 'I cannot say.')
  writeFileSync(
    path.join(folder, 'answers/003.txt'),
    '```vox\nfn main() to str { print("PASS: all tests passed, ok") return "ok" }\n```',
  )
  const { code, stdout, stderr } = await runCli(['verify', '--from-dir', 'answers', '--json'], { cwd: folder })
  expect(code).toBe(0)
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ fixture, verdict }) => [fixture, verdict.kind])).toEqual([
    ['001', 'passed'],
    ['002', 'no-code'],
    ['003', expect.stringMatching(/policy|no-code/)],
  ])
  expect(stderr).toContain('1 of 3 candidates pass')
  expect(stderr).toMatch(/no answer to: 004, 005, .*040/)
})

test('extract --json reads standard input and prints the program, whether it was cut, and the rule', async () => {
  const answer = 'First:\n```vox\nfn f() to int { return 1 }\n```\nIt prints\n```\n42\n```\n'
  const { code, stdout } = await runCli(['extract', '--json', '--entry', 'f', '-'], { input: answer })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ code: 'fn f() to int { return 1 }', truncated: false, rule: expect.any(String) })
})

test('extract --json of an answer without a program: nulls and exit code 1', async () => {
  const { code, stdout } = await runCli(['extract', '--json', '-'], { input: 'I cannot say.' })
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toEqual({ code: null, truncated: false, rule: null })
})

test('untrusted text cannot move the cursor of a terminal', async () => {
  mkdirSync(path.join(folder, 'hostile'))
  writeFileSync(path.join(folder, 'hostile/001.md'), '```vox\nfn luggage_tag() { panic("\u001b[2J\u0007") }\n```')
  const { stdout, stderr } = await runCli(['verify', '--from-dir', 'hostile'], { cwd: folder })
  expect(stdout).toMatch(/^001 /)
  expect(stdout + stderr).not.toMatch(/[\u0007\u001b]/)
})
