import type { z } from 'zod'
import { suggestion } from './nearest.ts'
import { fileOptions, optionTable } from './option-table.ts'

const options: readonly { readonly name: string; readonly scope: string }[] = [...optionTable, ...fileOptions]
const keys = options.map(({ name }) => name)

/** What is wrong with a value, said of an option rather than by a validator; undefined leaves the schema's own words. */
export function wordIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${kinds[issue.expected] ?? issue.expected}, got ${show(issue.input)}`
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}, got ${show(issue.input)}.${suggestion(String(issue.input), issue.values.map(String).filter(isSafe))}`
    case 'too_big':
      return `must be at most ${issue.maximum}, got ${show(issue.input)}`
    case 'too_small':
      return issue.origin === 'array'
        ? 'must not be empty'
        : `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}, got ${show(issue.input)}`
    case 'unrecognized_keys':
      return issue.keys.map(wordUnknown).join('; ')
    default:
      return undefined
  }
}

/** Nobody is advised to switch something off that they tried to switch on. */
function isSafe(word: string): boolean {
  return word !== 'off'
}

function wordUnknown(key: string): string {
  const scope = options.find(({ name }) => name === key)?.scope
  if (scope === 'sweep') return `"${key}" is of the whole sweep and stands at the top of the file, not in a subject`
  if (scope === 'subject') return `"${key}" is of one subject and stands under "subjects:"`
  return `there is no option "${key}".${suggestion(key, keys)}`
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text (a number as text stands in quotes)',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of options',
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
