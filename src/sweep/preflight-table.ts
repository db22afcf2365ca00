import { columns } from '../report/columns.ts'
import type { PreflightFailure } from '../verify/oracle.ts'
import { shorten } from '../verify/run-verdict.ts'
import { describeKind } from '../verify/verdict-text.ts'

const FIXTURES_SHOWN = 8
const DIAGNOSTIC_CHARACTERS = 90

/** What a preflight found wrong, a line for each class of failure, the most frequent first, as columns of plain text. */
export function preflightTable(failures: readonly PreflightFailure[]): string {
  const groups = new Map<string, PreflightFailure[]>()
  for (const failure of failures) {
    const name = classOf(failure)
    groups.set(name, [...(groups.get(name) ?? []), failure])
  }
  const lines = [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, all]) => [name, String(all.length), listFixtures(all), firstReason(all)])
  const rows = [['what fails', 'how often', 'problems', 'the first says'], ...lines]
  return columns(rows)
    .map((line) => `  ${line}`)
    .join('\n')
}

function classOf({ planted, verdict }: PreflightFailure): string {
  const found = verdict === null ? 'fails on its own domain' : describeKind(verdict)
  return planted === 'reference' ? `reference: ${found}` : `planted ${planted}: ${found}`
}

function listFixtures(failures: readonly PreflightFailure[]): string {
  const ids = [...new Set(failures.map(({ fixture }) => fixture))].sort()
  const more = ids.length > FIXTURES_SHOWN ? ` and ${ids.length - FIXTURES_SHOWN} more` : ''
  return `${ids.slice(0, FIXTURES_SHOWN).join(' ')}${more}`
}

function firstReason([first]: readonly PreflightFailure[]): string {
  if (first === undefined) return ''
  const { verdict, expected, found, planted } = first
  if (planted !== 'reference') return shorten(`should be ${expected}`, DIAGNOSTIC_CHARACTERS)
  if (verdict?.kind !== 'check-failed') return shorten(found, DIAGNOSTIC_CHARACTERS)
  const diagnostic = verdict.diagnostics[0]
  const words = diagnostic === undefined ? found : `line ${diagnostic.line}: ${diagnostic.message}`
  return shorten(words, DIAGNOSTIC_CHARACTERS)
}
