import { createHash } from 'node:crypto'
import { BenchError } from '../bench-error.ts'
import { example } from './help/example.ts'
import { grammar } from './help/grammar.ts'
import { reference } from './help/reference.ts'
import { type HelpSection, renderSections } from './help/section.ts'
import { sectionTokens } from './help/token-counts.ts'
import type { Condition } from './plan.ts'

/** The base conditions and the sections each carries, from no help to the whole reference. */
const ladder: Readonly<Record<string, readonly HelpSection[]>> = {
  C0: [],
  C1: grammar,
  C2: [...grammar, example],
  C3: [...grammar, example, ...reference],
}

const FORMS =
  'use C0, C1, C2 or C3; C1@50 for a rung of the help ladder; C1-strings to leave a section out; or file:PATH for your own text'

/** Tells how many tokens a text has; needed for a user's own help file only. */
export type CountTokens = (text: string) => Promise<number>

/**
 * The condition of that name: `C0`…`C3`; `C1@50` (its leading sections up to half of its tokens);
 * `C1-strings` (without that section); `file:PATH` (the text that `readHelp` gives for PATH).
 * @throws BenchError `condition/unknown` for any other name, an unknown section or a percentage outside 1-99.
 */
export async function resolveCondition(
  name: string,
  readHelp: (path: string) => Promise<string>,
  countTokens: CountTokens,
): Promise<Condition> {
  if (name.startsWith('file:')) {
    const text = (await readHelp(name.slice('file:'.length))).trim()
    return condition(name, text, await countTokens(text), [])
  }
  const found = findSections(name)
  if (found.kind === 'unknown') throw unknownCondition(name, found.why)
  const { sections } = found
  return condition(
    name,
    renderSections(sections),
    tokensOf(sections),
    sections.map((section) => section.name),
  )
}

/** Why there is no condition of that name; null where there is one, or where only the help file can tell. */
export function conditionProblem(name: string): string | null {
  if (name.startsWith('file:')) return null
  const found = findSections(name)
  return found.kind === 'unknown' ? `there is no condition "${name}": ${found.why}; ${FORMS}` : null
}

type Found =
  | { readonly kind: 'sections'; readonly sections: readonly HelpSection[] }
  | { readonly kind: 'unknown'; readonly why: string }

function findSections(name: string): Found {
  const unknown = (why: string): Found => ({ kind: 'unknown', why })
  const match = /^(C[0-3])(?:@(\d{1,2})|-([a-z-]+))?$/.exec(name)
  const all = match === null ? undefined : ladder[match[1] ?? '']
  if (match === null || all === undefined) return unknown('it is none of the known forms')
  const [, base, percent, left] = match
  if (percent !== undefined) {
    if (Number(percent) < 1 || base === 'C0') return unknown('a rung is C1@P to C3@P with P from 1 to 99')
    return { kind: 'sections', sections: upToShare(all, Number(percent) / 100) }
  }
  if (left === undefined) return { kind: 'sections', sections: all }
  const names = all.map((section) => section.name)
  if (!names.includes(left)) return unknown(`${base} has no section "${left}"; it has: ${names.join(', ') || 'none'}`)
  return { kind: 'sections', sections: all.filter((section) => section.name !== left) }
}

/** The longest run of leading sections whose tokens are at most `share` of all. */
function upToShare(sections: readonly HelpSection[], share: number): readonly HelpSection[] {
  const budget = tokensOf(sections) * share
  let count = 0
  while (count < sections.length && tokensOf(sections.slice(0, count + 1)) <= budget) count++
  return sections.slice(0, count)
}

function tokensOf(sections: readonly HelpSection[]): number {
  return sections.reduce((sum, section) => sum + (sectionTokens[section.name] ?? 0), 0)
}

function condition(name: string, text: string, tokens: number, sections: string[]): Condition {
  return { name, text, tokens, hash: createHash('sha256').update(text).digest('hex'), sections }
}

function unknownCondition(name: string, why: string): BenchError {
  return new BenchError({
    code: 'condition/unknown',
    message: `Condition "${name}" is unknown: ${why}.`,
    hint: `${FORMS[0]?.toUpperCase()}${FORMS.slice(1)}.`,
  })
}
