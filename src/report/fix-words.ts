import type { Fixes, Row } from '../score/row.ts'
import { percent, percentRange, plural } from './format.ts'

/** What giving back answers that failed did to one row. */
export interface FixView {
  readonly cell: string
  readonly passedAtOnce: string
  readonly given: string
  /** Of the answers given back; with its interval where there is one. */
  readonly mended: string
  /** Passed at once or mended. */
  readonly after: string
  /** What was wrong with first answers, the most frequent first: `check-failed parse: 3 of 5 mended`. */
  readonly failures: readonly string[]
}

const FAILURES_SHOWN = 4

/** The rows with a second turn. */
export function listFixes(rows: readonly Row[]): FixView[] {
  return rows.flatMap(({ cell, fix }) => (fix === null ? [] : [viewOf(cell, fix)]))
}

function viewOf(cell: string, { judged, passedAtOnce, mended, byFailure }: Fixes): FixView {
  const interval = mended.exact === null ? '' : ` (${percentRange(mended.exact)})`
  return {
    cell,
    passedAtOnce: `${passedAtOnce} of ${judged}`,
    given: String(mended.of),
    mended: mended.of === 0 ? 'none given back' : `${mended.passed}, ${percent(mended.rate)}${interval}`,
    after: `${passedAtOnce + mended.passed} of ${judged}`,
    failures: byFailure.slice(0, FAILURES_SHOWN).map(describeFailure),
  }
}

function describeFailure({ kind, class: name, given, mended }: Fixes['byFailure'][number]): string {
  return `${name === null ? kind : `${kind} ${name}`}: ${mended} of ${given} mended`
}

/** What must be known of rows with a second turn, whatever else is shown of them. */
export function explainFixRows(rows: readonly Row[]): string | null {
  const count = rows.filter(({ fix }) => fix !== null).length
  if (count === 0) return null
  return `${plural(count, 'row')} of a harness +fix1: an answer that failed was given back once with what was found wrong, and what counts there is the last answer (fix@1). Such a rate is not one of first answers and is compared with none.`
}
