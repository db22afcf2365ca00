import { CLOSERS } from '../corpus/brackets.ts'
import type { FnDecl, Item } from '../language/ast.ts'
import type { Token } from '../language/lexer.ts'
import { lex, normalise } from '../language/lexer.ts'
import { parse } from '../language/parser/parser.ts'
import type { Span } from '../language/span.ts'
import { isForeign } from '../language/token.ts'
import type { TopLevelItem } from './top-level-items.ts'
import { readTopLevel } from './top-level-items.ts'

export type PolicyRule =
  | 'import'
  | 'decorator'
  /** A token that is none of Vox's, or brackets that do not pair up. */
  | 'unreadable'
  /** A statement, an endpoint, a component: anything but a function or a type outside all brackets. */
  | 'top-level'
  /** A token behind a type declaration that does not belong to it. */
  | 'left-over'
  | 'built-in-name'
  | 'duplicate'
  | 'entry-missing'
  | 'entry-arity'
  | 'host-namespace'

export interface Violation {
  readonly rule: PolicyRule
  readonly detail: string
  /** Offsets into the normalised candidate. */
  readonly span: Span
}

export type PolicyResult =
  /** `code` is the normalised candidate without any `fn main`; it may be put in front of the tests. */
  | { readonly kind: 'allowed'; readonly code: string; readonly notes: readonly string[] }
  | ({ readonly kind: 'violation' } & Violation)
  /**
   * The candidate does not parse by itself, so it must not be put in front of the tests. Being no Vox is no cheating: it is judged by
   * a check of the candidate alone, and only an engine that accepts it makes this the violation it names.
   */
  | ({ readonly kind: 'unparsed' } & Violation)

/** Names that a call resolves to before a program's own functions, and the constructors. */
const BUILT_IN_NAMES: ReadonlySet<string> = new Set(
  (
    'print assert len str int float bool range type_of abs floor ceil round sqrt max min sorted sum chr ' +
    'Some None Ok Err Error Unit null'
  ).split(' '),
)

/** Namespaces that reach the host or that lead to one that does. */
const HOST_NAMESPACES: readonly string[] = 'fs io process env secrets http time agentos crypto std'.split(' ')
/** Spares the walk through programs that hold no such word anywhere. */
const HOST_WORD = new RegExp(`\\b(?:${HOST_NAMESPACES.join('|')})\\b`)

/**
 * Judges a candidate, by itself and on tokens, before it is put in front of the tests. Names bound inside a function may be anything:
 * they reach no further. Never throws, linear in the length of the candidate.
 */
export function applyPolicy(candidate: string, entry: { readonly name: string; readonly arity: number }): PolicyResult {
  const source = normalise(candidate)
  const tokens = lex(source)
  const trick = findTrick(tokens)
  if (trick !== null) return { kind: 'violation', ...trick }
  const unreadable = findUnreadable(tokens)
  if (unreadable !== null) return { kind: 'unparsed', ...unreadable }

  const topLevel = readTopLevel(tokens)
  const parsed = parse(source)
  if (topLevel.kind === 'stray') {
    const violation = strayViolation(topLevel.token, topLevel.isBehindType)
    return { kind: parsed.kind === 'failed' ? 'unparsed' : 'violation', ...violation }
  }
  const mains = topLevel.items.filter(isMain)
  const items = topLevel.items.filter((item) => !isMain(item))
  const mayUseHost = HOST_WORD.test(source) && parsed.kind === 'parsed'
  const functions = mayUseHost ? parsed.module.items.filter(isHelper) : []
  const violation =
    findNameViolation(items) ?? findEntryViolation(items, entry, source.length) ?? findHostUse(functions)
  if (violation !== null) return { kind: 'violation', ...violation }
  return { kind: 'allowed', code: without(source, mains), notes: mains.length > 0 ? ['stripped main'] : [] }
}

/** What no candidate needs and no parse failure excuses. */
function findTrick(tokens: readonly Token[]): Violation | null {
  for (const { kind, text, span } of tokens) {
    if (kind === 'decorator' || (kind === 'unknown' && text === '@')) {
      return { rule: 'decorator', detail: `decorator \`${text}\``, span }
    }
    if (kind === 'keyword' && text === 'import') return { rule: 'import', detail: '`import`', span }
  }
  return null
}

