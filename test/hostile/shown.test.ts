import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'
import { createProcessEngine } from '../../src/engine/process-engine.ts'
import { noSandbox } from '../../src/engine/sandbox/sandbox.ts'
import { escapeHtml, escapeMarkdown } from '../../src/report/escape.ts'
import { plainText } from '../../src/report/plain-text.ts'
import { createRunKey } from '../../src/verify/run-key.ts'
import type { Verdict } from '../../src/verify/verdict.ts'
import { describeVerdict } from '../../src/verify/verdict-text.ts'
import { createVerifier } from '../../src/verify/verify.ts'
import { type CliResult, repository, runCli } from '../cli/cli-process.ts'
import { buildEntry } from '../engine/built-worker.ts'
import { NO_ABILITIES, STAND_IN_IDENTITY } from '../engine/stand-in.ts'
import { loadProblems, TWICE } from '../verify/temp-corpus.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** Everything a text could try on a terminal, a log, a summary or a page. */
const VILE =
  '\u001b[2J\u001b]0;title\u0007\u009b31m\u0000\u0008\u007f\u202e\u2066\u2069\u200f\u061c\u2028\u2029::error::a\r::add-mask::b ##[error]c <script>alert(1)</script> @team [l](javascript:1) | `x`'
/** The same without what no string literal of Vox may hold. */
const VILE_LITERAL = VILE.replaceAll('\r', '\\n').replaceAll('`', '').replaceAll('{', '')

/** What must stand in nothing that is shown; of line ends, only the newline. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const COMMAND = /^[^\S\n]*::|##\[/m

let folder: string
let verdicts: CliResult
let asJson: CliResult
let run: CliResult

/** Answers to the first problems of the shipped corpus, each with the text in another place. */
const answers: readonly [file: string, make: (signature: string, name: string) => string][] = [
  ['001.vox', (signature) => `// ${VILE}\n${signature} { return "${VILE_LITERAL}" }\n`],
  ['002.vox', (signature) => `${signature} { return ${VILE} }\n`],
  ['003.vox', (signature) => `${VILE}\n${signature} { return "" }\n`],
  ['004.md', () => `I cannot say. ${VILE}\n::error::no program\n\`\`\`${VILE}\n${VILE}\n\`\`\`\n`],
  ['005.md', (signature) => `::set-output name=a::b\n\`\`\`vox ${VILE}\n${signature} { return [] }\n\`\`\`\n${VILE}`],
  ['006.vox', (signature) => `${signature} {\n    print("${VILE_LITERAL}")\n    return "${VILE_LITERAL}"\n}\n`],
  ['007.vox', (_, name) => `::error file=a::${name}\n::stop-commands::x\n`],
  ['008.txt', () => '\u2028\u2029\u001b[2J'.repeat(10_000)],
]
const asked = answers.map(([file]) => file.slice(0, 3))

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vox-shown-'))
  const { fixtures } = await loadCorpus(path.join(repository, 'corpus'))
  // Named like an option, as are two files in it that answer nothing.
  mkdirSync(path.join(folder, '--json'))
  for (const name of ['--help.vox', '-rf.md']) writeFileSync(path.join(folder, '--json', name), VILE)
  for (const [file, make] of answers) {
    const fixture = fixtures.find(({ id }) => id === file.slice(0, 3))
    if (fixture === undefined) throw new Error(`no problem for ${file}`)
    writeFileSync(path.join(folder, '--json', file), make(fixture.signature, fixture.entry.name))
  }
  verdicts = await runCli(['verify', '--from-dir=--json'], { cwd: folder })
  asJson = await runCli(['verify', '--from-dir=--json', '--json'], { cwd: folder })
  run = await runCli(['run', '--from-dir=--json', '--fixtures', asked.join(), '--output', 'out'], { cwd: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function expectHarmless(text: string): void {
  expect(text).not.toMatch(UNSAFE)
  expect(text).not.toMatch(COMMAND)
}

describe('of hostile answers', () => {
  test('every verdict line is one line and steers nothing', () => {
    expect(verdicts.code).toBe(0)
    expect(
      verdicts.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(0, 4)),
    ).toEqual(asked.map((id) => `${id} `))
    expectHarmless(verdicts.stdout)
    expectHarmless(verdicts.stderr)
  })

  test('every verdict as JSON is one line and steers nothing', () => {
    expect(asJson.code).toBe(0)
    expect(
      asJson.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).fixture),
    ).toEqual(asked)
    expectHarmless(asJson.stdout)
  })

  test('the progress and the end of a run steer nothing', () => {
    expect(run.code).toBe(0)
    expectHarmless(run.stdout)
    expectHarmless(run.stderr)
  })

  test('the summary shows the text and obeys none of it', () => {
    const summary = readFileSync(path.join(folder, 'out/summary.md'), 'utf8')
    expectHarmless(summary)
    expect(summary).not.toMatch(/<script>alert|(^|[^A-Za-z0-9])@team/)
  })

  test('the page shows the text and obeys none of it', () => {
    const page = readFileSync(path.join(folder, 'out/report.html'), 'utf8')
    expect(UNSAFE.exec(page)).toBeNull()
    expect(page).not.toContain('<script>alert')
  })

  test('the page, printed in a log, commands no runner', () => {
    const page = readFileSync(path.join(folder, 'out/report.html'), 'utf8')
    expect(
      page
        .split('\n')
        .filter((line) => COMMAND.test(line))
        .map((line) => line.slice(0, 80)),
    ).toEqual([])
  })

  test('the page has the programs, with what cannot be seen made visible', () => {
    expect(readFileSync(path.join(folder, 'out/report.html'), 'utf8')).toContain('\\u{1b}[2J')
  })

  test('the data hold the answers as they came', () => {
    const journal = readFileSync(path.join(folder, 'out/attempts.jsonl'), 'utf8')
    const texts = journal
      .trimEnd()
      .split('\n')
      .map((line) => JSON.stringify(JSON.parse(line)))
    expect(texts.some((text) => text.includes(JSON.stringify(VILE).slice(1, -1)))).toBe(true)
  })
})

