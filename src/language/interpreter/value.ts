/**
 * Run-time values. Ints are JS numbers while safe and bigints beyond (never both forms of one number);
 * floats are boxed, so that `1` and `1.0` stay apart. Strings are JS strings read by code point.
 */
export type Value =
  | number
  | bigint
  | string
  | boolean
  | null
  | FloatValue
  | ListValue
  | ObjectValue
  | TupleValue
  | FnValue
  | OptionValue
  | ResultValue
  | ConstructorValue
  | TaggedValue
  | Signal

/** Variables of one function activation by slot; undefined is a parameter that got no argument. */
export type Frame = (Value | undefined)[]
/** Compiled code: reads and writes the activation's variables. */
export type Code = (frame: Frame) => Value

export class FloatValue {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/**
 * A list. While `isShared` is false one variable or one container holds it, so that it may be changed
 * in place; whoever makes a second reference sets the flag, and writers copy a shared list first.
 */
export class ListValue {
  readonly items: Value[]
  isShared = false
  constructor(items: Value[]) {
    this.items = items
  }
}

export class TupleValue {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    this.items = items
  }
}

export class OptionValue {
  /** Undefined for None. */
  readonly inner: Value | undefined
  constructor(inner: Value | undefined) {
    this.inner = inner
  }
}

export class ResultValue {
  readonly isOk: boolean
  readonly inner: Value
  constructor(isOk: boolean, inner: Value) {
    this.isOk = isOk
    this.inner = inner
  }
}

/** A variant's bare name, also the `None` written in a source; callable when it takes fields. */
export class ConstructorValue {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export class TaggedValue {
  readonly name: string
  readonly fields: readonly Value[]
  constructor(name: string, fields: readonly Value[]) {
    this.name = name
    this.fields = fields
  }
}

/** What a function declaration or lambda compiles to. */
export interface FnPrototype {
  readonly paramCount: number
  frameSize: number
  /** Slots that receive the captured values, in their order. */
  captureSlots: readonly number[]
  /** Parameters whose list or map the body changes in place. */
  changedParams: readonly number[]
  body: Code
}

export class FnValue {
  readonly prototype: FnPrototype
  readonly captured: Frame
  constructor(prototype: FnPrototype, captured: Frame) {
    this.prototype = prototype
    this.captured = captured
  }
}

/**
 * Control flow on its way out. Vox passes these as ordinary values through its evaluator, and where it
 * lets one leak into a variable or an argument, so does this interpreter.
 */
export class Signal {
  readonly kind: 'break' | 'continue' | 'return'
  readonly inner: Value
  constructor(kind: 'break' | 'continue' | 'return', inner: Value) {
    this.kind = kind
    this.inner = inner
  }
}

/** The field that makes an object a namespace; Vox takes any object with it for one. */
export const NAMESPACE_MARKER = '__namespace__'

/** Past this many keys, look-ups go through an index. */
const INDEXED_FROM = 8

/** A map or record: string keys in insertion order; a literal may repeat a key, and the first one counts. */
export class ObjectValue {
  readonly keys: string[]
  readonly values: Value[]
  isShared = false
  private index: Map<string, number> | null = null

  constructor(keys: string[], values: Value[]) {
    this.keys = keys
    this.values = values
  }

  /** Position of `key`, or -1. */
  find(key: string): number {
    if (this.keys.length <= INDEXED_FROM) return this.keys.indexOf(key)
    if (this.index === null) {
      this.index = new Map()
      for (let at = this.keys.length - 1; at >= 0; at--) this.index.set(this.keys[at] as string, at)
    }
    return this.index.get(key) ?? -1
  }

  get(key: string): Value | undefined {
    const at = this.find(key)
    return at < 0 ? undefined : this.values[at]
  }

  /** Replaces the value of `key` or appends it. Only for an object that is not shared. */
  set(key: string, value: Value): void {
    const at = this.find(key)
    if (at >= 0) {
      this.values[at] = value
      return
    }
    this.index?.set(key, this.keys.length)
    this.keys.push(key)
    this.values.push(value)
  }

  copy(): ObjectValue {
    return new ObjectValue(this.keys.slice(), this.values.slice())
  }
}

export const NONE = new OptionValue(undefined)
export const BREAK = new Signal('break', null)
export const CONTINUE = new Signal('continue', null)

export function some(inner: Value): OptionValue {
  return new OptionValue(inner)
}

/** `some` of what is there, NONE of undefined. */
export function optional(inner: Value | undefined): OptionValue {
  return inner === undefined ? NONE : new OptionValue(inner)
}

/** Marks a list or map as having more than one reference; gives the value back. */
export function share(value: Value): Value {
  if (value instanceof ListValue || value instanceof ObjectValue) value.isShared = true
  return value
}

/** A bare `None` becomes the Option it stands for; Vox does this on `return`, `?`, `is` and `isnt`. */
export function normalizeNone(value: Value): Value {
  return value instanceof ConstructorValue && value.name === 'None' ? NONE : value
}

/** The kind as Vox's error texts name it. */
export function kindOf(value: Value): string {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 'Int'
    case 'string':
      return 'Str'
    case 'boolean':
      return 'Bool'
  }
  if (value === null) return 'Null'
  if (value instanceof FloatValue) return 'Float'
  if (value instanceof ListValue) return 'List'
  if (value instanceof ObjectValue) return 'Object'
  if (value instanceof TupleValue) return 'Tuple'
  if (value instanceof FnValue) return 'Fn'
  if (value instanceof OptionValue) return 'Option'
  if (value instanceof ResultValue) return 'Result'
  if (value instanceof ConstructorValue) return 'Constructor'
  if (value instanceof TaggedValue) return 'Tagged'
  return { break: '_Break', continue: '_Continue', return: '_Return' }[value.kind]
}
