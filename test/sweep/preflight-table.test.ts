import { expect, test } from 'vitest'
import { preflightTable } from '../../src/sweep/preflight-table.ts'
import type { PreflightFailure } from '../../src/verify/oracle.ts'

function rejected(fixture: string, name: string, message: string): PreflightFailure {
  const diagnostics = [{ severity: 'error' as const, code: null, message, line: 4, column: 7 }]
  const verdict = { kind: 'check-failed' as const, class: name, diagnostics }
  return { fixture, planted: 'reference', expected: 'passed', found: 'check-failed', verdict }
}

test('failures are grouped by class, the most frequent first, with the first diagnostic', () => {
  const table = preflightTable([
    rejected('003', 'unknown_method', 'Method x not found'),
    rejected('001', 'type_mismatch', 'Cannot unify int with Option'),
    rejected('002', 'type_mismatch', 'Something else'),
  ])
  const lines = table.split('\n')
  expect(lines[1]).toMatch(
    /^ {2}reference: check-failed type_mismatch +2 +001 002 +line 4: Cannot unify int with Option$/,
  )
  expect(lines[2]).toMatch(/unknown_method +1 +003/)
})

test('a planted program stands apart from references', () => {
  const verdict = { kind: 'passed' as const }
  const table = preflightTable([
    { fixture: '001', planted: 'early exit below the gate', expected: 'runtime-error', found: 'passed', verdict },
  ])
  expect(table).toMatch(/planted early exit below the gate: passed +1 +001 +should be runtime-error/)
})

test('a long list of problems is cut', () => {
  const many = Array.from({ length: 30 }, (_, at) => rejected(String(at + 1).padStart(3, '0'), 'parse', 'Expected {'))
  expect(preflightTable(many)).toContain('008 and 22 more')
})