describe('of an engine that says what a candidate wants', () => {
  const quoted = VILE.replace(/[^\x20-\x7e]/g, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  ).replaceAll("'", '')
  const right = 'fn twice(n: int) to int { return n * 2 }\n'
  const programs: readonly [tries: string, program: string, kind: Verdict['kind']][] = [
    ['an error', `// sh: printf 'Error: ${quoted}\\n' >&2\n// exit: 1\n${right}`, 'runtime-error'],
    ['a denied capability', `// sh: printf '${quoted}\\n' >&2\n// exit: 77\n${right}`, 'runtime-error'],
    ['a reason not to support it', `// sh: printf '${quoted}\\n' >&2\n// exit: 64\n${right}`, 'unsupported'],
    ['a value', `// sh: printf '${quoted}\\n'\n${right.replace('n * 2', '0')}`, 'wrong-answer'],
  ]

  test.each(programs)('%s is shown and obeyed nowhere', async (_, program, kind) => {
    const [fixture] = await loadProblems([TWICE])
    const file = await buildEntry('../test/hostile/permissive-vox.ts')
    const engine = await createProcessEngine({
      command: [process.execPath, file],
      identity: STAND_IN_IDENTITY,
      abilities: { ...NO_ABILITIES, unsupportedExit: 64 },
      sandbox: noSandbox,
    })
    try {
      const { verdict } = await createVerifier({ engine, key: createRunKey() }).verifyProgram(fixture!, program)
      expect(verdict.kind).toBe(kind)
      const told = verdict.kind === 'unsupported' ? verdict.reason : describeVerdict(verdict)
      for (const shown of [plainText(told), escapeMarkdown(told)]) expectHarmless(shown)
      expect(escapeHtml(told)).not.toMatch(UNSAFE)
      if (kind !== 'wrong-answer') expect(told).toContain('error')
    } finally {
      await engine.close()
    }
  })
})
