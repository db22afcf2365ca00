import { appendFileSync, closeSync, constants, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { plainText } from '../report/plain-text.ts'
import type { OutputFolder } from '../sweep/output-folder.ts'
import type { CommandOption } from './command.ts'
import type { Terminal } from './terminal.ts'

export const eventsOption: CommandOption = {
  name: 'events',
  value: 'FILE',
  help: 'append what happens to FILE, one JSON object a line; "-" is stdout, and all else goes to stderr then',
}

/** Takes lines as they come. One that cannot be written is told once; from then on lines are dropped and the run goes on. */
export interface EventSink {
  write(line: string): void
  close(): void
}

export interface OpenEvents {
  /** Null when nobody listens. */
  readonly sink: EventSink | null
  /** Where everything else goes. */
  readonly terminal: Terminal
}

interface Streams {
  readonly terminal: Terminal
  readonly stdout: NodeJS.WriteStream
}

/**
 * Opens what `--events` names; undefined is nothing.
 * @throws BenchError `usage/events` when it cannot be written, or holds something else already.
 */
export function openEvents(
  target: string | undefined,
  output: OutputFolder,
  { terminal, stdout }: Streams,
): OpenEvents {
  if (target === undefined) return { sink: null, terminal }
  if (target === '-') {
    const sink = createSink('standard output', terminal, { append: terminal.out, close() {} })
    // A pipe tells so that it is broken; with nobody to hear it that would end the process.
    stdout.on('error', sink.fail)
    return { sink, terminal: { ...terminal, out: terminal.note } }
  }
  const { file, isTorn } = openFile(target, output)
  const sink = createSink(target, terminal, {
    append: (line) => appendFileSync(file, `${line}\n`),
    close: () => closeSync(file),
  })
  if (isTorn) sink.write('')
  return { sink, terminal }
}

function createSink(
  name: string,
  terminal: Terminal,
  { append, close }: { append(line: string): void; close(): void },
): EventSink & { fail(error: Error): void } {
  let isOpen = true
  function fail(error: Error): void {
    if (!isOpen) return
    isOpen = false
    terminal.note(
      plainText(`warning: events cannot be written to ${name} any more, so the run goes on without: ${error.message}`),
    )
  }
  return {
    fail,
    write(line) {
      if (!isOpen) return
      try {
        append(line)
      } catch (error) {
        fail(error as Error)
      }
    },
    close() {
      try {
        close()
      } catch (error) {
        fail(error as Error)
      }
      isOpen = false
    },
  }
}

/** How every line of a stream begins, whatever its version. */
const FIRST_CHARACTERS = '{"v":'

function openFile(target: string, output: OutputFolder): { file: number; isTorn: boolean } {
  try {
    if (output.isOwn(path.resolve(target))) throw new Error('a file of the run has that name')
    // A pipe is not read: its reader is someone else.
    const isTorn = statSync(target, { throwIfNoEntry: false })?.isFile() === true && endsInHalfALine(target)
    return { file: openToAppend(target), isTorn }
  } catch (error) {
    throw new BenchError({
      code: 'usage/events',
      message: `Events cannot be written to ${target}: ${(error as Error).message}.`,
      hint: 'Give --events a new file, one with events of earlier runs, a pipe whose reader has started, or "-" for standard output.',
      cause: error,
    })
  }
}

/**
 * A pipe without a reader would hold up its opening, and with it every signal.
 * @throws Error as opening does, and for such a pipe.
 */
function openToAppend(target: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants
  let file: number
  try {
    file = openSync(target, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o666)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error
    throw new Error('nobody reads this pipe yet', { cause: error })
  }
  if (fstatSync(file).isFile()) return file
  try {
    // Writing waits for a reader that is slow, rather than to lose what does not fit.
    return openSync(target, 'a')
  } finally {
    closeSync(file)
  }
}

/**
 * What is too short to tell what the file holds is cut off.
 * @throws Error when the file holds something else than events.
 */
function endsInHalfALine(target: string): boolean {
  const file = openSync(target, 'r')
  try {
    const { size } = fstatSync(file)
    if (size === 0) return false
    const read = (length: number, position: number) => {
      const bytes = Buffer.alloc(length)
      return bytes.toString('latin1', 0, readSync(file, bytes, 0, length, position))
    }
    const first = read(FIRST_CHARACTERS.length, 0)
    if (first.length < FIRST_CHARACTERS.length && FIRST_CHARACTERS.startsWith(first)) {
      // Ended as it is, nobody could tell it from something else.
      truncateSync(target)
      return false
    }
    if (first !== FIRST_CHARACTERS) throw new Error('it holds something else than events')
    return read(1, size - 1) !== '\n'
  } finally {
    closeSync(file)
  }
}
