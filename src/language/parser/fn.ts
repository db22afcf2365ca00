import type { FnDecl } from '../ast.ts'
import { FUNCTION_DECORATORS } from '../keywords.ts'
import { parseName } from './name.ts'
import type { ParserState } from './parser-state.ts'
import { advance, eat, expect, isNext, peek, skipNewlines, spanFrom, stopUnsupported } from './parser-state.ts'
import { parseBlock } from './statement.ts'
import { parseParams, parseResultType } from './type.ts'

/** Decorators that take no argument and leave the function a plain one. */
const PLAIN_DECORATORS: ReadonlySet<string> = new Set([
  'pure',
  'traced',
  'reactive',
  'versioned',
  'tracked',
  'deprecated',
])
const ENDPOINT_WORDS: ReadonlySet<string> = new Set(['query', 'mutation', 'server'])

interface FnHead {
  readonly start: number
  /** Those read so far. */
  readonly decorators: readonly string[]
  readonly isPub: boolean
  readonly isAsync: boolean
}

/** A function from its remaining decorators or `fn` on. */
export function parseFn(state: ParserState, head: FnHead): FnDecl {
  const decorators = [...head.decorators, ...parseDecorators(state)]
  expect(state, 'fn')
  const nameSpan = peek(state).span
  const name = parseName(state)
  const generics = parseGenerics(state)
  expect(state, '(')
  const params = parseParams(state)
  expect(state, ')')
  const uses = parseUses(state)
  const result = parseResultType(state)
  const body = parseBlock(state)
  const { isPub, isAsync } = head
  const span = spanFrom(state, head.start)
  return {
    kind: 'fn',
    name,
    nameSpan,
    generics,
    params,
    uses,
    result,
    body,
    isPub,
    isAsync,
    decorators,
    endpoint: null,
    span,
  }
}

function parseDecorators(state: ParserState): readonly string[] {
  const names: string[] = []
  for (;;) {
    skipNewlines(state)
    const { kind, text } = peek(state)
    if (ENDPOINT_WORDS.has(text)) return stopUnsupported(state, `\`${text}\` declaration`)
    const name = text.slice(1)
    if (kind !== 'decorator' || !FUNCTION_DECORATORS.has(name)) return names
    if (!PLAIN_DECORATORS.has(name)) return stopUnsupported(state, `\`${text}\` decorator`)
    advance(state)
    if (name === 'deprecated' && eat(state, '(')) {
      if (peek(state).kind === 'string') advance(state)
      expect(state, ')')
    }
    names.push(name)
  }
}

function parseGenerics(state: ParserState): readonly string[] {
  const generics: string[] = []
  if (!eat(state, '<')) return generics
  do generics.push(parseName(state))
  while (eat(state, ','))
  expect(state, '>')
  return generics
}

function parseUses(state: ParserState): readonly string[] | null {
  if (!eat(state, 'uses')) return null
  const words: string[] = []
  do {
    words.push(parseName(state))
    if (isNext(state, '(')) return stopUnsupported(state, 'argument in a `uses` clause')
  } while (eat(state, ','))
  return words
}
