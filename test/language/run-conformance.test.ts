import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Observed } from './run-program.ts'
import { observe } from './run-program.ts'

interface Row {
  readonly id: string
  readonly source: string
  readonly opts?: readonly string[]
  readonly run: { readonly exit: number; readonly stdout: string; readonly error: string }
}

type ObservedRow = Row & { readonly observed: Observed }

function rowsOf(table: string): readonly ObservedRow[] {
  const path = new URL(`../conformance/${table}.jsonl`, import.meta.url)
  const rows: Row[] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return rows.map((row) => ({ ...row, observed: observeRow(row) }))
}

function observeRow({ source, opts }: Row): Observed {
  const [option = '', value = ''] = opts ?? []
  if (option === '--caps') return observe(source, {}, [value])
  if (option === '--max-steps') return observe(source, { steps: Number(value) })
  return observe(source, option === '--max-depth' ? { depth: Number(value) } : {})
}

const isDecided = ({ observed }: ObservedRow): boolean => observed.result.kind !== 'unsupported'
const reasonsOf = (rows: readonly ObservedRow[]) =>
  Object.fromEntries(rows.flatMap(({ id, observed: { result } }) => ('reason' in result ? [[id, result.reason]] : [])))

function isSame({ run, observed: { result, stdout } }: ObservedRow): boolean {
  return result.kind === 'exited' && result.exit === run.exit && stdout === run.stdout
}

/** The tables hold a parse failure's debug text only in part, and placeholders where a driver did not know Vox's words. */
function isErrorKnown({ run }: Row): boolean {
  return !/Parse failed|ParseError|<driver: |panicked|capacity overflow/.test(run.error)
}

function hasSameError({ run, observed: { result } }: ObservedRow): boolean {
  return 'stderr' in result && result.stderr.trim() === run.error.replace('<parity diagnostic>: ', '').trim()
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)

const NO_TEXT = 'text of a function value'
const UNDECIDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  programs: {
    'caps-env': '`env.get` needs a host',
    'caps-flag-parse-fs': 'capability token with a folder',
    'cheat-09-read-self': '`env.args` needs a host',
    'cheat-10-run': '`process.run` needs a host',
    'cheat-22-import': 'import of a file',
    'cheat-25-alias': NO_TEXT,
    'cheat-25-alias-after': NO_TEXT,
    'lex-dec': 'decimal literal',
    'json-bad': '`json.parse` of malformed text',
    'q-query-main': '`query` declaration',
    'q-query-main-before': '`query` declaration',
    'type-alias': NO_TEXT,
  },
  random: {},
  mutants: {
    'mutant-1377': NO_TEXT,
    'mutant-565': NO_TEXT,
    'mutant-1395': NO_TEXT,
    'mutant-894': NO_TEXT,
    'mutant-1459': NO_TEXT,
  },
}

describe.each(Object.keys(UNDECIDED))('%s', (table) => {
  const rows = rowsOf(table)

  test('every run that is decided agrees in exit code and output', () => {
    expect(idsOf(rows.filter((row) => isDecided(row) && !isSame(row)))).toEqual([])
  })

  test('errors read as observed', () => {
    const known = rows.filter((row) => isDecided(row) && row.run.exit !== 0 && isErrorKnown(row))
    expect(idsOf(known.filter((row) => !hasSameError(row)))).toEqual([])
  })

  test('what lies outside the slice is left undecided, and nothing else', () => {
    expect(reasonsOf(rows)).toEqual(UNDECIDED[table])
  })
})
