import { CLOSERS } from '../corpus/brackets.ts'
import type { Expr, FnDecl, MatchArm, Pattern } from '../language/ast.ts'
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
 * Judges a candidate, by itself and on tokens, before it is put in front of the tests. Names bound inside a function may be anything,
 * as they reach no further, but nothing named like a host namespace may have members used. Never throws, linear in the length of the candidate.
 */
export function applyPolicy(candidate: string, entry: { readonly name: string; readonly arity: number }): PolicyResult {
  const source = normalise(candidate)
  const tokens = lex(source)
  const trick = findTrick(tokens)
  if (trick !== null) return { kind: 'violation', ...trick }
  const unreadable = findUnreadable(tokens)
  if (unreadable !== null) return { kind: 'unparsed', ...unreadable }

  const topLevel = readTopLevel(tokens)
  if (topLevel.kind === 'stray') {
    const violation = strayViolation(topLevel.token, topLevel.isBehindType)
    return { kind: parse(source).kind === 'failed' ? 'unparsed' : 'violation', ...violation }
  }
  const mains = topLevel.items.filter(isMain)
  const items = topLevel.items.filter((item) => !isMain(item))
  const violation = findNameViolation(items) ?? findEntryViolation(items, entry, source.length)
  if (violation !== null) return { kind: 'violation', ...violation }
  // Without `main`, as nothing that is stripped may decide what is found in the rest.
  const code = blank(source, mains)
  const hostUse = findHostUse(code)
  if (hostUse !== null) return { kind: 'violation', ...hostUse }
  return { kind: 'allowed', code, notes: mains.length > 0 ? ['stripped main'] : [] }
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
  const detail = `\`${entry.name}\` takes ${declared.arity} ${declared.arity === 1 ? 'parameter' : 'parameters'}, not ${entry.arity}`
  return { rule: 'entry-arity', detail, span: declared.span }
}

/** Finds nothing in code that does not parse: a check refuses that. */
function findHostUse(code: string): Violation | null {
  if (!HOST_WORD.test(code)) return null
  const parsed = parse(code)
  if (parsed.kind !== 'parsed') return null
  const functions = parsed.module.items.filter((item) => item.kind === 'fn')
  const declared = new Set(functions.map(({ name }) => name).filter((name) => HOST_NAMESPACES.includes(name)))
  // Without recursion, as chains nest deeply.
  const pending: Scoped[] = [{ node: functions, bound: new Set() }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, bound } = next
    if (typeof node !== 'object' || node === null) continue
    const use = hostUseOf(node, bound, declared)
    if (use !== null) return { rule: 'host-namespace', detail: `uses the namespace \`${use.name}\``, span: use.span }
    for (const child of childrenOf(node, bound).reverse()) pending.push(child)
  }
  return null
}

/** A part of the syntax tree and the names that are bound where it stands. */
interface Scoped {
  readonly node: unknown
  readonly bound: ReadonlySet<string>
}

interface NameUse {
  readonly name: string
  readonly span: Span
}

/**
 * A name that is bound where it stands is a variable (a call that leaves a parameter out is refused by check). A
 * declared function may be called or passed, but its name before a point may be the namespace to Vox.
 */
function hostUseOf(node: object, bound: ReadonlySet<string>, declared: ReadonlySet<string>): NameUse | null {
  const isFree = (use: NameUse) => HOST_NAMESPACES.includes(use.name) && !bound.has(use.name)
  if (isNameUse(node)) return isFree(node) && !declared.has(node.name) ? node : null
  const receiver = 'receiver' in node && !('index' in node) ? node.receiver : null
  if (typeof receiver !== 'object' || receiver === null || !isNameUse(receiver)) return null
  return isFree(receiver) ? receiver : null
}

function childrenOf(node: object, bound: ReadonlySet<string>): Scoped[] {
  if (isNode(node, 'block')) {
    let inner = bound
    return node.body.map((statement) => {
      const child = { node: statement, bound: inner }
      if (statement.kind === 'let') inner = withNames(inner, namesIn(statement.pattern))
      return child
    })
  }
  if (isNode(node, 'for')) {
    const inner = withNames(bound, [node.name, node.indexName ?? ''])
    return [{ node: node.iterable, bound }, ...[node.key, node.body].map((child) => ({ node: child, bound: inner }))]
  }
  if (isFunction(node)) {
    const names = node.params.map(({ name }) => name)
    return [
      { node: node.params, bound },
      { node: node.body, bound: withNames(bound, names) },
    ]
  }
  if (isArm(node)) return [{ node: node.body, bound: withNames(bound, namesIn(node.pattern)) }]
  return Object.values(node).map((child) => ({ node: child, bound }))
}

/** Copies only for host names, of which there are few, so that the walk stays linear. */
function withNames(bound: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> {
  const added = names.filter((name) => HOST_NAMESPACES.includes(name) && !bound.has(name))
  return added.length === 0 ? bound : new Set([...bound, ...added])
}

function namesIn(pattern: Pattern): readonly string[] {
  const names: string[] = []
  const pending = [pattern]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'bind') names.push(next.name)
    else if (next.kind === 'constructor') for (const part of next.args) pending.push(part)
    else if (next.kind === 'tuple') for (const part of next.items) pending.push(part)
  }
  return names
}

/** A name in an expression or a template; a named type has arguments. */
function isNameUse(node: object): node is NameUse {
  return 'kind' in node && node.kind === 'name' && !('args' in node)
}

function isNode<Kind extends Expr['kind']>(node: object, kind: Kind): node is Extract<Expr, { kind: Kind }> {
  return 'kind' in node && node.kind === kind
}

/** A function type has parameters, but no body. */
function isFunction(node: object): node is FnDecl | Extract<Expr, { kind: 'lambda' }> {
  return 'params' in node && 'body' in node
}

function isArm(node: object): node is MatchArm {
  return 'pattern' in node && 'body' in node
}

/** `source` with blanks for `items`, so that everything else stays at its line and column. */
function blank(source: string, items: readonly TopLevelItem[]): string {
  let kept = ''
  let from = 0
  for (const { span } of items) {
    kept += source.slice(from, span.start) + source.slice(span.start, span.end).replace(/[^\n]/g, ' ')
    from = span.end
  }
  return kept + source.slice(from)
}
