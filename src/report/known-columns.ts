import type { Row } from '../score/row.ts'

/** Which columns have a value in any row. */
export interface KnownColumns {
  readonly cutoff: boolean
  readonly tokens: boolean
  readonly cost: boolean
  readonly latency: boolean
}

/** A column that is unknown in every row is left out, and told once. */
export function splitColumns(rows: readonly Row[]): KnownColumns {
  return {
    cutoff: rows.some(({ uncontaminated }) => uncontaminated.kind === 'known'),
    tokens: rows.some(({ tokens }) => tokens.prompt.total !== null && tokens.completion.total !== null),
    cost: rows.some(({ cost }) => cost.usd.total !== null),
    latency: rows.some(({ latency }) => latency.p50Ms !== null),
  }
}

const names: Readonly<Record<keyof KnownColumns, string>> = {
  cutoff: 'the rate after the knowledge cutoff',
  tokens: 'tokens',
  cost: 'cost',
  latency: 'latency',
}

/** `Unknown for every row: cost, latency.`, of the columns asked for; null where none is. */
export function describeUnknownColumns(
  rows: readonly Row[],
  columns: readonly (keyof KnownColumns)[] = ['cutoff', 'tokens', 'cost', 'latency'],
): string | null {
  const known = splitColumns(rows)
  const unknown = columns.filter((column) => !known[column])
  if (rows.length === 0 || unknown.length === 0) return null
  return `Unknown for every row: ${unknown.map((column) => names[column]).join(', ')}.`
}
