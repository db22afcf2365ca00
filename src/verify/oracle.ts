import { BenchError } from '../bench-error.ts'
import type { Fixture } from '../corpus/fixture.ts'
import type { Verdict } from './verdict.ts'
import { describeVerdict } from './verdict-text.ts'
import type { Verifier } from './verify.ts'

/** A reference that did not pass, or a planted program that was not seen through. */
export interface PreflightFailure {
  readonly fixture: string
  /** `reference` or the name of the saboteur, with `below the gate` where it was tried there. */
  readonly planted: string
  readonly expected: string
  readonly found: string
  /** Null when the reference failed on an input of its own domain. */
  readonly verdict: Verdict | null
}

/** Verifies a fixture's reference as if a model had written it; null when it passes with nothing noted. */
export async function tryReference(verifier: Verifier, fixture: Fixture): Promise<PreflightFailure | null> {
  const failed = (found: string, verdict: Verdict | null): PreflightFailure => ({
    fixture: fixture.id,
    planted: 'reference',
    expected: 'passed',
    found,
    verdict,
  })
  try {
    const { verdict, notes } = await verifier.verifyProgram(fixture, fixture.reference)
    if (verdict.kind !== 'passed') return failed(describeVerdict(verdict), verdict)
    return notes.length === 0 ? null : failed(`passed, but noted: ${notes.join(', ')}`, verdict)
  } catch (error) {
    if (error instanceof BenchError && error.code === 'verify/reference-failed') return failed(error.message, null)
    throw error
  }
}
