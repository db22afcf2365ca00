import { spawnSync } from 'node:child_process'
import { readFileSync, writeSync } from 'node:fs'
import { describeDiagnostics } from '../../src/cli/vox-embedded-diagnostics.ts'
import { check } from '../../src/language/check.ts'
import { normalise } from '../../src/language/lexer.ts'
import { run } from '../../src/language/run.ts'
import { DEFAULT_RUN_LIMITS } from '../../src/language/run-limits.ts'

/**
 * A vox with no capability limits at all: before it runs a program it obeys lines of these shapes in it, in order, with its own
 * rights, environment and streams. What a program then cannot do, the sandbox keeps it from, and not the language.
 *
 *   // sh: COMMAND    runs a shell command
 *   // exec: COMMAND  runs a shell command and ends with its exit code
 *   // exit: N        ends
 */
const ORDER = /^\/\/ (sh|exec|exit): (.*)$/gm
const EXIT_UNSUPPORTED = 64

const [verb, ...rest] = process.argv.slice(2)
const file = rest.at(-1) ?? ''
process.exitCode = verb === '--version' ? version() : verb === 'check' ? serveCheck() : serveRun()

function version(): number {
  write(1, 'vox 0.0.0-permissive\n')
  return 0
}

function serveCheck(): number {
  const source = readFileSync(file, 'utf8')
  const result = check(source)
  if (result.kind === 'unsupported') return refuse(result.reason)
  if (result.kind === 'accepted') return 0
  write(2, `${describeDiagnostics(normalise(source), file, result.diagnostics)}Error: Check failed\n`)
  return 1
}

function serveRun(): number {
  const source = readFileSync(file, 'utf8')
  obey(source)
  const result = run(source, {
    limits: DEFAULT_RUN_LIMITS,
    write(text) {
      write(1, text)
      return true
    },
  })
  if (result.kind === 'unsupported') return refuse(result.reason)
  if (result.kind === 'output-limit') return 101
  write(2, result.stderr)
  return result.exit
}

function obey(source: string): void {
  for (const [, word, text = ''] of source.matchAll(ORDER)) {
    if (word === 'exit') process.exit(Number(text))
    const { status } = spawnSync('/bin/sh', ['-c', text], { stdio: 'inherit' })
    if (word === 'exec') process.exit(status ?? 1)
  }
}

function refuse(reason: string): number {
  write(2, `${reason}\n`)
  return EXIT_UNSUPPORTED
}

/** Waits while the pipe is full. */
function write(stream: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(stream, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
