import { readFileSync } from 'node:fs'
import path from 'node:path'
import { check } from '../../src/language/check.ts'
import type { Diagnostic } from '../../src/language/diagnostic.ts'
import { run } from '../../src/language/run.ts'

export const TABLES = ['programs', 'random', 'mutants'] as const
export type Table = (typeof TABLES)[number]
export type Confidence = 'high' | 'medium' | 'low'
/** What is compared: the verdict of `check`, the classes of its errors, exit code and output of `run`, its error text. */
export type Part = 'check' | 'classes' | 'run' | 'error'

/** One program of a table: what was observed, as it stands in the file. */
interface Row {
  readonly id: string
  readonly source: string
  readonly opts?: readonly string[]
  readonly check: { readonly ok: boolean; readonly classes?: readonly string[] }
  readonly run: { readonly exit: number; readonly stdout: string; readonly error: string }
  readonly check_confidence?: Confidence
  readonly run_confidence?: Confidence
}

export type Outcome =
  | { readonly kind: 'agree' }
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'disagree'; readonly observed: string; readonly ours: string }

/** One part of one program. */
export interface Comparison {
  readonly table: Table
  readonly id: string
  readonly part: Part
  readonly confidence: Confidence
  readonly outcome: Outcome
}

const LIMITS = { steps: 10_000_000, depth: 1024, memoryBytes: 512 * 2 ** 20 }
/** How sure the observations are in the tables that do not say so for each program. */
const CONFIDENCE = {
  programs: { check: 'low', run: 'low' },
  random: { check: 'medium', run: 'high' },
  mutants: { check: 'medium', run: 'medium' },
} as const satisfies Record<Table, { check: Confidence; run: Confidence }>

/** Checks and runs every program of the tables in `folder` and compares. */
export function compareTables(folder: string): readonly Comparison[] {
  return TABLES.flatMap((table) => {
    const lines = readFileSync(path.join(folder, `${table}.jsonl`), 'utf8')
      .trim()
      .split('\n')
    return lines.flatMap((line) => {
      const row: Row = JSON.parse(line)
      return [...compareCheck(table, row), ...compareRun(table, row)]
    })
  })
}

function compareCheck(table: Table, row: Row): readonly Comparison[] {
  const result = check(row.source)
  const about = { table, id: row.id, confidence: row.check_confidence ?? CONFIDENCE[table].check }
  if (result.kind === 'unsupported') return [{ ...about, part: 'check', outcome: result }]
  const verdict = compareTexts(row.check.ok ? 'accepted' : 'rejected', result.kind)
  if (row.check.ok || result.kind === 'accepted') return [{ ...about, part: 'check', outcome: verdict }]
  const observed = listOnce((row.check.classes ?? []).filter((each) => !each.startsWith('warn:')))
  const ours = listOnce(result.diagnostics.filter(({ severity }) => severity === 'error').map(classOf))
  return [
    { ...about, part: 'check', outcome: verdict },
    { ...about, part: 'classes', outcome: compareTexts(observed, ours) },
  ]
}

/** All codes of the parser are one class, since the tables keep them apart no better. */
const PARSER_CODE = /^(E0001|E091|vox\/(lexer|decorator)\/.*)$/

function classOf({ code }: Diagnostic): string {
  if (code === null) return 'uncoded'
  return PARSER_CODE.test(code) ? 'parse' : code
}

function compareRun(table: Table, row: Row): readonly Comparison[] {
  let stdout = ''
  const write = (text: string): boolean => {
    stdout += text
    return true
  }
  const result = run(row.source, { write, ...runOptions(row) })
  const about = { table, id: row.id, confidence: row.run_confidence ?? CONFIDENCE[table].run }
  if (result.kind === 'unsupported') return [{ ...about, part: 'run', outcome: result }]
  if (result.kind === 'output-limit') throw new Error(`${row.id} ended by a sink that takes everything`)
  const outcome = compareTexts(describeRun(row.run.exit, row.run.stdout), describeRun(result.exit, stdout))
  const observedError = row.run.error.replace('<parity diagnostic>: ', '').trim()
  return row.run.exit === 0 || isCutShort(observedError)
    ? [{ ...about, part: 'run', outcome }]
    : [
        { ...about, part: 'run', outcome },
        { ...about, part: 'error', outcome: compareTexts(observedError, result.stderr.trim()) },
      ]
}

function runOptions({ opts: [option = '', value = ''] = [] }: Row) {
  switch (option) {
    case '':
      return { limits: LIMITS }
    case '--caps':
      return { limits: LIMITS, caps: [value] }
    case '--max-steps':
      return { limits: { ...LIMITS, steps: Number(value) } }
    case '--max-depth':
      return { limits: { ...LIMITS, depth: Number(value) } }
    default:
      throw new Error(`the tables use an option that is not known here: ${option}`)
  }
}

/** Of a parse failure's debug text the tables hold a part only, and for some panics not Vox's words. */
function isCutShort(error: string): boolean {
  return /Parse failed|ParseError|<driver: |panicked|capacity overflow/.test(error)
}

function describeRun(exit: number, stdout: string): string {
  return `exit ${exit} ${JSON.stringify(stdout)}`
}

function listOnce(names: readonly string[]): string {
  return [...new Set(names)].sort().join(', ')
}

function compareTexts(observed: string, ours: string): Outcome {
  return observed === ours ? { kind: 'agree' } : { kind: 'disagree', observed, ours }
}
