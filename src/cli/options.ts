import { readFile, stat } from 'node:fs/promises'
import { BenchError } from '../bench-error.ts'
import { type EngineOptions, parseEngineOptions } from '../config/engine-options.ts'
import { engineOptionNames, type OptionEntry, optionTable } from '../config/option-table.ts'
import type { CommandOption } from './command.ts'

type Options = Readonly<Record<string, string | true | undefined>>

/** Entries of the option table as options of a command. */
export function sweepOptions(names?: readonly string[]): CommandOption[] {
  return optionTable.filter((entry) => names === undefined || names.includes(entry.name)).map(toCommandOption)
}

function toCommandOption({ name, value, help }: OptionEntry): CommandOption {
  return { name, value, help }
}

export const [corpusOption] = sweepOptions(['corpus']) as [CommandOption]

/** Options of every command that verifies programs. */
export const engineOptions = sweepOptions(engineOptionNames)

/**
 * The engine options among those given.
 * @throws BenchError `config/invalid` that lists every problem.
 */
export function engineOptionsOf(options: Options): EngineOptions {
  return parseEngineOptions(options, (name) => `--${name}`)
}

/**
 * The text of an option; undefined when it was not given.
 * @throws BenchError `usage/empty` when it is present but empty.
 */
export function textOption(options: Options, name: string): string | undefined {
  const text = options[name]
  if (text === undefined || text === true) return undefined
  if (text.trim() === '') {
    throw new BenchError({
      code: 'usage/empty',
      message: `--${name} is present but empty.`,
      hint: 'Give a value or leave the option out.',
    })
  }
  return text
}

/** As `textOption`, for an option that must be there. */
export function requiredOption(options: Options, name: string): string {
  const text = textOption(options, name)
  if (text === undefined) {
    throw new BenchError({
      code: 'usage/missing',
      message: `--${name} is missing.`,
      hint: 'Add it; --help explains it.',
    })
  }
  return text
}

/** The number an option gives, or `fallback`. */
export function numberOption(options: Options, name: string, fallback: number): number {
  const text = textOption(options, name)
  if (text === undefined) return fallback
  const number = Number(text)
  if (!Number.isFinite(number)) {
    throw new BenchError({
      code: 'usage/number',
      message: `--${name}: "${text}" is not a number.`,
      hint: 'Write it like 31 or 0.10.',
    })
  }
  return number
}

/** The text of a file a person named, or of standard input for `-`. */
export async function readNamedFile(path: string): Promise<string> {
  if (path === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString('utf8')
  }
  try {
    if ((await stat(path)).isDirectory()) throw new Error('it is a folder, not a file')
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BenchError({
      code: 'usage/unreadable',
      message: `${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`,
      hint: 'Check the path; "-" stands for standard input.',
    })
  }
}

/**
 * A folder that must be there.
 * @throws BenchError `usage/no-folder`.
 */
export async function existingFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null)
  if (found?.isDirectory()) return folder
  throw new BenchError({
    code: 'usage/no-folder',
    message: `${folder} is ${found === null ? 'missing' : 'a file, not a folder'}.`,
    hint: 'Give the path of an existing folder.',
  })
}
