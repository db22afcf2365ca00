import { readFileSync } from 'node:fs'
import type { Module } from '../../src/language/ast.ts'
import { parse } from '../../src/language/parser/parser.ts'

export interface ConformanceProgram {
  readonly id: string
  readonly source: string
  /** Absent from the random programs, all of which are accepted. */
  readonly confidence?: 'high' | 'medium' | 'low'
  readonly check: { readonly ok: boolean; readonly classes?: readonly string[]; readonly messages: readonly string[] }
}

export function loadConformance(table: 'programs' | 'random' | 'mutants'): readonly ConformanceProgram[] {
  const lines = readFileSync(new URL(`../conformance/${table}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as ConformanceProgram)
}

/** The module of a source that must parse. */
export function parseModule(source: string): Module {
  const result = parse(source)
  if (result.kind !== 'parsed') throw new Error(`does not parse: ${JSON.stringify(result)}\n${source}`)
  return result.module
}

/** What the last statement of `main`'s body holds, spans stripped; `source` is that body. */
export function lastStatement(source: string): unknown {
  const item = parseModule(`fn main() {\n${source}\n}\n`).items[0]
  return item?.kind === 'fn' ? stripSpans(item.body.body.at(-1)) : undefined
}

/** Messages of the errors, in order; empty when the source parses. */
export function parseErrors(source: string): readonly string[] {
  const result = parse(source)
  if (result.kind !== 'failed') return []
  return result.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)
}

/** A copy without spans, with integers as text so that it can be shown and compared. */
export function stripSpans(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(stripSpans)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'span' && key !== 'nameSpan')
  return Object.fromEntries(entries.map(([key, child]) => [key, stripSpans(child)]))
}
