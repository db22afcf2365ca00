import type { Item } from '../ast.ts'
import { lex } from '../lexer.ts'
import type { ParseResult } from '../parse-result.ts'
import { isDeeperThan, MAX_TREE_DEPTH } from '../tree-depth.ts'
import { isDeclarationHead, parseItem, reportMacroWords } from './item.ts'
import type { ParserState } from './parser-state.ts'
import { ABANDONED, advance, peek, STOPPED, skipNewlines } from './parser-state.ts'
import { skipTolerableSemicolon } from './statement.ts'

export type { ParseResult } from '../parse-result.ts'

/**
 * Parses a Vox source in script mode, the mode of `vox run` and of `vox check` in September 2026:
 * top-level statements are allowed beside declarations. Never throws; every error is reported, up to
 * a bound past which the verdict cannot change.
 */
export function parse(source: string): ParseResult {
  const state = openState(source)
  const items: Item[] = []
  try {
    if (source.includes('macro')) reportMacroWords(state)
    skipNewlines(state)
    while (peek(state).kind !== 'eof') {
      const item = attemptItem(state)
      if (item !== null) items.push(item)
      skipTolerableSemicolon(state)
      skipNewlines(state)
    }
  } catch (error) {
    if (error !== STOPPED) throw error
  }
  if (state.errorCount > 0) return { kind: 'failed', diagnostics: state.diagnostics }
  if (state.unsupported !== null) return { kind: 'unsupported', ...state.unsupported }
  const module = { items }
  if (isDeeperThan(module, MAX_TREE_DEPTH))
    return { kind: 'unsupported', reason: 'nesting too deep', span: { start: 0, end: 0 } }
  return { kind: 'parsed', module, warnings: state.diagnostics }
}

function openState(source: string): ParserState {
  const whole = lex(source)
  // Vox's lexer drops an integer it cannot hold, so the parser never sees one.
  const tokens = whole.some((token) => token.kind === 'invalid-int')
    ? whole.filter((token) => token.kind !== 'invalid-int')
    : whole
  const last = tokens.at(-1)?.span.end ?? 0
  return {
    tokens,
    end: { kind: 'eof', text: '', span: { start: last, end: last } },
    position: 0,
    diagnostics: [],
    errorCount: 0,
    unknownErrorCount: 0,
    grouping: 0,
    nesting: 0,
    unsupported: null,
  }
}

function attemptItem(state: ParserState): Item | null {
  const isDeclaration = isDeclarationHead(state)
  try {
    return parseItem(state)
  } catch (error) {
    if (error !== ABANDONED) throw error
    state.grouping = 0
    if (isDeclaration) skipToNextItem(state)
    else while (peek(state).kind !== 'newline' && peek(state).kind !== 'eof') advance(state)
    return null
  }
}

const ITEM_WORDS: ReadonlySet<string> = new Set(
  'fn import type actor workflow http agent env component let async'.split(' '),
)

/** After a broken declaration: past its closing brace, or up to the next word that opens an item. */
function skipToNextItem(state: ParserState): void {
  for (let depth = 0; peek(state).kind !== 'eof'; ) {
    const { kind, text } = peek(state)
    if (depth === 0 && (ITEM_WORDS.has(text) || kind === 'decorator')) return
    advance(state)
    if (depth === 0 && kind === 'unknown') return
    if (text === '{') depth++
    if (text === '}') {
      depth--
      if (depth <= 0) return
    }
  }
}