function findUnreadable(tokens: readonly Token[]): Violation | null {
  const open: { readonly closer: string; readonly token: Token }[] = []
  for (const token of tokens) {
    const { kind, text, span } = token
    if (text !== ';' && isForeign(token)) {
      return { rule: 'unreadable', detail: `\`${text.slice(0, 40)}\` is no Vox token`, span }
    }
    if (kind !== 'symbol') continue
    const closer = CLOSERS[text]
    if (closer !== undefined) open.push({ closer, token })
    else if ((text === ')' || text === ']' || text === '}') && open.pop()?.closer !== text) {
      return { rule: 'unreadable', detail: `\`${text}\` closes nothing`, span }
    }
  }
  const last = open.at(-1)
  return last === undefined
    ? null
    : { rule: 'unreadable', detail: `\`${last.token.text}\` is never closed`, span: last.token.span }
}

function strayViolation(token: Token, isBehindType: boolean): Violation {
  const text = token.text.slice(0, 40)
  return isBehindType
    ? { rule: 'left-over', detail: `\`${text}\` is left over behind a type declaration`, span: token.span }
    : { rule: 'top-level', detail: `\`${text}\` at top level begins neither a function nor a type`, span: token.span }
}

function isMain(item: TopLevelItem): boolean {
  return item.kind === 'fn' && item.name === 'main'
}

/** A function that stays in the candidate. */
function isHelper(item: Item): item is FnDecl {
  return item.kind === 'fn' && item.name !== 'main'
}

function findNameViolation(items: readonly TopLevelItem[]): Violation | null {
  const values = new Set<string>()
  const types = new Set<string>()
  for (const item of items) {
    const { span } = item
    const names = item.kind === 'fn' ? [item.name] : item.variants
    for (const name of names) {
      if (BUILT_IN_NAMES.has(name)) return { rule: 'built-in-name', detail: `declares the built-in \`${name}\``, span }
      if (values.has(name)) return { rule: 'duplicate', detail: `declares \`${name}\` twice`, span }
      values.add(name)
    }
    if (item.kind === 'fn') continue
    if (types.has(item.name)) return { rule: 'duplicate', detail: `declares the type \`${item.name}\` twice`, span }
    types.add(item.name)
  }
  return null
}

function findEntryViolation(
  items: readonly TopLevelItem[],
  entry: { readonly name: string; readonly arity: number },
  end: number,
): Violation | null {
  const declared = items.find((item) => item.kind === 'fn' && item.name === entry.name)
  if (declared?.kind !== 'fn') {
    return { rule: 'entry-missing', detail: `declares no function \`${entry.name}\``, span: { start: end, end } }
  }
  if (declared.arity === entry.arity) return null
  const detail = `\`${entry.name}\` takes ${declared.arity} parameters, not ${entry.arity}`
  return { rule: 'entry-arity', detail, span: declared.span }
}

function findHostUse(functions: readonly FnDecl[]): Violation | null {
  const declared = new Set(functions.map(({ name }) => name))
  for (const each of functions) {
    const { used, bound } = namesOf(each)
    const use = used.find(({ name }) => HOST_NAMESPACES.includes(name) && !bound.has(name) && !declared.has(name))
    if (use !== undefined)
      return { rule: 'host-namespace', detail: `uses the namespace \`${use.name}\``, span: use.span }
  }
  return null
}

interface NameUse {
  readonly name: string
  readonly span: Span
}

/** Names a function reads and names bound anywhere in it. Walks any syntax tree without recursion, as chains nest deeply. */
function namesOf(root: FnDecl): { readonly used: readonly NameUse[]; readonly bound: ReadonlySet<string> } {
  const used: NameUse[] = []
  const bound = new Set<string>()
  const pending: unknown[] = [root]
  while (pending.length > 0) {
    const node = pending.pop()
    if (typeof node !== 'object' || node === null) continue
    if (isNameUse(node)) used.push(node)
    else if (isBinder(node)) {
      bound.add(node.name)
      if (typeof node.indexName === 'string') bound.add(node.indexName)
    }
    for (const child of Object.values(node).reverse()) pending.push(child)
  }
  return { used, bound }
}

/** A name in an expression or a template; a named type has arguments. */
function isNameUse(node: object): node is NameUse {
  return 'kind' in node && node.kind === 'name' && !('args' in node)
}

/** A binding pattern, a `for` header or a parameter. */
function isBinder(node: object): node is { readonly name: string; readonly indexName?: unknown } {
  if ('kind' in node) return node.kind === 'bind' || node.kind === 'for'
  return 'name' in node && 'fallback' in node
}

function without(source: string, items: readonly TopLevelItem[]): string {
  let kept = ''
  let from = 0
  for (const { span } of items) {
    kept += source.slice(from, span.start)
    from = span.end
  }
  return kept + source.slice(from)
}
