import { describe, expect, it } from 'vitest'
import { normalise } from '../../src/language/lexer.ts'
import { parse } from '../../src/language/parser/parser.ts'
import { positionAt } from '../../src/language/span.ts'
import type { ConformanceProgram } from './parser-fixture.ts'
import { loadConformance } from './parser-fixture.ts'

/** Programs whose verdict the parser declines to give, each with the reason it gives. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  'cheat-22-import': 'import of a file',
  'lex-dec': 'decimal literal',
  'q-query-main': '`query` declaration',
  'q-query-main-before': '`query` declaration',
}

/** Programs that are refused by both, with other words, each with the reason why. */
const OTHER_MESSAGES: Readonly<Record<string, string>> = {
  'top-query-decorator': 'the reference lexer did not know the decorator; by the rules it is a retired one',
}

/** Programs whose columns differ, each with the reason why. */
const OTHER_COLUMNS: Readonly<Record<string, string>> = {
  's-combining': 'the reference counts columns in bytes; there are letters beyond ASCII on the line',
}

const programs = loadConformance('programs')
const random = loadConformance('random')
const mutants = loadConformance('mutants')

function isRefused({ check }: ConformanceProgram): boolean {
  return (check.classes ?? []).includes('parse')
}

/** Messages in the form of the programs table, in order. */
function parseMessages(source: string, severities: readonly string[]): readonly string[] {
  const result = parse(source)
  if (result.kind === 'unsupported') return []
  const text = normalise(source)
  const diagnostics = result.kind === 'failed' ? result.diagnostics : result.warnings
  return diagnostics
    .filter(({ severity }) => severities.includes(severity))
    .map(({ severity, span, message }) => {
      const { line, column } = positionAt(text, span.start)
      return `${severity === 'error' ? 'Error' : 'Warning'} ${line}:${column} ${message}`
    })
}

describe('accepted or refused', () => {
  it.each([
    ['programs', programs],
    ['random', random],
    ['mutants', mutants],
  ])('agrees on every one of the %s it judges', (_, table) => {
    const disagreements = table.filter((program) => {
      const { kind } = parse(program.source)
      return kind !== 'unsupported' && (kind === 'failed') !== isRefused(program)
    })
    expect(disagreements.map(({ id }) => id)).toEqual([])
  })

  it('declines exactly the listed ones', () => {
    const declined = [...programs, ...random, ...mutants].flatMap(({ id, source }) => {
      const result = parse(source)
      return result.kind === 'unsupported' ? [[id, result.reason]] : []
    })
    expect(Object.fromEntries(declined)).toEqual(UNSUPPORTED)
  })
})

describe('diagnostics', () => {
  it('gives the same errors and warnings at the same places for every refused program', () => {
    const refused = programs.filter((program) => isRefused(program) && !(program.id in UNSUPPORTED))
    const other = refused.filter(
      ({ source, check }) => parseMessages(source, ['error', 'warning']).join('\n') !== check.messages.join('\n'),
    )
    expect(other.map(({ id }) => id)).toEqual(Object.keys(OTHER_MESSAGES))
  })

  it('gives the same first four errors for every refused mutant', () => {
    const withoutPlace = (message: string) => message.replace(/^Error \d+:\d+ /, '')
    const other = mutants.filter(isRefused).filter(({ source, check }) => {
      const messages = parseMessages(source, ['error']).slice(0, 4).map(withoutPlace)
      return messages.join('\n') !== check.messages.join('\n')
    })
    expect(other.map(({ id }) => id)).toEqual([])
  })

  it('gives the same warnings about tolerated spellings for every accepted program', () => {
    const tolerated = /^Warning \d+:\d+ (?:`[!=]=` works|Vox statements end|The '->' syntax)/
    const accepted = programs.filter((program) => !isRefused(program) && !(program.id in UNSUPPORTED))
    const other = accepted.filter(({ source, check }) => {
      const wanted = check.messages.filter((message) => tolerated.test(message))
      return parseMessages(source, ['warning']).join('\n') !== wanted.join('\n')
    })
    expect(other.map(({ id }) => id)).toEqual(Object.keys(OTHER_COLUMNS))
  })
})
