import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { infraClasses } from '../../src/models/provider.ts'
import type { Report } from '../../src/report/schema.ts'
import { repository, runCli } from './cli-process.ts'

const page = readFileSync(path.join(repository, 'docs/scripted-models.md'), 'utf8')

/** Runs example `index` of the page as it says, and gives what came out. */
async function runExample(index: number) {
  const script = [...page.matchAll(/^````yaml\n(.*?)^````$/gms)][index]?.[1] ?? ''
  const command = [...page.matchAll(/^vox-efficacy (.*)$/gm)][index]?.[1]?.split(' ') ?? []
  const option = (name: string) => command[command.indexOf(name) + 1] ?? ''
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-script-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(path.join(folder, option('--script')), script)
  const { code } = await runCli(command, { cwd: folder })
  const report: Report = JSON.parse(readFileSync(path.join(folder, option('--output'), 'report.json'), 'utf8'))
  const outcomes = report.attempts.map(({ fixture, completion, verification }) => [
    fixture,
    verification?.verdict.kind ?? (completion.kind === 'infra-error' ? completion.class : completion.kind),
  ])
  return { code, report, outcomes }
}

test('the first example of docs/scripted-models.md does what the page says', async () => {
  const { code, report, outcomes } = await runExample(0)
  expect(code).toBe(4)
  expect(outcomes).toEqual([
    ['001', 'truncated'],
    ['002', 'policy'],
    ['003', 'rate'],
  ])
  expect(report.rows[0]?.headline.kind).toBe('withheld')
  expect(report.spend.spentUsd).toBeCloseTo(0.0004)
  expect(report.plan.subjects[0]?.recording?.obtained).toContain('by hand')
})

test('the example with two turns does what the page says', async () => {
  const { code, report, outcomes } = await runExample(1)
  expect([code, outcomes]).toEqual([0, [['001', 'no-code']]])
  const { first } = report.attempts[0] ?? {}
  expect(first?.completion).toMatchObject({ kind: 'answered', text: expect.stringContaining('greet') })
  expect(first?.feedback).toEqual(expect.any(String))
})

test('the page answers no problem of the corpus', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'vox-page-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  writeFileSync(path.join(data, 'page.md'), page)
  expect((await runCli(['mens', 'check-data', data])).code).toBe(0)
})

test('the page names every way to fail', () => {
  const row = page.split('\n').find((line) => line.startsWith('| `fail`'))
  for (const name of infraClasses) expect(row).toContain(`\`${name}\``)
})
