import type { Pattern } from '../ast.ts'
import type { ParserState } from './parser-state.ts'
import { advance, eat, expect, fail, isNext, nested, peek, spanFrom } from './parser-state.ts'

export function parsePattern(state: ParserState): Pattern {
  return nested(state, parsePatternHere)
}

function parsePatternHere(state: ParserState): Pattern {
  const token = peek(state)
  const { span } = token
  switch (token.kind) {
    case 'ident':
      advance(state)
      return { kind: 'bind', name: token.text, span }
    case 'int':
      advance(state)
      return { kind: 'int', value: token.value, span }
    case 'string':
      advance(state)
      return { kind: 'str', value: token.value, span }
    case 'type-ident': {
      advance(state)
      const args = eat(state, '(') ? parsePatternList(state) : []
      return { kind: 'constructor', name: token.text, args, span: spanFrom(state, span.start) }
    }
    default:
      if (eat(state, '_')) return { kind: 'wildcard', span }
      if (eat(state, '(')) return { kind: 'tuple', items: parsePatternList(state), span: spanFrom(state, span.start) }
      return fail(state, 'Expected pattern')
  }
}

/** Patterns up to and including the closing parenthesis. */
function parsePatternList(state: ParserState): readonly Pattern[] {
  const items: Pattern[] = []
  while (!isNext(state, ')')) {
    items.push(parsePattern(state))
    if (!eat(state, ',')) break
  }
  expect(state, ')')
  return items
}
