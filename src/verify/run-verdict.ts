import { keptText } from '../engine/captured-text.ts'
import type { CapturedText, CheckOutcome, EngineDiagnostic, RunOutcome } from '../engine/engine.ts'
import { classifyDiagnostics, classifyText } from '../language/diagnostic-class.ts'
import { LINES_BEFORE_CANDIDATE } from './compose.ts'
import type { Verdict } from './verdict.ts'

const DETAIL_CHARACTERS = 300
const DIAGNOSTICS_KEPT = 20

/** Exit codes of the vox binary. */
const EXIT = { capability: 77, budget: 78, memory: 79, panic: 101 }
/** What Rust says when an allocation is refused, before it aborts. */
const ALLOCATION_FAILED = /^memory allocation of \d+ bytes failed/m

/**
 * What a run of a composed program means: `passed` when it ended by itself and its last line is the nonce. Nothing else it printed
 * counts. An exit code of 0 without the nonce means that `main` was replaced or left early, which no honest candidate can do.
 */
export function verdictOfRun(outcome: RunOutcome, nonce: string): Verdict {
  switch (outcome.kind) {
    case 'timeout':
    case 'output-limit':
      return { kind: outcome.kind }
    case 'unsupported':
      return { kind: 'unsupported', reason: outcome.reason }
    case 'crashed':
      return ALLOCATION_FAILED.test(keptText(outcome.stderr))
        ? { kind: 'budget', resource: 'memory' }
        : { kind: 'crashed', signal: outcome.signal }
    case 'exited':
      return verdictOfExit(outcome, nonce)
  }
}

function verdictOfExit(
  { code, stdout, stderr, exceeded }: Extract<RunOutcome, { kind: 'exited' }>,
  nonce: string,
): Verdict {
  switch (code) {
    case 0:
      return isNonce(stdout.lastLine, nonce)
        ? { kind: 'passed' }
        : { kind: 'cheated', how: 'exited with 0 without reaching the end of the tests' }
    case EXIT.budget:
      return { kind: 'budget', resource: exceeded ?? 'steps' }
    case EXIT.memory:
      return { kind: 'budget', resource: 'memory' }
    case EXIT.panic:
      return { kind: 'crashed', signal: `exit ${code}` }
    case EXIT.capability:
      return { kind: 'runtime-error', class: 'capability', detail: shorten(stderr.lastLine) }
    case 1:
      return verdictOfError(stderr)
    default:
      // Leaving by a code of its own is denied to a candidate, so the binary itself is in trouble.
      return { kind: 'crashed', signal: `exit ${code}` }
  }
}

function verdictOfError(stderr: CapturedText): Verdict {
  const lines = keptText(stderr).split('\n')
  const line = lines.findLast((each) => each.startsWith('Error:')) ?? stderr.lastLine
  const name = classifyText(line)
  if (name === 'wrong_answer') return { kind: 'wrong-answer', where: 'assertion', detail: 'an assertion failed' }
  return { kind: 'runtime-error', class: name, detail: shorten(line) }
}

/** Vox 0.5.0 prints the debug form of `main`'s value. */
function isNonce(line: string, nonce: string): boolean {
  return line === nonce || line === `Str("${nonce}")`
}

/**
 * What a failed check means; null when the program was accepted. Lines of diagnostics are brought back to those of the candidate when
 * it was checked inside a composed program.
 */
export function verdictOfCheck(outcome: CheckOutcome, isComposed: boolean): Verdict | null {
  switch (outcome.kind) {
    case 'accepted':
      return null
    case 'timeout':
      return { kind: 'check-timeout' }
    case 'unsupported':
      return { kind: 'unsupported', reason: outcome.reason }
    case 'crashed':
      return { kind: 'crashed', signal: outcome.signal }
    case 'rejected': {
      const errors = outcome.diagnostics.filter(({ severity }) => severity === 'error')
      return {
        kind: 'check-failed',
        class: errors.length > 0 ? classifyEngineDiagnostics(errors) : classifyText(outcome.text),
        diagnostics: errors.slice(0, DIAGNOSTICS_KEPT).map((each) => ({
          ...each,
          message: shorten(each.message),
          line: isComposed ? Math.max(1, each.line - LINES_BEFORE_CANDIDATE) : each.line,
        })),
      }
    }
  }
}

function classifyEngineDiagnostics(errors: readonly EngineDiagnostic[]): string {
  // Positions do not matter to the class.
  return classifyDiagnostics(errors.map((each) => ({ ...each, span: { start: 0, end: 0 } })))
}

/** `text` on one line and no longer than a detail should be. */
export function shorten(text: string, limit = DETAIL_CHARACTERS): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`
}
