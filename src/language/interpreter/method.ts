import { truncateToInt } from './arithmetic.ts'
import { failAssertion, refuse } from './ending.ts'
import { LIST_CLOSURE_METHODS } from './list-closure-methods.ts'
import { LIST_METHODS } from './list-methods.ts'
import type { Machine } from './machine.ts'
import { apply } from './machine.ts'
import { callNamespace, namespaceOf } from './namespace.ts'
import { BOOL_METHODS, FLOAT_METHODS, INT_METHODS } from './number-methods.ts'
import { OBJECT_METHODS } from './object-methods.ts'
import { OPTION_CLOSURE_METHODS, OPTION_METHODS, RESULT_CLOSURE_METHODS, RESULT_METHODS } from './option-methods.ts'
import { STRING_METHODS } from './string-methods.ts'
import type { Value } from './value.ts'
import {
  ConstructorValue,
  FloatValue,
  FnValue,
  ListValue,
  NONE,
  ObjectValue,
  OptionValue,
  ResultValue,
  some,
  TaggedValue,
} from './value.ts'

/** A method by name, looked up once for every kind of receiver. */
export interface Method {
  readonly name: string
  readonly onString: ReturnType<typeof STRING_METHODS.get>
  readonly onList: ReturnType<typeof LIST_METHODS.get>
  readonly onListWithClosure: ReturnType<typeof LIST_CLOSURE_METHODS.get>
  readonly onObject: ReturnType<typeof OBJECT_METHODS.get>
  readonly onOption: ReturnType<typeof OPTION_METHODS.get>
  readonly onOptionWithClosure: ReturnType<typeof OPTION_CLOSURE_METHODS.get>
  readonly onResult: ReturnType<typeof RESULT_METHODS.get>
  readonly onResultWithClosure: ReturnType<typeof RESULT_CLOSURE_METHODS.get>
  readonly onInt: ReturnType<typeof INT_METHODS.get>
  readonly onFloat: ReturnType<typeof FLOAT_METHODS.get>
  readonly onBool: ReturnType<typeof BOOL_METHODS.get>
}

export function selectMethod(name: string): Method {
  return {
    name,
    onString: STRING_METHODS.get(name),
    onList: LIST_METHODS.get(name),
    onListWithClosure: LIST_CLOSURE_METHODS.get(name),
    onObject: OBJECT_METHODS.get(name),
    onOption: OPTION_METHODS.get(name),
    onOptionWithClosure: OPTION_CLOSURE_METHODS.get(name),
    onResult: RESULT_METHODS.get(name),
    onResultWithClosure: RESULT_CLOSURE_METHODS.get(name),
    onInt: INT_METHODS.get(name),
    onFloat: FLOAT_METHODS.get(name),
    onBool: BOOL_METHODS.get(name),
  }
}

/** Calls a method; lists among `args` are fresh or marked as shared. */
export function callMethod(machine: Machine, method: Method, receiver: Value, args: readonly Value[]): Value {
  const last = args.length > 0 ? args[args.length - 1] : undefined
  if (last instanceof FnValue) {
    const result = callWithClosure(machine, method, receiver, args, last)
    if (result !== undefined) return result
  }
  const result = call(machine, method, receiver, args)
  return result === undefined ? failAssertion(`Method ${method.name} not found`) : result
}

/** Methods that take a function as their last argument; undefined when this is none of them. */
function callWithClosure(
  machine: Machine,
  method: Method,
  receiver: Value,
  args: readonly Value[],
  closure: FnValue,
): Value | undefined {
  if (receiver instanceof ListValue) return method.onListWithClosure?.(machine, receiver, closure, args)
  if (receiver instanceof OptionValue) return method.onOptionWithClosure?.(machine, receiver, closure)
  return receiver instanceof ResultValue ? method.onResultWithClosure?.(machine, receiver, closure) : undefined
}

function call(machine: Machine, method: Method, receiver: Value, args: readonly Value[]): Value | undefined {
  if (typeof receiver === 'string')
    return (method.onString ?? SCALAR_ACCESSORS.get(method.name))?.(machine, receiver, args)
  if (receiver instanceof ListValue)
    return (method.onList ?? SCALAR_ACCESSORS.get(method.name))?.(machine, receiver, args)
  if (receiver instanceof ObjectValue) return callObject(machine, method, receiver, args)
  if (receiver instanceof OptionValue && method.onOption !== undefined) return method.onOption(machine, receiver, args)
  if (receiver instanceof ResultValue && method.onResult !== undefined) return method.onResult(machine, receiver, args)
  const accessor = SCALAR_ACCESSORS.get(method.name)
  if (accessor !== undefined) return accessor(machine, receiver, args)
  if (receiver instanceof TaggedValue && REGEX_VARIANTS.has(receiver.name))
    return refuse(`method of a variant called ${receiver.name}`)
  if (typeof receiver === 'number' || typeof receiver === 'bigint') return method.onInt?.(machine, receiver, args)
  if (typeof receiver === 'boolean') return method.onBool?.(machine, receiver, args)
  if (receiver === null) return callNull(method.name)
  return receiver instanceof FloatValue ? method.onFloat?.(machine, receiver, args) : undefined
}

/** A callable field comes first, then a namespace's function, then the map methods. */
function callObject(
  machine: Machine,
  method: Method,
  receiver: ObjectValue,
  args: readonly Value[],
): Value | undefined {
  const field = receiver.get(method.name)
  if (field instanceof FnValue) return apply(machine, field, args)
  if (field instanceof ConstructorValue) return new TaggedValue(field.name, args)
  const accessor = SCALAR_ACCESSORS.get(method.name)
  if (accessor !== undefined) return accessor(machine, receiver, args)
  const namespace = namespaceOf(receiver)
  if (namespace !== null) return callNamespace(machine, namespace, method.name, args)
  return method.onObject?.(machine, receiver, args)
}

/** Vox takes a variant of these names for its own regex values. */
const REGEX_VARIANTS: ReadonlySet<string> = new Set(['Regex', 'Match'])

type Accessor = (machine: Machine, receiver: Value, args: readonly Value[]) => Value

/** Accessors of JSON values, which any value answers: Some of its own kind, None of another. */
const SCALAR_ACCESSORS: ReadonlyMap<string, Accessor> = new Map<string, Accessor>([
  ['as_str', (_machine, value) => (typeof value === 'string' ? some(value) : NONE)],
  ['as_bool', (_machine, value) => (typeof value === 'boolean' ? some(value) : NONE)],
  [
    'as_int',
    (_machine, value) => {
      if (typeof value === 'number' || typeof value === 'bigint') return some(value)
      return value instanceof FloatValue ? some(truncateToInt(value.value)) : NONE
    },
  ],
  [
    'as_float',
    (_machine, value) => {
      if (typeof value === 'number' || typeof value === 'bigint') return some(new FloatValue(Number(value)))
      return value instanceof FloatValue ? some(value) : NONE
    },
  ],
])

function callNull(name: string): Value | undefined {
  switch (name) {
    case 'is_null':
      return true
    case 'has':
      return false
    case 'to_string':
      return 'null'
    case 'get':
    case 'at':
    case 'pointer':
    case 'as_object':
    case 'as_array':
    case 'length':
    case 'keys':
      return NONE
    default:
      return undefined
  }
}
