import type { Row } from '../score/row.ts'
import { number, plural } from './format.ts'

/** Which attempts have no verdict, and why; null when every attempt has one. */
export function describeGaps({ attempts }: Row): string | null {
  const parts = [
    ...Object.entries(attempts.infraErrors).map(([name, count]) => `${plural(count, 'infra error')} (${name})`),
    ...Object.entries(attempts.notAttempted).map(([why, count]) => `${count} not attempted (${why})`),
    ...(attempts.unverified === 0 ? [] : [`${attempts.unverified} not verified`]),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

/** What the passes of first samples are out of: `40`, or `30 judged` where some of the first samples have no verdict. */
export function describeFirsts({ fixtures, firstSample: { of } }: Row): string {
  return of === fixtures ? number(of) : `${number(of)} judged`
}

/** How much help a row had: `788 tokens`, or that nobody knows because its answers came from elsewhere. */
export function describeHelp({ helpTokens }: Row, isKnown: boolean): string {
  return isKnown ? plural(helpTokens, 'token') : 'help not known'
}

/** A figure per pass as `text`; a row without a pass has none, however much is known. */
export function perPass({ verdicts }: Row, text: string): string {
  return (verdicts.passed ?? 0) === 0 ? 'no pass' : text
}

/** What each stage of the funnel means, as the head of its column. */
export const stageWords: Readonly<Record<Row['funnel'][number]['stage'], string>> = {
  answered: 'answered',
  code: 'has code',
  policy: 'keeps to the rules',
  check: 'check accepts',
  ran: 'runs without error',
  passed: 'passes',
}
