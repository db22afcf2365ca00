import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { runIn, splitLines } from '../../src/sweep/report-files.ts'
import { answer, judged, PREFLIGHT, sampleLines, samplePlan, sampleSubject } from '../score/sample-run.ts'

async function linesIn(pieces: Buffer[]): Promise<string[]> {
  const lines: string[] = []
  for await (const line of splitLines(pieces)) lines.push(line)
  return lines
}

test('lines end at a line feed only, wherever the pieces of the text are cut', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '\u2028', '\u2029', '\u0085', '\r', '🦊'), maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 6 }),
      fc.array(fc.nat(80)),
      fc.boolean(),
      async (lines, cuts, ends) => {
        const whole = lines.filter((each) => each !== '')
        const bytes = Buffer.from(whole.map((each) => `${each}\n`).join(''))
        const text = ends || bytes.length === 0 ? bytes : bytes.subarray(0, -1)
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
        const pieces = places.slice(1).map((end, index) => text.subarray(places[index], end))
        expect(await linesIn(pieces)).toEqual(whole)
      },
    ),
  )
})

const plan = samplePlan({ fixtures: 1, conditions: ['C0'], subjects: [sampleSubject('model')] })

function journalOf(...lines: string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-lines-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'attempts.jsonl')
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
  return file
}

test('an answer with separators of lines and paragraphs is read as it was given', async () => {
  const text = 'one\u2028two\u2029three'
  const lines = sampleLines({ outcome: () => judged({ kind: 'passed' }, { text }) }, plan)
  const run = await runIn(journalOf(...lines.map((line) => JSON.stringify(line))))
  expect(run?.records[0]?.completion).toEqual(answer({ text }))
})

test('any number of half lines right before a run was resumed are passed over, elsewhere the first is named', async () => {
  const [planned, ...rest] = [...sampleLines({}, plan)].map((line) => JSON.stringify(line))
  const halves = ['{"kind":"answered","at', '{"kind":"res', '{']
  const resumed = [JSON.stringify({ kind: 'resumed', at: '2026-11-29T11:00:00.000Z' }), JSON.stringify(PREFLIGHT)]
  const run = await runIn(journalOf(planned!, ...halves, ...resumed))
  expect(run?.resumed).toBe(1)
  const file = journalOf(planned!, ...halves, ...rest)
  await expect(runIn(file)).rejects.toMatchObject({
    code: 'journal/unreadable',
    message: expect.stringContaining(`${file}:2 `),
  })
})
