import { readFile, stat } from 'node:fs/promises'
import { BenchError } from '../bench-error.ts'

/** A help text is for a prompt: far larger ones are mistakes, and counting their tokens would take minutes. */
const MAX_HELP_BYTES = 256 * 1024
const MAX_UNBROKEN = 2000

/**
 * The user's own help text behind `file:PATH`.
 * @throws BenchError `condition/unreadable` when there is none, or it is no text of a prompt's size.
 */
export async function readHelp(path: string): Promise<string> {
  let text: string
  try {
    const { size } = await stat(path)
    if (size > MAX_HELP_BYTES) throw new Error(`it has ${size} bytes, and a help text may have ${MAX_HELP_BYTES}`)
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw unreadable(path, reasonOf(error as NodeJS.ErrnoException))
  }
  if (text.trim() === '') throw unreadable(path, 'it is empty; C0 is the condition without help')
  if (/[\0\ufffd]/.test(text)) throw unreadable(path, 'it is not text in UTF-8')
  if (text.split(/\s/).some((word) => word.length > MAX_UNBROKEN)) {
    throw unreadable(path, `it has more than ${MAX_UNBROKEN} characters without a blank`)
  }
  return text
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file'
  return code === 'EISDIR' ? 'it is a folder' : message
}

function unreadable(path: string, reason: string): BenchError {
  return new BenchError({
    code: 'condition/unreadable',
    message: `The help text ${path} cannot be used: ${reason}.`,
    hint: 'Check the path behind "file:"; it is relative to the working folder.',
  })
}
