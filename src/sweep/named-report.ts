import { createReadStream } from 'node:fs'
import { BenchError } from '../bench-error.ts'
import { readReport } from '../report/read-report.ts'
import type { Report } from '../report/schema.ts'

/** A report from another run is somebody else's file: no more than this is read of one. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * The report in a file that a person named, or on standard input for `-`.
 * @throws BenchError `usage/unreadable`, `report/too-large`, or `report/invalid` as `readReport`.
 */
export async function readNamedReport(file: string): Promise<Report> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of file === '-' ? process.stdin : createReadStream(file)) {
      // What is counted is what was read: a pipe or a device has no size.
      bytes += (piece as Buffer).length
      if (bytes > MAX_BYTES) throw tooLarge(file)
      pieces.push(piece as Buffer)
    }
  } catch (error) {
    throw error instanceof BenchError ? error : unreadable(file, error as NodeJS.ErrnoException)
  }
  return readReport(file, Buffer.concat(pieces).toString('utf8'))
}

function tooLarge(file: string): BenchError {
  return new BenchError({
    code: 'report/too-large',
    message: `${file} has more than ${MAX_BYTES} bytes, the most that is read of a report.`,
    hint: 'Give the report.json that a run wrote; split a sweep of too many rows.',
  })
}

function unreadable(file: string, error: NodeJS.ErrnoException): BenchError {
  const reasons = new Map([
    ['ENOENT', 'there is no such file'],
    ['EISDIR', 'it is a folder, not a file'],
  ])
  return new BenchError({
    code: 'usage/unreadable',
    message: `${file} cannot be read: ${reasons.get(error.code ?? '') ?? error.message}.`,
    hint: 'Check the path; "-" stands for standard input.',
    cause: error,
  })
}
