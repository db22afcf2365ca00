import type { ImportDecl } from '../ast.ts'
import { parseName } from './name.ts'
import type { ParserState } from './parser-state.ts'
import { advance, eat, fail, isNext, peek, peekAt, spanFrom, stopUnsupported } from './parser-state.ts'

/** An import of one dotted path or Rust crate; anything richer lies outside the slice. */
export function parseImport(state: ParserState): ImportDecl {
  const { start } = advance(state).span
  const first = peek(state)
  if (first.kind === 'string' || first.kind === 'single') {
    if (!first.value.endsWith('.vox'))
      return fail(state, `Intra-project import path must end with \`.vox\` (got \`${first.value}\`)`)
    return stopUnsupported(state, 'import of a file')
  }
  if (!isSegment(state)) {
    return fail(
      state,
      'Import path must begin with an identifier (for example `lib.chrome.StateChip` or `lib/chrome as { StateChip }`).',
    )
  }
  if (first.text === 'rust') return parseCrate(state, start)
  const second = peekAt(state, 1)
  if (first.text === 'react' && !['.', '/'].includes(second.text) && second.kind !== 'newline')
    return stopUnsupported(state, 'React import')
  const segments = [advance(state).text]
  while (eat(state, '.') || eat(state, '/')) {
    if (!isSegment(state)) break
    segments.push(advance(state).text)
  }
  if (isNext(state, 'as') || isNext(state, ','))
    return stopUnsupported(state, 'import of several names or under another name')
  return { kind: 'import', path: segments.join('.'), span: spanFrom(state, start) }
}

function isSegment(state: ParserState): boolean {
  const { kind, text } = peek(state)
  return kind === 'ident' || kind === 'type-ident' || text === 'env' || text === 'http'
}

function parseCrate(state: ParserState, start: number): ImportDecl {
  advance(state)
  if (!eat(state, ':')) return stopUnsupported(state, 'import of a Rust path')
  const path = `rust:${parseName(state)}`
  if (peek(state).kind !== 'newline' && peek(state).kind !== 'eof')
    return stopUnsupported(state, 'extended import of a Rust crate')
  return { kind: 'import', path, span: spanFrom(state, start) }
}
