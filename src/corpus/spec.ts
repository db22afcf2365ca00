import { parse, TomlError } from 'smol-toml'
import type { Report, Table } from './field-reader.ts'
import { isTable, readFields } from './field-reader.ts'

/** What a spec.toml says; a field that is missing or wrong was reported and is null. */
export interface Spec {
  readonly id: string | null
  readonly title: string | null
  readonly prompt: string | null
  readonly signature: string | null
  readonly trainingEligible: boolean | null
  readonly provenance: string | null
  /** `unrated` where the spec does not say. */
  readonly difficulty: string
  readonly tags: readonly string[]
  readonly family: string | null
  /** The table `[domain]`, unread, with integers as bigints; null without one. */
  readonly domain: Table | null
}

/** Reads a spec.toml; null when it is no TOML or has no `[problem]`, which is reported with line and column. */
export function readSpec(text: string, report: Report): Spec | null {
  let root: Table
  try {
    root = parse(text, { integersAsBigInt: true })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The first line says what is wrong; the rest is an excerpt of the file.
    const reason = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')
    report('spec', `line ${error.line}, column ${error.column}: ${reason}`)
    return null
  }
  const problem = readFields(root, 'spec.', report).table('problem')
  if (problem === null) return null
  if (root.domain !== undefined && !isTable(root.domain)) report('domain', 'must be a table')
  const fields = readFields(problem, 'spec.', report)
  return {
    id: fields.text('id'),
    title: fields.text('title'),
    prompt: fields.text('prompt'),
    signature: fields.text('signature'),
    trainingEligible: fields.flag('training_eligible'),
    provenance: fields.text('provenance'),
    difficulty: fields.textOr('difficulty', 'unrated'),
    tags: fields.texts('tags'),
    family: fields.textOr('family', null),
    domain: isTable(root.domain) ? root.domain : null,
  }
}
