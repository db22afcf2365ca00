import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { listIssues } from '../zod-issues.ts'
import { withFileLock } from './file-lock.ts'

/** What all runs that share a file spend, so that a cap holds over a calendar month (UTC). */
export interface SpendBook {
  /** Null when the book only records. */
  readonly capUsd: number | null
  /**
   * Sets `usd` aside for `attempt` and waits until that is on the disk; false when it would pass the month's cap.
   * @throws BenchError when the file cannot be locked, read or written, or is damaged.
   */
  reserve(attempt: string, usd: number): boolean
  /**
   * Replaces the reservation by what was billed; it stays in the month it was made in.
   * @throws as `reserve`; the reservation then stays, which is never too little.
   */
  settle(attempt: string, usd: number): void
  /**
   * What this month comes to so far, in USD: what was billed, and every reservation that was not settled.
   * @throws as `reserve`.
   */
  monthUsd(): number
  close(): void
}

export interface SpendBookOptions {
  /** Made when missing, with its folder. */
  readonly file: string
  readonly capUsd: number | null
  now(): Date
}

const lineSchema = z.strictObject({
  at: z.iso.datetime(),
  run: z.string().min(1),
  kind: z.enum(['reserved', 'settled']),
  attempt: z.string(),
  usd: z.number().nonnegative(),
})
type Line = z.infer<typeof lineSchema>

/**
 * Opens the book at `file`, an append-only file of one JSON object a line. Any number of processes may have it open:
 * each reads what others wrote before it promises anything. What a killed process left of a line at the end is cut off.
 * @throws BenchError `spend-book/damaged` naming the first line that is no entry, `infra/spend-book` when the file cannot be used.
 */
export function openSpendBook({ file, capUsd, now }: SpendBookOptions): SpendBook {
  const run = randomUUID()
  const months = createMonths()
  const handle = reach(file, () => {
    mkdirSync(path.dirname(file), { recursive: true })
    return openSync(file, 'a+')
  })
  let readBytes = 0
  let readLines = 0

  function readNew(): void {
    const { size, ino } = reach(file, () => fstatSync(handle))
    if (size < readBytes || reach(file, () => statSync(file)).ino !== ino) throw replaced(file)
    const bytes = Buffer.alloc(size - readBytes)
    reach(file, () => {
      for (let at = 0; at < bytes.length; ) {
        const count = readSync(handle, bytes, at, bytes.length - at, readBytes + at)
        if (count === 0) throw new Error('it ends early')
        at += count
      }
    })
    const end = bytes.lastIndexOf('\n') + 1
    for (const text of bytes.toString('utf8', 0, end).split('\n').slice(0, -1)) takeLine(text)
    readBytes += end
    if (end < bytes.length) endLast(bytes.toString('utf8', end))
  }

  /**
   * Nobody writes now, for the lock is ours: a last line without an end is what a process wrote of it before it was killed. It
   * can be cut off, since what was not promised yet was not asked for, and a promise whose bill is lost stays.
   */
  function endLast(text: string): void {
    if (isBegun(text)) {
      reach(file, () => ftruncateSync(handle, readBytes))
      return
    }
    takeLine(text)
    reach(file, () => appendFileSync(handle, '\n'))
    readBytes += Buffer.byteLength(text) + 1
  }

  function takeLine(text: string): void {
    const parsed = lineSchema.safeParse(parseJson(text))
    const problem = parsed.success ? months.take(parsed.data) : listIssues(parsed.error).slice(0, 3).join('; ')
    if (problem !== null) throw damaged(file, readLines + 1, problem)
    readLines += 1
  }

  function append(line: Line): void {
    const text = `${JSON.stringify(line)}\n`
    reach(file, () => {
      try {
        appendFileSync(handle, text)
      } catch (error) {
        // Half a line would be damage to everyone.
        ftruncateSync(handle, readBytes)
        throw error
      }
    })
    months.take(line)
    readBytes += Buffer.byteLength(text)
    readLines += 1
  }

  function write<Result>(act: (at: string) => Result): Result {
    return withFileLock(`${file}.lock`, () => {
      readNew()
      return act(now().toISOString())
    })
  }

  try {
    write(() => {})
  } catch (error) {
    closeSync(handle)
    throw error
  }
  return {
    capUsd,
    reserve: (attempt, usd) =>
      write((at) => {
        if (capUsd !== null && months.sumUsd(monthOf(at)) + usd > capUsd) return false
        append({ at, run, kind: 'reserved', attempt, usd })
        reach(file, () => fsyncSync(handle))
        return true
      }),
    settle: (attempt, usd) => write((at) => append({ at, run, kind: 'settled', attempt, usd })),
    monthUsd: () => write((at) => months.sumUsd(monthOf(at))),
    close: () => closeSync(handle),
  }
}

const LINE_START = '{"at":"'

/** The beginning of a line, and no more; a whole one that an editor left without its end is none. */
const isBegun = (text: string) =>
  parseJson(text) === undefined && (text.startsWith(LINE_START) || LINE_START.startsWith(text))

const monthOf = (at: string) => at.slice(0, 7)

/** What the months come to: what was settled, and every reservation that was not, whether its run still lives or not. */
function createMonths() {
  const settledUsd = new Map<string, number>()
  const open = new Map<string, { readonly month: string; readonly usd: number }>()
  return {
    /** What is wrong with the line beside the others; null when nothing is. */
    take({ at, run, kind, attempt, usd }: Line): string | null {
      const name = `${run} ${attempt}`
      if (kind === 'reserved') {
        if (open.has(name)) return 'a second reservation of an attempt'
        open.set(name, { month: monthOf(at), usd })
        return null
      }
      // An attempt that nothing had to be reserved for may be billed all the same.
      const month = open.get(name)?.month ?? monthOf(at)
      open.delete(name)
      settledUsd.set(month, (settledUsd.get(month) ?? 0) + usd)
      return null
    },
    sumUsd(month: string): number {
      let usd = settledUsd.get(month) ?? 0
      for (const reservation of open.values()) if (reservation.month === month) usd += reservation.usd
      return usd
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reach<Result>(file: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw new BenchError({
      code: 'infra/spend-book',
      message: `The spend book ${file} cannot be used: ${(error as Error).message}.`,
      hint: 'Without it the cap of the month cannot be kept. Give --spend-file a file that this process can write.',
      cause: error,
    })
  }
}

function replaced(file: string): BenchError {
  return new BenchError({
    code: 'infra/spend-book',
    message: `The spend book ${file} was cut or replaced while the run had it open.`,
    hint: 'Let nothing but runs write to it, and begin again.',
  })
}

function damaged(file: string, line: number, problem: string): BenchError {
  return new BenchError({
    code: 'spend-book/damaged',
    message: `${file}:${line} is no entry of a spend book: ${problem}.`,
    hint: 'What was spent this month cannot be told without it. Mend the line, or delete it if its cost does not matter.',
  })
}
