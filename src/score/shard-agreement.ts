import type { PreflightLine } from '../verify/journal-lines.ts'

/** What one shard says of everything in which all must agree; `name` is for messages. */
export interface ShardFields {
  readonly name: string
  readonly fields: ReadonlyMap<string, string>
}

/** Each field on which shards differ, with what each of them says; a shard that lacks a field says nothing of it. */
export function listDisagreements(shards: readonly ShardFields[]): string[] {
  const names = [...new Set(shards.flatMap(({ fields }) => [...fields.keys()]))]
  return names.flatMap((field) => {
    const saying = new Map<string, string[]>()
    for (const { name, fields } of shards) {
      const value = fields.get(field)
      if (value !== undefined) saying.set(value, [...(saying.get(value) ?? []), name])
    }
    if (saying.size < 2) return []
    const each = [...saying].map(([value, by]) => `${shorten(value)} in ${by.join(', ')}`)
    return [`they differ in ${field}: ${each.join('; ')}`]
  })
}

/**
 * What must agree of the preflights: the engine, however its file was come by; the sandbox, and what it was found to
 * close; and how much was tried.
 */
export function preflightFields({ engine, sandbox, references, saboteurs }: PreflightLine): Map<string, string> {
  const { abilities, sourceGate, provenance: _, ...identity } = engine
  const of = (what: string, values: object) =>
    Object.entries(values).map(([name, value]) => [`${what} ${name}`, String(value ?? 'unknown')] as const)
  return new Map([
    ...of('engine', identity),
    ...of('engine ability', abilities),
    ['source gate', sourceGate?.outcome ?? 'not asked'],
    ['sandbox level', sandbox.level],
    ...of('what the sandbox closes,', sandbox.closed),
    ...of('number of', { references, 'planted bad programs': saboteurs }),
  ])
}

const SHOWN = 60

function shorten(value: string): string {
  return value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value
}
