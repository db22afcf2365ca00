import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { BenchError } from '../bench-error.ts'
import type { Completion, Provider } from './provider.ts'

/**
 * Answers that lie in a folder as `<fixture-id>.vox` (a program) or `.md` / `.txt` (a raw answer), for sample 0;
 * sample n > 0 is `<fixture-id>.<n>.vox` and so on. Usage, cost and latency are unknown, never zero.
 * @throws BenchError `answers/unreadable` for a file that is there and cannot be read.
 */
export function createFolderProvider(folder: string): FolderProvider {
  async function read(fixture: string, sample: number): Promise<FolderAnswer | null> {
    for (const [ending, wrap] of endings) {
      const found = await readOrNull(join(folder, stemOf(fixture, sample) + ending))
      if (found !== null) return { ...found, text: wrap(found.text) }
    }
    return null
  }
  return {
    read,
    async complete({ fixture, sample }): Promise<Completion> {
      const found = await read(fixture, sample)
      if (found !== null) return answer(found)
      const stem = stemOf(fixture, sample)
      return {
        kind: 'not-attempted',
        why: 'no-answer-file',
        message: `no ${stem}.vox, ${stem}.md or ${stem}.txt in the folder of answers`,
      }
    },
  }
}

export interface FolderProvider extends Provider {
  /** The answer to one sample, as a model would have given it; null when there is no file. */
  read(fixture: string, sample: number): Promise<FolderAnswer | null>
}

export interface FolderAnswer {
  readonly text: string
  /** The file was larger than an answer may be. */
  readonly isCut: boolean
}

function stemOf(fixture: string, sample: number): string {
  return sample === 0 ? fixture : `${fixture}.${sample}`
}

const endings: readonly [string, (text: string) => string][] = [
  ['.vox', (program) => fence(program)],
  ['.md', (text) => text],
  ['.txt', (text) => text],
]

/** A program as an answer; the fence is longer than any run of backticks in it. */
function fence(program: string): string {
  const longest = Math.max(2, ...(program.match(/`+/g) ?? []).map((run) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}vox\n${program}${program.endsWith('\n') ? '' : '\n'}${ticks}\n`
}

/** Far longer than any program; what lies beyond is not read. */
const MAX_ANSWER_BYTES = 1024 * 1024

/** The text of a regular file, cut after 1 MiB; null where there is none. Links are not followed. */
async function readOrNull(path: string): Promise<FolderAnswer | null> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    // Without NONBLOCK the opening of a pipe would wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENXIO') return null
    throw new BenchError({
      code: 'answers/unreadable',
      message: `The answer ${path} cannot be read (${code}).`,
      hint: 'Make the file readable, or take it out of the folder.',
      cause: error,
    })
  }
  try {
    const found = await file.stat()
    if (!found.isFile()) return null
    const buffer = Buffer.alloc(Math.min(found.size, MAX_ANSWER_BYTES) + 1)
    const { bytesRead } = await file.read({ buffer, position: 0 })
    const isCut = bytesRead > MAX_ANSWER_BYTES
    return { text: buffer.toString('utf8', 0, Math.min(bytesRead, MAX_ANSWER_BYTES)), isCut }
  } finally {
    await file.close()
  }
}

function answer({ text, isCut }: FolderAnswer): Completion {
  return {
    kind: 'answered',
    text,
    finishReason: isCut ? 'length' : null,
    usage: null,
    costUsd: null,
    latencyMs: null,
    modelReturned: null,
    providerReturned: null,
    requests: 0,
  }
}
