import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { BenchError } from '../bench-error.ts'
import { readReport } from '../report/read-report.ts'
import { renderScoreboard } from '../report/scoreboard.ts'
import type { OutputFolder } from './output-folder.ts'

/**
 * Reads the report of run `runId` back by its schema, and the scoreboard that must have its rows.
 * @throws BenchError `infra/not-landed`, or `report/invalid` when what was written is no report.
 */
export async function confirmLanded({ folder, report: file }: OutputFolder, runId: string): Promise<void> {
  const report = readReport(file, await readFile(file, 'utf8'))
  const scoreboard: unknown = JSON.parse(await readFile(path.join(folder, 'scoreboard.json'), 'utf8'))
  const isLanded =
    report.run.id === runId && report.rows.length > 0 && isDeepStrictEqual(scoreboard, asJson(renderScoreboard(report)))
  if (isLanded) return
  throw new BenchError({
    code: 'infra/not-landed',
    message: `${file} and scoreboard.json beside it do not hold the rows of this run.`,
    hint: 'Something else wrote to the folder meanwhile; give --output a folder of its own.',
  })
}

function asJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}
