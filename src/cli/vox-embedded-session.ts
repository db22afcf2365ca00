import { readFileSync, statSync, writeSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { check } from '../language/check.ts'
import { normalise } from '../language/lexer.ts'
import { run, STACK_EXHAUSTED } from '../language/run.ts'
import type { EmbeddedCommand } from './vox-embedded-command.ts'
import { USAGE } from './vox-embedded-command.ts'
import { describeDiagnostics, diagnosticsAsJson } from './vox-embedded-diagnostics.ts'

const STDOUT = 1
const STDERR = 2
const EXIT_USAGE = 2
/** The program lies outside the slice this engine knows; the last line of stderr says why. */
const EXIT_UNSUPPORTED = 64
/** What Rust's `println!` makes of a closed pipe. */
const EXIT_PIPE_CLOSED = 101

/** How far a command came on the stack it was given. */
export type Service =
  | { readonly kind: 'done'; readonly exit: number }
  /** The stack was too small; `written` characters of the program's output are out already. */
  | { readonly kind: 'stack-exhausted'; readonly written: number }

/**
 * Carries a command out, with the streams and exit codes of the vox binary. `written` characters of the program's output are out
 * already, by an earlier try on a smaller stack.
 */
export function serveEmbeddedCommand(command: EmbeddedCommand, written = 0): Service {
  try {
    if (command.kind === 'run') return serveRun(command, written)
    return { kind: 'done', exit: exitOf(command) }
  } catch (error) {
    // Whatever else nests prints nothing before it is through.
    if (error instanceof RangeError && /call stack/i.test(error.message)) return { kind: 'stack-exhausted', written: 0 }
    throw error
  }
}

function exitOf(command: Exclude<EmbeddedCommand, { kind: 'run' }>): number {
  switch (command.kind) {
    case 'version':
      write(STDOUT, `vox-embedded ${packageJson.version}\n`)
      return 0
    case 'usage':
      write(STDERR, `error: ${command.problem}\n\n${USAGE}\n`)
      return EXIT_USAGE
    case 'unsupported':
      return refuse(command.reason)
    case 'check':
      return withSource(command.file, (source) => serveCheck(command, source))
  }
}

function serveCheck({ file, format, isStrict }: Extract<EmbeddedCommand, { kind: 'check' }>, source: string): number {
  const result = check(source)
  if (result.kind === 'unsupported') return refuse(result.reason)
  const diagnostics = result.kind === 'accepted' ? result.warnings : result.diagnostics
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length
  const errors = diagnostics.length - warnings
  const text = normalise(source)
  if (format === 'json') write(STDOUT, `${diagnosticsAsJson(text, file, diagnostics)}\n`)
  else write(STDERR, describeDiagnostics(text, file, diagnostics))
  if (result.kind === 'accepted' && !(isStrict && warnings > 0)) {
    write(STDOUT, `Check passed with ${warnings} warning(s)\n`)
    return 0
  }
  write(STDERR, `Error: Check failed with ${errors} error(s) and ${warnings} warning(s)\n`)
  return 1
}

function serveRun(command: Extract<EmbeddedCommand, { kind: 'run' }>, written: number): Service {
  const output = createOutput(written)
  const exit = withSource(command.file, (source) => runSource(command, source, output))
  return exit === STACK_EXHAUSTED ? { kind: 'stack-exhausted', written: output.written() } : { kind: 'done', exit }
}

function runSource(
  { limits, caps }: Extract<EmbeddedCommand, { kind: 'run' }>,
  source: string,
  output: Output,
): number | typeof STACK_EXHAUSTED {
  const badRoot = caps.flatMap((spec) => spec.split(',')).find((token) => isMissingRoot(token.trim()))
  if (badRoot !== undefined) {
    write(STDERR, `Error: invalid --caps token ${JSON.stringify(badRoot)}: fs root does not exist or is unreadable\n`)
    return 1
  }
  const result = run(source, { write: output.write, limits, caps })
  if (result.kind === 'unsupported' && result.reason === STACK_EXHAUSTED) return STACK_EXHAUSTED
  const isOpen = output.flush()
  if (result.kind === 'unsupported') return refuse(result.reason)
  if (result.kind === 'output-limit' || !isOpen) return EXIT_PIPE_CLOSED
  write(STDERR, result.stderr)
  return result.exit
}

/** `fs:ro=DIR` is a start error when there is no such folder; that a root exists is as much as this engine can say of it. */
function isMissingRoot(token: string): boolean {
  const root = /^fs:r[ow]=([^|]+)$/.exec(token)?.[1]
  return root !== undefined && statSync(root, { throwIfNoEntry: false }) === undefined
}

function withSource<Exit>(file: string, serve: (source: string) => Exit): Exit | number {
  let source: string
  try {
    source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (error) {
    write(
      STDERR,
      `Error: Failed to read file\n\nCaused by:\n    ${error instanceof Error ? error.message : String(error)}\n`,
    )
    return 1
  }
  return serve(source)
}

function refuse(reason: string): number {
  write(STDERR, `vox-embedded: unsupported: ${reason.replaceAll('\n', ' ')}\n`)
  return EXIT_UNSUPPORTED
}

const BATCH_CHARACTERS = 65_536

interface Output {
  write(text: string): boolean
  flush(): boolean
  /** Characters that are out. */
  written(): number
}

/** Gathers a program's output into larger writes, without the first `skipped` characters; false once nobody reads it. */
function createOutput(skipped: number): Output {
  let pending: string[] = []
  let length = 0
  let written = 0
  let isOpen = true
  function flush(): boolean {
    if (isOpen) isOpen = write(STDOUT, pending.join('').slice(Math.max(0, skipped - written)))
    pending = []
    written += length
    length = 0
    return isOpen
  }
  return {
    flush,
    written: () => written,
    write(text) {
      pending.push(text)
      length += text.length
      return length < BATCH_CHARACTERS ? isOpen : flush()
    },
  }
}

/** Writes all of `text`, waiting while the pipe is full; false when its other end is closed. */
function write(stream: number, text: string): boolean {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(stream, bytes, at)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      if (error.code === 'EPIPE') return false
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
  return true
}
