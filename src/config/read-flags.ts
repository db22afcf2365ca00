import type { OptionEntry } from './option-table.ts'

/** Options as a person typed them: the text of each flag, `true` for a bare flag. */
export type GivenOptions = Readonly<Record<string, string | true | undefined>>

/** Reads the text of each option of `table` that was given; what cannot be read becomes a problem. */
export function readFlags(
  table: readonly OptionEntry[],
  { given, nameOption }: { readonly given: GivenOptions; readonly nameOption: (name: string) => string },
  problems: string[],
) {
  const sweep: Record<string, unknown> = {}
  const subject: Record<string, unknown> = {}
  const subjectNames: string[] = []
  for (const entry of table) {
    const text = given[entry.name]
    if (text === undefined) continue
    const read = readValue(entry, text)
    if (read.kind === 'problem') {
      problems.push(`${nameOption(entry.name)}: ${read.message}`)
      continue
    }
    if (entry.scope === 'subject') subjectNames.push(nameOption(entry.name))
    const target = entry.scope === 'subject' ? subject : sweep
    target[entry.name] = read.value
  }
  return { sweep, subject, subjectNames, hasSubject: subjectNames.length > 0 }
}

type Read = { kind: 'value'; value: unknown } | { kind: 'problem'; message: string }

function readValue(entry: OptionEntry, text: string | true): Read {
  if (entry.kind === 'flag') return readFlag(text)
  if (text === true || text.trim() === '') {
    return { kind: 'problem', message: `is present but empty; give a value (${entry.value}) or leave it out` }
  }
  const trimmed = text.trim()
  // The schema splits a list, as it does one in a file.
  if (['text', 'path', 'location', 'list'].includes(entry.kind)) return { kind: 'value', value: trimmed }
  const number = Number(trimmed)
  if (!Number.isFinite(number) || (entry.kind === 'integer' && !Number.isSafeInteger(number))) {
    return { kind: 'problem', message: `"${text}" is not a ${entry.kind === 'integer' ? 'whole ' : ''}number` }
  }
  return { kind: 'value', value: number }
}

function readFlag(text: string | true): Read {
  if (text === true || text === 'true') return { kind: 'value', value: true }
  if (text === 'false') return { kind: 'value', value: false }
  return { kind: 'problem', message: `"${text}" is neither true nor false` }
}
