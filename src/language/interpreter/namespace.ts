import { allowsNamespace } from './capabilities.ts'
import { Halt, refuse } from './ending.ts'
import { encodeJson, parseJson, quoteJson } from './json.ts'
import type { Machine } from './machine.ts'
import type { Value } from './value.ts'
import { ConstructorValue, NAMESPACE_MARKER, ObjectValue } from './value.ts'

const BARE = 'fs process env path secrets json regex log time io repo crypto'.split(' ')
const UNDER_STD = 'fs process env path json agentos csv toml yaml io log time http regex'.split(' ')
/** Namespaces some stored texts bind bare and others only under `std`. */
export const UNCERTAIN_NAMES: ReadonlySet<string> = new Set('http agentos csv toml yaml db'.split(' '))

/** Names every program starts with: null, the namespaces, and the constructors of Option and Result. */
export function initialGlobals(): Map<string, Value> {
  const globals = new Map<string, Value>([['null', null]])
  for (const name of BARE) globals.set(name, namespaceObject(name))
  globals.set('std', constantObject(UNDER_STD, UNDER_STD.map(namespaceObject)))
  for (const name of ['Ok', 'Err', 'Error', 'Some', 'None']) globals.set(name, new ConstructorValue(name))
  globals.set('Unit', null)
  return globals
}

function namespaceObject(name: string): ObjectValue {
  return constantObject([NAMESPACE_MARKER], [name])
}

function constantObject(keys: readonly string[], values: readonly Value[]): ObjectValue {
  const object = new ObjectValue([...keys], [...values])
  object.isShared = true
  return object
}

/** The name of the namespace an object is, or null. */
export function namespaceOf(object: ObjectValue): string | null {
  const marker = object.get(NAMESPACE_MARKER)
  return typeof marker === 'string' ? marker : null
}

export function isNamespace(object: ObjectValue): boolean {
  return namespaceOf(object) !== null
}

/**
 * Calls `namespace.method`. A call the run has no right to ends it; of the others, those that need a
 * host, and the pure ones whose answers are not known for sure, are refused. Undefined: no such method.
 */
export function callNamespace(
  machine: Machine,
  namespace: string,
  method: string,
  args: readonly Value[],
): Value | undefined {
  if (!allowsNamespace(machine.capabilities, namespace))
    throw new Halt({ kind: 'denied', call: `${namespace}.${method}` })
  if (namespace === 'json') return callJson(machine, method, args)
  const [first] = args
  if (namespace === 'process' && method === 'exit' && (typeof first === 'number' || typeof first === 'bigint')) {
    throw new Halt({ kind: 'exited', exit: Number(BigInt.asUintN(8, BigInt(first))) })
  }
  return refuse(`\`${namespace}.${method}\` needs a host`)
}

function callJson(machine: Machine, method: string, args: readonly Value[]): Value | undefined {
  const [first] = args
  switch (method) {
    case 'parse':
      return typeof first === 'string'
        ? parseJson(machine, first)
        : refuse('`json.parse` of something that is no string')
    case 'stringify':
    case 'encode':
      return first === undefined ? '' : encodeJson(machine, first)
    case 'quote':
      return typeof first === 'string' ? quoteJson(first) : null
    case 'render':
    case 'read_str':
    case 'read_f64':
      return refuse(`\`json.${method}\``)
    default:
      return undefined
  }
}
