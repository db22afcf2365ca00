import { parseArgs } from 'node:util'
import { DEFAULT_RUN_LIMITS } from '../language/run-limits.ts'

export type EmbeddedCommand =
  | { readonly kind: 'version' }
  | { readonly kind: 'check'; readonly file: string; readonly format: 'text' | 'json'; readonly isStrict: boolean }
  | {
      readonly kind: 'run'
      readonly file: string
      readonly limits: { readonly steps: number; readonly depth: number; readonly memoryBytes: number }
      readonly caps: readonly string[]
    }
  | { readonly kind: 'usage'; readonly problem: string }
  | { readonly kind: 'unsupported'; readonly reason: string }

export const USAGE = `usage: vox-embedded check [--output-format text|json] [--json] [--strict] FILE
       vox-embedded run --mode interp [--max-steps N] [--max-depth N] [--max-memory BYTES] [--caps TOKEN]... FILE
       vox-embedded --version`

const MEBIBYTE = 2 ** 20
/** JavaScript values are larger than Vox's, and garbage comes on top. */
const HEAP_FACTOR = 2
const OWN_MEBIBYTES = 128

/** Reads the arguments behind the program's name; they are the vox binary's, as far as it and this overlap. */
export function readEmbeddedCommand(args: readonly string[]): EmbeddedCommand {
  try {
    return readCommand(args)
  } catch (error) {
    return { kind: 'usage', problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Heap the command may use, in MiB. */
export function heapMebibytes(command: EmbeddedCommand): number {
  const memoryBytes =
    command.kind === 'run'
      ? Math.min(command.limits.memoryBytes, DEFAULT_RUN_LIMITS.memoryBytes)
      : DEFAULT_RUN_LIMITS.memoryBytes
  return OWN_MEBIBYTES + Math.ceil((memoryBytes * HEAP_FACTOR) / MEBIBYTE)
}

const OPTIONS = {
  version: { type: 'boolean', short: 'V' },
  json: { type: 'boolean' },
  strict: { type: 'boolean' },
  format: { type: 'string' },
  'output-format': { type: 'string' },
  mode: { type: 'string' },
  caps: { type: 'string', multiple: true },
  'max-steps': { type: 'string' },
  'max-depth': { type: 'string' },
  'max-memory': { type: 'string' },
} as const

function readCommand(args: readonly string[]): EmbeddedCommand {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  if (values.version === true) return { kind: 'version' }
  const [verb, file] = positionals
  if (file === undefined) return { kind: 'usage', problem: verb === undefined ? 'no command' : 'no file' }
  if (verb === 'check') {
    const format = values.json === true ? 'json' : (values['output-format'] ?? values.format ?? 'text')
    if (format !== 'text' && format !== 'json') return { kind: 'usage', problem: `unknown output format ${format}` }
    return { kind: 'check', file, format, isStrict: values.strict === true }
  }
  if (verb !== 'run') return { kind: 'usage', problem: `unknown command ${verb}` }
  if ((values.mode ?? 'interp') !== 'interp') return { kind: 'unsupported', reason: `run mode ${values.mode}` }
  const limits = {
    steps: readCount('max-steps', values['max-steps'], DEFAULT_RUN_LIMITS.steps),
    depth: readCount('max-depth', values['max-depth'], DEFAULT_RUN_LIMITS.depth),
    memoryBytes: readCount('max-memory', values['max-memory'], DEFAULT_RUN_LIMITS.memoryBytes),
  }
  return { kind: 'run', file, limits, caps: values.caps ?? [] }
}

function readCount(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}`)
  return Number(text)
}
