/** What the checker knows of a value. One shape for every kind keeps unification and printing generic over `args`. */
export interface Type {
  readonly kind: TypeKind
  /** Parts in order: element(s), `[ok, err]`, `[key, value]`, `[...params, result]`, field types. */
  readonly args: readonly Type[]
  /** Name of a `named` or `import` type; empty elsewhere. */
  readonly name: string
  /** Field names of a `record`, in the order of `args`. */
  readonly labels: readonly string[]
  /** Number of a `variable` or a `generic` parameter; -1 elsewhere. */
  readonly id: number
  /** Whether an inference variable occurs in it; closed types need no occurs check. */
  readonly isOpen: boolean
  /** Whether a generic parameter occurs in it; others need no instantiation. */
  readonly isGeneric: boolean
}

export type TypeKind =
  | 'int'
  | 'float'
  | 'decimal'
  | 'str'
  | 'bool'
  | 'char'
  | 'unit'
  | 'never'
  | 'element'
  | 'database'
  | 'error'
  | 'list'
  | 'set'
  | 'stream'
  | 'option'
  | 'result'
  | 'map'
  | 'fn'
  | 'tuple'
  | 'record'
  | 'named'
  | 'import'
  | 'variable'
  | 'generic'

const NONE: readonly never[] = []

function compose(kind: TypeKind, args: readonly Type[], labels: readonly string[] = NONE): Type {
  let isOpen = false
  let isGeneric = false
  for (const arg of args) {
    isOpen ||= arg.isOpen
    isGeneric ||= arg.isGeneric
  }
  return { kind, args, name: '', labels, id: -1, isOpen, isGeneric }
}

export const INT = compose('int', NONE)
export const FLOAT = compose('float', NONE)
export const DECIMAL = compose('decimal', NONE)
export const STR = compose('str', NONE)
export const BOOL = compose('bool', NONE)
export const CHAR = compose('char', NONE)
export const UNIT = compose('unit', NONE)
export const NEVER = compose('never', NONE)
export const ELEMENT = compose('element', NONE)
export const DATABASE = compose('database', NONE)
/** The type of an expression that already failed; unlike a variable it unifies with nothing declared. */
export const ERROR = compose('error', NONE)

export const list = (item: Type): Type => compose('list', [item])
export const set = (item: Type): Type => compose('set', [item])
export const stream = (item: Type): Type => compose('stream', [item])
export const option = (item: Type): Type => compose('option', [item])
export const result = (ok: Type, err: Type): Type => compose('result', [ok, err])
export const map = (key: Type, value: Type): Type => compose('map', [key, value])
export const fn = (params: readonly Type[], value: Type): Type => compose('fn', [...params, value])
export const tuple = (items: readonly Type[]): Type => compose('tuple', items)
export const record = (labels: readonly string[], types: readonly Type[]): Type => compose('record', types, labels)
export const named = (name: string): Type => ({ ...compose('named', NONE), name })
export const imported = (name: string): Type => ({ ...compose('import', NONE), name })
export const variable = (id: number): Type => ({ ...compose('variable', NONE), id, isOpen: true })
export const generic = (id: number): Type => ({ ...compose('generic', NONE), id, isGeneric: true })

/** The same composite with other parts. */
export const withArgs = (type: Type, args: readonly Type[]): Type => ({
  ...compose(type.kind, args, type.labels),
  name: type.name,
})

export const paramsOf = (type: Type): readonly Type[] => type.args.slice(0, -1)
export const resultOf = (type: Type): Type => type.args.at(-1) ?? ERROR
/** Part `index` of a composite; the error type where there is none. */
export const partOf = (type: Type, index = 0): Type => type.args[index] ?? ERROR

const fieldIndexes = new WeakMap<Type, Map<string, number>>()

/** Type of a record's first field called `label`; undefined without one. */
export function fieldOf(type: Type, label: string): Type | undefined {
  let indexes = fieldIndexes.get(type)
  if (indexes === undefined) {
    indexes = new Map()
    for (const [index, each] of type.labels.entries()) if (!indexes.has(each)) indexes.set(each, index)
    fieldIndexes.set(type, indexes)
  }
  const index = indexes.get(label)
  return index === undefined ? undefined : type.args[index]
}
