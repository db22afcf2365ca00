import type { Token } from '../language/lexer.ts'
import { lex } from '../language/lexer.ts'
import type { CorpusProblem, Fixture } from './fixture.ts'
import { typeText } from './signature.ts'

/**
 * Fixtures that share a reference (but for layout, comments, aliases and the names of functions and variables) or a
 * signature (but for the names of parameters). One finding for each fixture that repeats an earlier one, those across
 * the two splits said so: they leak the held-out problem into training data.
 */
export function findTwins(fixtures: readonly Fixture[]): readonly CorpusProblem[] {
  return [
    ...groupTwins(fixtures, 'reference', (fixture) => normaliseBody(fixture.reference)),
    ...groupTwins(fixtures, 'signature', normaliseSignature),
  ]
}

function groupTwins(
  fixtures: readonly Fixture[],
  field: 'reference' | 'signature',
  keyOf: (fixture: Fixture) => string,
): readonly CorpusProblem[] {
  const groups = new Map<string, Fixture[]>()
  for (const fixture of fixtures) {
    const key = keyOf(fixture)
    groups.set(key, [...(groups.get(key) ?? []), fixture])
  }
  return [...groups.values()].flatMap((group) =>
    group.slice(1).map((fixture, index) => {
      const earlier = group.slice(0, index + 1)
      const across = earlier.some((other) => other.trainingEligible !== fixture.trainingEligible)
      const what = field === 'reference' ? 'has the same reference, but for names, as' : 'has the same signature as'
      const names = earlier.map((other) => other.id).join(', ')
      return {
        fixture: fixture.id,
        field,
        message: `${what} ${names}${across ? ', across held-out and training-eligible' : ''}`,
      }
    }),
  )
}

/** The signature without spaces and parameter names. */
function normaliseSignature({ entry }: Fixture): string {
  return `${entry.name}(${entry.params.map((param) => typeText(param.type)).join(',')}) ${typeText(entry.result)}`
}

/** Spellings that mean the same. */
const ALIASES: Readonly<Record<string, string>> = { '==': 'is', '!=': 'isnt', '->': 'to' }

/** Lower-case names that are never a program's own. */
const TYPE_NAMES: ReadonlySet<string> = new Set(['int', 'float', 'str', 'bool', 'list'])

/**
 * The tokens of a Vox text without layout and comments. Functions are numbered in the order they appear, variables
 * within each function. Methods, fields, types and calls of functions that the text does not declare keep their names:
 * they are the meaning.
 */
export function normaliseBody(source: string): string {
  const tokens = lex(source).filter((token) => token.kind !== 'newline')
  const functions = new Set(tokens.filter((_, at) => tokens[at - 1]?.text === 'fn').map((token) => token.text))
  const variables = new Set(tokens.filter((_, at) => isVariable(tokens, at)).map((token) => token.text))
  const functionNumbers = new Map<string, number>()
  let variableNumbers = new Map<string, number>()
  const words = tokens.map((token, at) => {
    if (token.kind === 'string' || token.kind === 'single' || token.kind === 'raw') return JSON.stringify(token.value)
    if (token.kind !== 'ident' || tokens[at - 1]?.text === '.') return ALIASES[token.text] ?? token.text
    if (tokens[at - 1]?.text === 'fn') variableNumbers = new Map()
    if (functions.has(token.text)) return `f${numberOf(token.text, functionNumbers)}`
    return variables.has(token.text) ? `v${numberOf(token.text, variableNumbers)}` : token.text
  })
  return words.join(' ')
}

/** A name that stands without a call; built-in functions are only ever called. */
function isVariable(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token?.kind !== 'ident' || TYPE_NAMES.has(token.text)) return false
  return tokens[at - 1]?.text !== '.' && tokens[at + 1]?.text !== '('
}

function numberOf(name: string, numbers: Map<string, number>): number {
  const number = numbers.get(name) ?? numbers.size
  numbers.set(name, number)
  return number
}
