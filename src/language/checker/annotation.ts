import type { TypeExpr } from '../ast.ts'
import {
  BOOL,
  CHAR,
  DECIMAL,
  ELEMENT,
  FLOAT,
  fn,
  INT,
  list,
  map,
  NEVER,
  named,
  option,
  result,
  STR,
  set,
  stream,
  type Type,
  UNIT,
} from './type.ts'

const SIMPLE: ReadonlyMap<string, Type> = new Map([
  ['int', INT],
  ['float', FLOAT],
  ['float64', FLOAT],
  ['str', STR],
  ['bool', BOOL],
  ['char', CHAR],
  ['never', NEVER],
  ['Unit', UNIT],
  ['dec', DECIMAL],
  ['Element', ELEMENT],
])

type Build = (first: Type, second: Type | undefined) => Type

const GENERIC: ReadonlyMap<string, Build> = new Map<string, Build>([
  ['list', (item) => list(item)],
  ['List', (item) => list(item)],
  ['Option', (item) => option(item)],
  ['Set', (item) => set(item)],
  ['Stream', (item) => stream(item)],
  ['Result', (ok, err) => result(ok, err ?? STR)],
  ['Map', (key, value) => map(key, value ?? named('_'))],
])

/** Type of an annotation. An unknown name is an opaque type of that name, never an error (its arguments are dropped). */
export function typeOf(annotation: TypeExpr, generics: ReadonlyMap<string, Type> = new Map()): Type {
  if (annotation.kind === 'fn') {
    const value = annotation.result === null ? UNIT : typeOf(annotation.result, generics)
    return fn(
      annotation.params.map((param) => typeOf(param, generics)),
      value,
    )
  }
  const [first, second] = annotation.args.map((arg) => typeOf(arg, generics))
  if (first === undefined) return generics.get(annotation.name) ?? SIMPLE.get(annotation.name) ?? named(annotation.name)
  return GENERIC.get(annotation.name)?.(first, second) ?? named(annotation.name)
}
