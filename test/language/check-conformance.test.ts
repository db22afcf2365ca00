import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { check } from '../../src/language/check.ts'
import type { Diagnostic } from '../../src/language/diagnostic.ts'
import type { CheckResult } from '../../src/language/parse-result.ts'

interface Row {
  readonly id: string
  readonly source: string
  readonly check: { readonly ok: boolean; readonly classes?: readonly string[] }
  readonly check_confidence?: 'high' | 'medium' | 'low'
}

function rowsOf(table: string): readonly (Row & { readonly checked: CheckResult })[] {
  const path = new URL(`../conformance/${table}.jsonl`, import.meta.url)
  const rows: Row[] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return rows.map((row) => ({ ...row, checked: check(row.source) }))
}

const PARSER_CODE = /^(E0001|E091|vox\/(lexer|decorator)\/.*)$/

function classOf({ code }: Diagnostic): string {
  if (code === null) return 'uncoded'
  return PARSER_CODE.test(code) ? 'parse' : code
}

const classesOf = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  [...new Set(diagnostics.filter((each) => each.severity === 'error').map(classOf))].sort()

const observedClasses = (row: Row): readonly string[] =>
  [...new Set((row.check.classes ?? []).filter((each) => !each.startsWith('warn:')))].sort()

const isAccepted = ({ checked }: { readonly checked: CheckResult }): boolean => checked.kind === 'accepted'
const isDecided = ({ checked }: { readonly checked: CheckResult }): boolean => checked.kind !== 'unsupported'
const idsOf = (rows: readonly Row[]): readonly string[] => rows.map((row) => row.id)

describe('programs', () => {
  const rows = rowsOf('programs')

  test('every verdict agrees, whatever its confidence', () => {
    const wrong = rows.filter((row) => isDecided(row) && isAccepted(row) !== row.check.ok)
    expect(idsOf(wrong)).toEqual([])
  })

  test('only what lies outside the slice is left undecided', () => {
    const open = rows.filter((row) => !isDecided(row))
    expect(idsOf(open)).toEqual(['cheat-22-import', 'lex-dec', 'q-query-main', 'q-query-main-before'])
  })

  test('rejections are of the observed classes', () => {
    const wrong = rows.filter(
      ({ checked, ...row }) =>
        checked.kind === 'rejected' && classesOf(checked.diagnostics).join() !== observedClasses(row).join(),
    )
    expect(idsOf(wrong)).toEqual([])
  })
})

test('all random well-typed programs are accepted', () => {
  expect(idsOf(rowsOf('random').filter((row) => !isAccepted(row)))).toEqual([])
})

describe('mutants', () => {
  const rows = rowsOf('mutants')

  test('every verdict agrees', () => {
    expect(idsOf(rows.filter((row) => isAccepted(row) !== row.check.ok))).toEqual([])
  })

  test('rejections are of the observed classes', () => {
    const wrong = rows.filter(
      ({ checked, ...row }) =>
        checked.kind === 'rejected' && classesOf(checked.diagnostics).join() !== observedClasses(row).join(),
    )
    expect(idsOf(wrong)).toEqual([])
  })
})
