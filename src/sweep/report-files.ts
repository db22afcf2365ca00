import { createReadStream, existsSync } from 'node:fs'
import { access, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { BenchError } from '../bench-error.ts'
import { buildReport } from '../report/build-report.ts'
import { renderLeaderboard } from '../report/leaderboard.ts'
import { renderHtml } from '../report/report-html.ts'
import type { Report } from '../report/schema.ts'
import { renderScoreboard } from '../report/scoreboard.ts'
import { renderSummary } from '../report/summary-markdown.ts'
import { type JoinedRun, joinRecords } from '../score/join-records.ts'
import type { OutputFolder } from './output-folder.ts'
import { unwritable } from './unwritable.ts'

/**
 * The report of a run: a pure function of its journal.
 * @throws BenchError `journal/unreadable` naming the line.
 */
export async function reportOf(journal: string): Promise<Report> {
  return buildReport(await joinRecords(linesOf(journal)))
}

/**
 * The run in a journal as far as it came; null when it ended before its plan was written.
 * @throws BenchError `journal/unreadable`, `journal/invalid`.
 */
export async function runIn(journal: string): Promise<JoinedRun | null> {
  if (!existsSync(journal)) return null
  for await (const _ of linesOf(journal)) return joinRecords(linesOf(journal))
  return null
}

/**
 * The parsed lines of a journal, without half lines that a killed run left.
 * @throws BenchError `journal/missing`, `journal/unreadable`
 */
export async function* linesOf(journal: string): AsyncGenerator<unknown> {
  await access(journal).catch(() => {
    throw new BenchError({
      code: 'journal/missing',
      message: `There is no journal ${journal}.`,
      hint: 'Give the folder that an earlier run wrote to.',
    })
  })
  let number = 0
  let broken: number | null = null
  for await (const line of splitLines(createReadStream(journal))) {
    number++
    if (line.trim() === '') continue
    const value = parseJson(line)
    if (value === undefined) {
      broken ??= number
      continue
    }
    // The last lines of a run that was killed, or whose disk was full, may be half written, and the run resumed after
    // them; any other broken line is damage.
    if (broken !== null && !isResumed(value)) throw unreadable(journal, broken)
    broken = null
    yield value
  }
}

/**
 * The lines of a text in UTF-8 whose pieces may be cut anywhere. They end at a line feed only: JSON has U+2028 and U+2029
 * as they are within strings, and `node:readline` takes them for the ends of lines, too.
 */
export async function* splitLines(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.write(piece)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.end()
  if (rest !== '') yield rest
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isResumed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'resumed'
}

/** Writes every output beside the journal; each appears whole or not at all. Gives the paths, relative to here. */
export async function writeOutputs(output: OutputFolder, report: Report): Promise<string[]> {
  const files: [string, string][] = [
    [output.report, json(report)],
    [path.join(output.folder, 'summary.md'), renderSummary(report)],
    [path.join(output.folder, 'report.html'), renderHtml(report)],
    [path.join(output.folder, 'leaderboard.json'), json(renderLeaderboard(report))],
    [path.join(output.folder, 'scoreboard.json'), json(renderScoreboard(report))],
  ]
  for (const [file, text] of files) await writeWhole(file, text)
  return [...files.map(([file]) => file), output.journal].map((file) => path.relative(process.cwd(), file))
}

/**
 * Writes a file that appears whole or not at all.
 * @throws BenchError `infra/unwritable`
 */
export async function writeWhole(
  file: string,
  text: string,
  hint = 'The journal is kept. Make room, then run: vox-efficacy report DIR.',
): Promise<void> {
  const part = `${file}.part`
  try {
    // Made anew, so that a link of that name is not followed.
    await rm(part, { force: true })
    await writeFile(part, text, { flag: 'wx' })
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    throw unwritable(file, error as Error, hint)
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function unreadable(journal: string, line: number): BenchError {
  return new BenchError({
    code: 'journal/unreadable',
    message: `${journal}:${line} is not JSON, so the run cannot be told from its journal.`,
    hint: 'The file was changed or damaged after the run; use an undamaged copy.',
  })
}
