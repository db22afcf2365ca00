import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { infraClasses } from '../../src/models/provider.ts'
import type { Report } from '../../src/report/schema.ts'
import { repository, runCli } from './cli-process.ts'

const page = readFileSync(path.join(repository, 'docs/scripted-models.md'), 'utf8')

test('the example of docs/scripted-models.md does what the page says', async () => {
  const script = /^````yaml\n(.*?)^````$/ms.exec(page)?.[1] ?? ''
  const command = /^vox-efficacy (.*)$/m.exec(page)?.[1]?.split(' ') ?? []
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-script-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(path.join(folder, 'script.yml'), script)
  const { code } = await runCli(command, { cwd: folder })
  expect(code).toBe(4)
  const report: Report = JSON.parse(readFileSync(path.join(folder, 'rehearsal/report.json'), 'utf8'))
  const outcomes = report.attempts.map(({ fixture, completion, verification }) => [
    fixture,
    verification?.verdict.kind ?? (completion.kind === 'infra-error' ? completion.class : completion.kind),
  ])
  expect(outcomes).toEqual([
    ['001', 'truncated'],
    ['002', 'passed'],
    ['003', 'rate'],
  ])
  expect(report.rows[0]?.headline.kind).toBe('withheld')
  expect(report.spend.spentUsd).toBeCloseTo(0.0004)
  expect(report.plan.subjects[0]?.recording?.obtained).toContain('by hand')
})

test('the page names every way to fail', () => {
  const row = page.split('\n').find((line) => line.startsWith('| `fail`'))
  for (const name of infraClasses) expect(row).toContain(`\`${name}\``)
})
