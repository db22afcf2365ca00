import type { Item } from '../ast.ts'
import { FUNCTION_DECORATORS, MODIFIER_DECORATORS, RETIRED_DECORATORS } from '../keywords.ts'
import { parseFn } from './fn.ts'
import { parseImport } from './import.ts'
import type { ParserState } from './parser-state.ts'
import { advance, eat, fail, isNext, peek, peekAt, report, skipNewlines, stopUnsupported } from './parser-state.ts'
import { parseStatement } from './statement.ts'
import { parseTypeDecl } from './type-decl.ts'

/** Reserved words and names that open declarations outside the slice. */
const FOREIGN_ITEMS: ReadonlySet<string> = new Set(
  'extern fragment component actor workflow activity routes url state_machine'.split(' '),
)
const TOMBSTONED: ReadonlySet<string> = new Set(['http', 'agent', 'env', '@component'])
/** Decorators Vox knows but does not look for in front of an item. */
const MISPLACED_DECORATORS: ReadonlySet<string> = new Set(
  'back_button deep_link push tokens distributed_train endpoint native cancellable field_name default skip_if_none'.split(
    ' ',
  ),
)

/** Whether an item starts here that is not a script statement. */
export function isDeclarationHead(state: ParserState): boolean {
  const { kind, text } = peek(state)
  if (kind === 'decorator') return !MISPLACED_DECORATORS.has(text.slice(1))
  return (
    ['fn', 'pub', 'async', 'type', 'import'].includes(text) ||
    FOREIGN_ITEMS.has(text) ||
    TOMBSTONED.has(text) ||
    isSoftHead(state)
  )
}

/** `query main…`, `tool "…"`: words that are special only in front of a name or, for two of them, a string. */
function isSoftHead(state: ParserState): boolean {
  const next = peekAt(state, 1).kind
  switch (peek(state).text) {
    case 'table':
    case 'index':
    case 'query':
    case 'mutation':
    case 'server':
    case 'form':
      return next === 'ident' || next === 'type-ident'
    case 'tool':
    case 'resource':
      return next === 'ident' || next === 'string'
    default:
      return false
  }
}

/** One top-level item: a declaration or a script statement. */
export function parseItem(state: ParserState): Item {
  if (!isDeclarationHead(state)) {
    const body = parseStatement(state)
    return { kind: 'statement', body, span: body.span }
  }
  const { kind, text, span } = peek(state)
  if (TOMBSTONED.has(text)) {
    advance(state)
    return fail(
      state,
      `The \`${text}\` construct is tombstoned and no longer supported. Use standard functions and MCP skills instead.`,
      span,
    )
  }
  if (kind === 'decorator') return parseDecorated(state)
  switch (text) {
    case 'fn':
      return parseFn(state, { start: span.start, decorators: [], isPub: false, isAsync: false })
    case 'pub':
      return parsePublic(state)
    case 'async':
      advance(state)
      if (!isModifiable(state)) return fail(state, 'Expected fn after async')
      return parseFn(state, { start: span.start, decorators: [], isPub: false, isAsync: true })
    case 'type':
      return parseTypeDecl(state, { start: span.start, isPub: false })
    case 'import':
      return parseImport(state)
    default:
      return stopUnsupported(state, `\`${text}\` declaration`)
  }
}

function parsePublic(state: ParserState): Item {
  const { start } = advance(state).span
  if (isNext(state, 'type')) return parseTypeDecl(state, { start, isPub: true })
  if (isModifiable(state)) return parseFn(state, { start, decorators: [], isPub: true, isAsync: false })
  const { text } = peek(state)
  if (text === 'url' || text === 'state_machine' || text === 'partial')
    return stopUnsupported(state, `\`${text}\` declaration`)
  return fail(state, 'Expected fn or type after pub')
}

function isModifiable(state: ParserState): boolean {
  const { kind, text } = peek(state)
  return text === 'fn' || (kind === 'decorator' && MODIFIER_DECORATORS.has(text.slice(1)))
}

/** An item behind a decorator; only those of plain functions lie within the slice. */
function parseDecorated(state: ParserState): Item {
  const { text, span } = peek(state)
  const name = text.slice(1)
  if (FUNCTION_DECORATORS.has(name))
    return parseFn(state, { start: span.start, decorators: [], isPub: false, isAsync: false })
  if (RETIRED_DECORATORS.has(name)) {
    advance(state)
    return fail(state, `\`${text}\` is a retired decorator`, span, `vox/decorator/${name}-retired`)
  }
  if (name !== 'test') return stopUnsupported(state, `\`${text}\` decorator`)
  advance(state)
  if (eat(state, '(')) {
    if (peek(state).kind === 'string') advance(state)
    eat(state, ')')
  }
  skipNewlines(state)
  return parseFn(state, { start: span.start, decorators: ['test'], isPub: false, isAsync: false })
}

/** Reports the words Vox refuses as names anywhere. */
export function reportMacroWords(state: ParserState): void {
  for (const { kind, text, span } of state.tokens) {
    if (kind === 'ident' && (text === 'macro' || text === 'macro_rules'))
      report(state, `\`${text}\` is not supported: Vox has no macros`, span, 'E091')
  }
}
