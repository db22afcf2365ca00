/** A problem that the person running the tool can mend: what is wrong, where, and what to do next. */
export class BenchError extends Error {
  override readonly name = 'BenchError'
  /** Stable identifier for scripts, e.g. `corpus/missing-file`. */
  readonly code: string
  /** What to do next; printed on its own line. */
  readonly hint: string

  constructor(problem: { code: string; message: string; hint: string; cause?: unknown }) {
    super(problem.message, problem.cause === undefined ? undefined : { cause: problem.cause })
    this.code = problem.code
    this.hint = problem.hint
  }
}
