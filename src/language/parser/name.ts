import { NAMEABLE_WORDS } from '../keywords.ts'
import type { ParserState } from './parser-state.ts'
import { advance, fail, peek } from './parser-state.ts'

/** A name where some reserved words are allowed too: declarations, parameters, fields, methods. */
export function parseName(state: ParserState): string {
  const token = peek(state)
  const isName =
    token.kind === 'ident' ||
    token.kind === 'type-ident' ||
    (token.kind === 'keyword' && NAMEABLE_WORDS.has(token.text))
  if (!isName) return fail(state, 'Expected identifier')
  return advance(state).text
}
