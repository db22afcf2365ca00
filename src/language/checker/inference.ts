import {
  DECIMAL,
  FLOAT,
  fieldOf,
  INT,
  list,
  partOf,
  STR,
  type Type,
  type TypeKind,
  variable,
  withArgs,
} from './type.ts'

/** Bindings of inference variables, and the two limits that keep hostile programs from hanging the checker. */
export interface Inference {
  readonly bindings: (Type | undefined)[]
  /** Pairs known to be equal already: types are shared, so comparing them as trees could take exponential time. */
  readonly equal: WeakMap<Type, WeakSet<Type>>
  /** Visits left for comparing types. */
  visitsLeft: number
  /** Whether a type was too deep or too large to be handled; the verdict is then `unsupported`. */
  isExhausted: boolean
}

/** Why two types do not unify; turned into a text only where it is shown. */
export type Mismatch =
  | { readonly kind: 'types'; readonly left: Type; readonly right: Type }
  | { readonly kind: 'recursive'; readonly variable: Type; readonly type: Type }
  | { readonly kind: 'text'; readonly text: string }

const MAX_TYPE_DEPTH = 500
const MAX_VISITS = 30_000_000

export function createInference(): Inference {
  return { bindings: [], equal: new WeakMap(), visitsLeft: MAX_VISITS, isExhausted: false }
}

export function freshVariable(inference: Inference): Type {
  inference.bindings.push(undefined)
  return variable(inference.bindings.length - 1)
}

/** Follows bindings until the outermost constructor is known; shortens the chain it walked. */
export function resolve(inference: Inference, type: Type): Type {
  let root = type
  while (root.kind === 'variable') {
    const next = inference.bindings[root.id]
    if (next === undefined) break
    root = next
  }
  for (let each = type; each !== root && each.kind === 'variable'; ) {
    const next = inference.bindings[each.id]
    inference.bindings[each.id] = root
    if (next === undefined) break
    each = next
  }
  return root
}

/** Replaces generic parameters, `bound` first, by fresh variables; the same parameter always by the same one. */
export function instantiate(inference: Inference, type: Type, bound: readonly Type[] = []): Type {
  const chosen = new Map<number, Type>(bound.entries())
  const replace = (each: Type): Type => {
    if (!each.isGeneric) return each
    if (each.kind !== 'generic') return withArgs(each, each.args.map(replace))
    const known = chosen.get(each.id) ?? freshVariable(inference)
    chosen.set(each.id, known)
    return known
  }
  return replace(type)
}

function spend(inference: Inference, depth: number): boolean {
  inference.visitsLeft--
  if (depth <= MAX_TYPE_DEPTH && inference.visitsLeft > 0) return true
  inference.isExhausted = true
  return false
}

function occurs(inference: Inference, id: number, type: Type): boolean {
  const seen = new Set<Type>()
  const visit = (each: Type, depth: number): boolean => {
    if (!each.isOpen || seen.has(each) || !spend(inference, depth)) return false
    seen.add(each)
    if (each.kind !== 'variable') return each.args.some((arg) => visit(arg, depth + 1))
    if (each.id === id) return true
    const binding = inference.bindings[each.id]
    return binding !== undefined && visit(binding, depth + 1)
  }
  return visit(type, 0)
}

function bind(inference: Inference, free: Type, type: Type): Mismatch | null {
  if (occurs(inference, free.id, type)) return { kind: 'recursive', variable: free, type }
  inference.bindings[free.id] = type
  return null
}

const COVARIANT: ReadonlySet<TypeKind> = new Set(['list', 'set', 'stream', 'option', 'result', 'map', 'fn', 'tuple'])
const COMPOSITE: ReadonlySet<TypeKind> = new Set<TypeKind>([...COVARIANT, 'record'])

