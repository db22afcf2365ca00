import {
  BOOL,
  FLOAT,
  fn,
  generic,
  INT,
  list,
  map,
  option,
  result,
  STR,
  type Type,
  type TypeKind,
  UNIT,
} from './type.ts'

/** First and second part of the receiver (element; key and value; value of a result), else a free type. */
const A = generic(0)
const B = generic(1)

const toText = { to_str: fn([], STR), to_string: fn([], STR) }

const LIST = {
  len: fn([], INT),
  length: fn([], INT),
  is_empty: fn([], BOOL),
  push: fn([A], list(A)),
  append: fn([A], list(A)),
  pop: fn([], option(A)),
  get: fn([INT], option(A)),
  first: fn([], option(A)),
  last: fn([], option(A)),
  contains: fn([A], BOOL),
  index: fn([A], INT),
  find_index: fn([A], INT),
  count: fn([A], INT),
  extend: fn([list(A)], list(A)),
  remove: fn([A], list(A)),
  remove_at: fn([INT], list(A)),
  zip: fn([list(A)], list(list(A))),
  enumerate: fn([], list(list(A))),
  slice_list: fn([INT], list(A)),
  join: fn([STR], STR),
  reverse: fn([], UNIT),
  reversed: fn([], list(A)),
  sorted: fn([], list(A)),
  sorted_by_key: fn([fn([A], B)], list(A)),
  sort_by_key: fn([fn([A], B)], list(A)),
  sorted_by: fn([fn([A, A], INT)], list(A)),
  sort_by: fn([fn([A, A], INT)], list(A)),
  sum: fn([], A),
  max: fn([], option(A)),
  min: fn([], option(A)),
  flatten: fn([], list(A)),
  map: fn([fn([A], B)], list(B)),
  filter: fn([fn([A], BOOL)], list(A)),
  for_each: fn([fn([A], UNIT)], UNIT),
  any: fn([fn([A], BOOL)], BOOL),
  all: fn([fn([A], BOOL)], BOOL),
  fold: fn([B, fn([B, A], B)], B),
}

const STRING = {
  ...toText,
  len: fn([], INT),
  length: fn([], INT),
  chars_count: fn([], INT),
  is_empty: fn([], BOOL),
  to_upper: fn([], STR),
  to_uppercase: fn([], STR),
  to_lower: fn([], STR),
  to_lowercase: fn([], STR),
  trim: fn([], STR),
  trim_start: fn([], STR),
  trim_end: fn([], STR),
  contains: fn([STR], BOOL),
  starts_with: fn([STR], BOOL),
  ends_with: fn([STR], BOOL),
  split: fn([STR], list(STR)),
  replace: fn([STR, STR], STR),
  repeat: fn([INT], STR),
  count: fn([STR], INT),
  is_alpha: fn([], BOOL),
  is_digit: fn([], BOOL),
  is_alnum: fn([], BOOL),
  is_upper: fn([], BOOL),
  is_lower: fn([], BOOL),
  ord: fn([], INT),
  chars: fn([], list(STR)),
  bytes: fn([], list(INT)),
  slice: fn([INT, INT], STR),
  char_at: fn([INT], option(STR)),
  index_of: fn([STR], option(INT)),
  to_int: fn([], option(INT)),
  to_float: fn([], option(FLOAT)),
}

const OPTION = {
  is_some: fn([], BOOL),
  is_none: fn([], BOOL),
  unwrap: fn([], A),
  unwrap_or: fn([A], A),
  unwrap_or_default: fn([], A),
  expect: fn([STR], A),
  map: fn([fn([A], B)], option(B)),
  and_then: fn([fn([A], option(B))], option(B)),
  filter: fn([fn([A], BOOL)], option(A)),
}

const RESULT = {
  is_ok: fn([], BOOL),
  is_err: fn([], BOOL),
  ok: fn([], option(A)),
  err: fn([], option(STR)),
  unwrap: fn([], A),
  unwrap_err: fn([], STR),
  unwrap_or: fn([A], A),
  unwrap_or_default: fn([], A),
  expect: fn([STR], A),
  map: fn([fn([A], B)], result(B, STR)),
  map_err: fn([fn([STR], STR)], result(A, STR)),
  and_then: fn([fn([A], result(B, STR))], result(B, STR)),
}

const MAP = {
  len: fn([], INT),
  is_empty: fn([], BOOL),
  keys: fn([], list(A)),
  values: fn([], list(B)),
  items: fn([], list(list(A))),
  entries: fn([], list(list(A))),
  get: fn([A], option(B)),
  get_or: fn([A, B], B),
  contains_key: fn([A], BOOL),
  has_key: fn([A], BOOL),
  has: fn([A], BOOL),
  insert: fn([A, B], map(A, B)),
  set: fn([A, B], map(A, B)),
  remove: fn([A], map(A, B)),
  delete: fn([A], map(A, B)),
  update: fn([map(A, B)], map(A, B)),
}

const floatToFloat = fn([], FLOAT)

/** Methods by the kind of receiver, as the checker types them (the interpreter differs in places). */
export const METHODS: Partial<Record<TypeKind, Readonly<Record<string, Type>>>> = {
  int: { ...toText, abs: fn([], INT), min: fn([INT], INT), max: fn([INT], INT) },
  float: {
    ...toText,
    abs: floatToFloat,
    floor: floatToFloat,
    ceil: floatToFloat,
    round: floatToFloat,
    sqrt: floatToFloat,
  },
  bool: toText,
  str: STRING,
  list: LIST,
  option: OPTION,
  result: RESULT,
  map: MAP,
  record: { get: fn([STR], option(A)), keys: fn([], list(STR)) },
}

/** Parts of a receiver that its methods' first generic parameters stand for. */
export function boundParts(receiver: Type): readonly Type[] {
  switch (receiver.kind) {
    case 'list':
    case 'option':
    case 'map':
      return receiver.args
    case 'result':
      return receiver.args.slice(0, 1)
    default:
      return []
  }
}

/** Signature of a method on a receiver whose type is known; undefined when there is none. */
export function methodOf(receiver: Type, name: string): Type | undefined {
  const methods = METHODS[receiver.kind]
  return methods !== undefined && Object.hasOwn(methods, name) ? methods[name] : undefined
}
