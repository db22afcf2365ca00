import { declareType, define, type Environment } from './environment.ts'
import {
  BOOL,
  FLOAT,
  fn,
  generic,
  INT,
  list,
  NEVER,
  named,
  option,
  record,
  result,
  STR,
  type Type,
  tuple,
  UNIT,
} from './type.ts'

const T = generic(0)
const E = generic(1)

/** Signatures of the names every program can use. `range`, `abs` and `print` are looser than this: see call.ts. */
export const GLOBALS: Readonly<Record<string, Type>> = {
  Some: fn([T], option(T)),
  None: option(T),
  null: option(T),
  Ok: fn([T], result(T, E)),
  Error: fn([E], result(T, E)),
  Unit: UNIT,
  print: fn([STR], UNIT),
  assert: fn([BOOL], UNIT),
  panic: fn([STR], UNIT),
  len: fn([T], INT),
  str: fn([T], STR),
  int: fn([T], INT),
  float: fn([T], FLOAT),
  chr: fn([INT], STR),
  range: fn([INT, INT], list(INT)),
  abs: fn([INT], INT),
  floor: fn([FLOAT], FLOAT),
  ceil: fn([FLOAT], FLOAT),
  round: fn([FLOAT], FLOAT),
  sqrt: fn([FLOAT], FLOAT),
  max: fn([INT, INT], INT),
  min: fn([INT, INT], INT),
  sorted: fn([list(T)], list(T)),
  sum: fn([list(T)], T),
  has_capability: fn([named('cap')], BOOL),
  use_state: fn([T], tuple([T, fn([T], UNIT)])),
  use_effect: fn([fn([], UNIT)], UNIT),
  use_memo: fn([fn([], T)], T),
  use_ref: fn([T], T),
  use_callback: fn([T], T),
}

const OUTPUT = record(['stdout', 'stderr', 'code'], [STR, STR, INT])

type Methods = Readonly<Record<string, Type>>

/** Host namespaces that are in scope by their bare names, with what of them is known here. */
export const NAMESPACES: Readonly<Record<string, Methods>> = {
  fs: {
    read: fn([STR], result(STR, STR)),
    read_file: fn([STR], result(STR, STR)),
    read_to_string: fn([STR], result(STR, STR)),
    exists: fn([STR], BOOL),
    is_file: fn([STR], BOOL),
    is_dir: fn([STR], BOOL),
    list_dir: fn([STR], result(list(STR), STR)),
  },
  path: { join: fn([STR, STR], STR) },
  json: {
    stringify: fn([T], STR),
    encode: fn([T], STR),
    parse: fn([STR], result(named('Json'), STR)),
  },
  process: {
    run: fn([STR, list(STR)], option(OUTPUT)),
    spawn: fn([STR, list(STR)], option(OUTPUT)),
    exit: fn([INT], NEVER),
  },
  env: {
    get: fn([STR], option(STR)),
    set: fn([STR, STR], UNIT),
    args: fn([], list(STR)),
  },
  secrets: {},
  regex: {},
  log: {},
  crypto: { hash_fast: fn([STR], STR) },
  repo: {},
  mobile: {},
  HTTP: {},
  Claude: {},
  Speech: {},
  OpenClaw: {},
  Agent: {},
  Browser: {},
  Scrape: {},
  std: {},
  'std.fs': { exists: fn([STR], BOOL), is_file: fn([STR], BOOL), is_dir: fn([STR], BOOL) },
  'std.process': { exit: fn([INT], NEVER) },
}

const NAMESPACE_PREFIX = 'namespace '

/** Name of the namespace a type stands for; null for any other type. No type written in a program has such a name. */
export const namespaceOf = (type: Type): string | null =>
  type.kind === 'named' && type.name.startsWith(NAMESPACE_PREFIX) ? type.name.slice(NAMESPACE_PREFIX.length) : null

export const namespaceType = (name: string): Type => named(NAMESPACE_PREFIX + name)

/** Puts every predefined name into the outermost scope. */
export function defineGlobals(environment: Environment): void {
  const variants = { Option: { Some: [T], None: [] }, Result: { Ok: [T], Error: [E] } }
  for (const [name, each] of Object.entries(variants)) {
    declareType(environment, { name, fields: new Map(), variants: new Map(Object.entries(each)) })
  }
  for (const name of Object.keys(NAMESPACES)) {
    if (!name.includes('.')) define(environment, name, namespaceType(name))
  }
  for (const [name, type] of Object.entries(GLOBALS)) define(environment, name, type)
}