/** Makes two types equal by binding variables. Bindings made before a mismatch is met stay. */
export function unify(inference: Inference, left: Type, right: Type, depth = 0): Mismatch | null {
  const a = resolve(inference, left)
  const b = resolve(inference, right)
  if (a === b || !spend(inference, depth)) return null
  if (a.kind === b.kind && !COMPOSITE.has(a.kind) && a.name === b.name && a.id === b.id) return null
  if (a.kind === 'variable') return bind(inference, a, b)
  if (b.kind === 'variable') return bind(inference, b, a)
  if (inference.equal.get(a)?.has(b) === true) return null
  const mismatch = unifyComposites(inference, a, b, depth)
  if (mismatch === null && COMPOSITE.has(a.kind)) {
    const known = inference.equal.get(a) ?? new WeakSet()
    inference.equal.set(a, known.add(b))
  }
  return mismatch
}

function unifyComposites(inference: Inference, a: Type, b: Type, depth: number): Mismatch | null {
  if (a.kind === b.kind && COVARIANT.has(a.kind)) {
    if (a.args.length !== b.args.length) return { kind: 'text', text: sizeMismatch(a, b) }
    return unifyAll(inference, a.args, b.args, depth)
  }
  if (a.kind === 'record' && b.kind === 'record') {
    for (const [index, label] of a.labels.entries()) {
      const other = fieldOf(b, label)
      if (other === undefined) return { kind: 'text', text: `Expected field '${label}' missing from record` }
      const mismatch = unify(inference, partOf(a, index), other, depth + 1)
      if (mismatch !== null) return mismatch
    }
    return null
  }
  if (a.kind === 'record' && b.kind === 'map') return unifyRecordWithMap(inference, a, b, depth)
  if (a.kind === 'map' && b.kind === 'record') return unifyRecordWithMap(inference, b, a, depth)
  if ((a.kind === 'str' && b.kind === 'char') || (a.kind === 'char' && b.kind === 'str')) return null
  if (a.kind === 'never' || b.kind === 'never') return null
  return { kind: 'types', left: a, right: b }
}

function unifyAll(inference: Inference, a: readonly Type[], b: readonly Type[], depth: number): Mismatch | null {
  for (const [index, each] of a.entries()) {
    const other = b[index]
    const mismatch = other === undefined ? null : unify(inference, each, other, depth + 1)
    if (mismatch !== null) return mismatch
  }
  return null
}

/** An object literal serves as a map with string keys. */
function unifyRecordWithMap(inference: Inference, fields: Type, target: Type, depth: number): Mismatch | null {
  const mismatch = unify(inference, partOf(target), STR, depth + 1)
  if (mismatch !== null) return mismatch
  return unifyAll(
    inference,
    fields.args,
    fields.args.map(() => partOf(target, 1)),
    depth,
  )
}

function sizeMismatch(a: Type, b: Type): string {
  return a.kind === 'fn'
    ? `Function arity mismatch: expected ${a.args.length - 1} parameters, found ${b.args.length - 1}`
    : `Tuple size mismatch: expected ${a.args.length}, got ${b.args.length}`
}

/** Common type of two list elements: numbers widen, lists by their elements, else `left` where both unify; null without one. */
export function join(inference: Inference, left: Type, right: Type, depth = 0): Type | null {
  const a = resolve(inference, left)
  const b = resolve(inference, right)
  if (a === b || !spend(inference, depth)) return a
  const kinds = new Set([a.kind, b.kind])
  if (kinds.size === 2 && (kinds.has('int') || kinds.has('float'))) {
    if (kinds.has('decimal')) return DECIMAL
    if (kinds.has('int') && kinds.has('float')) return FLOAT
  }
  if (a.kind === 'list' && b.kind === 'list') {
    const item = join(inference, partOf(a), partOf(b), depth + 1)
    return item === null ? null : list(item)
  }
  if (unify(inference, a, b) !== null) return null
  return a.kind === 'variable' ? b : a
}

/** Result of arithmetic on two numbers; null when either is none. */
export function arithmetic(left: Type, right: Type): Type | null {
  if (left.kind === 'int' && right.kind === 'int') return INT
  const isNumber = (type: Type): boolean => type.kind === 'int' || type.kind === 'float'
  return isNumber(left) && isNumber(right) ? FLOAT : null
}
