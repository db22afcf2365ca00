import { expect, test } from 'vitest'
import { explainEntryMismatch, parseSignature, typeText } from '../../src/corpus/signature.ts'

test.for([
  ['fn f(n: int) to int', ['int'], 'int'],
  ['fn f() to bool', [], 'bool'],
  ['fn f ( a:list[ list[int] ],b : float )   to str', ['list[list[int]]', 'float'], 'str'],
  ['fn f(s: str) to Option[list[str]]', ['str'], 'Option[list[str]]'],
  ['fn f(s: str) to Result[int, str]', ['str'], 'Result[int, str]'],
  ['fn f(s: str) to Result[int]', ['str'], 'Result[int, str]'],
  ['fn f(s: str) -> list[Option[int]]', ['str'], 'list[Option[int]]'],
] as const)('%s', ([text, params, result]) => {
  const parsed = parseSignature(text)

  if (parsed.kind === 'malformed') throw new Error(parsed.message)
  expect(parsed.entry.name).toBe('f')
  expect(parsed.entry.params.map(({ type }) => typeText(type))).toEqual(params)
  expect(typeText(parsed.entry.result)).toBe(result)
})

test.for([
  ['', /must start with `fn`/],
  ['f(n: int) to int', /must start with `fn`/],
  ['fn F(n: int) to int', /lower-case function name/],
  ['fn f n: int to int', /needs `\(`/],
  ['fn f(n: int to int', /no matching `\)`/],
  ['fn f(n) to int', /no type for the parameter `n`/],
  ['fn f(n: int, n: str) to int', /two parameters `n`/],
  ['fn f(n: int,) to int', /comma before/],
  ['fn f(n: int m: int) to int', /`m` behind the parameter `n`/],
  ['fn f(state: int) to int', /`state` where a parameter name must stand/],
  ['fn f(n: int)', /no return type/],
  ['fn f(n: int) to', /uses the type ``/],
  ['fn f(n: int) to list', /needs `\[` behind `list`/],
  ['fn f(n: int) to list[int', /needs `\]`/],
  ['fn f(n: int) to Result[int, int]', /error type is not str/],
  ['fn f(n: int) to Colour', /uses the type `Colour`/],
  ['fn f(n: int) to int {', /`\{` behind its return type/],
  ['fn f(n: int)\nto int', /one line/],
] as const)('%j is refused', ([text, message]) => {
  expect(parseSignature(text)).toEqual({ kind: 'malformed', message: expect.stringMatching(message) })
})

const ENTRY = (() => {
  const parsed = parseSignature('fn pick(xs: list[int], k: int) to Option[int]')
  if (parsed.kind === 'malformed') throw new Error(parsed.message)
  return parsed.entry
})()

test.for([
  'fn pick(xs: list[int], k: int) to Option[int] { return xs[k] }',
  '// fn pick(a: str)\nfn helper(n: int) to int { return n }\n\nfn pick( values:list[int] , at:int ) -> Option[int] {\n return values[at]\n}',
  'fn pick(xs, k) { return xs[k] }',
])('a declaration that fits: %s', (source) => {
  expect(explainEntryMismatch(source, ENTRY)).toBeNull()
})

test.for([
  ['let pick = fn(xs, k) xs[k]', /no top-level function/],
  ['fn outer() to int { fn pick(xs: list[int], k: int) to Option[int] { return xs[k] } return 1 }', /no top-level/],
  ['fn pick(xs: list[str], k: int) to Option[int] { return xs[k] }', /takes list\[str\] as parameter 1/],
  ['fn pick(xs: list[int], k: int) to int { return 1 }', /returns int, the signature Option\[int\]/],
  ['fn pick(xs: list[int], k: Map[str, int]) to Option[int] { return None }', /type `Map`/],
] as const)('one that does not: %s', ([source, message]) => {
  expect(explainEntryMismatch(source, ENTRY)).toMatch(message)
})
