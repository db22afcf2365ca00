import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FixtureType } from '../../src/corpus/fixture.ts'
import { toLiteral, type Value } from '../../src/corpus/literal.ts'
import { fromLiteral } from '../../src/corpus/literal-reader.ts'
import { lex } from '../../src/language/lexer.ts'
import { parse } from '../../src/language/parser/parser.ts'
import { run } from '../../src/language/run.ts'

const INT: FixtureType = { kind: 'int' }
const FLOAT: FixtureType = { kind: 'float' }
const STR: FixtureType = { kind: 'str' }
const BOOL: FixtureType = { kind: 'bool' }

test.for([
  ['-5', -5, INT],
  ['9223372036854775807', 9223372036854775807n, INT],
  ['2.0', 2, FLOAT],
  ['-2.5', -2.5, FLOAT],
  ['-0.0', -0, FLOAT],
  ['1000000000000000000000.0', 1e21, FLOAT],
  ['0.000000125', 1.25e-7, FLOAT],
  ['""', '', STR],
  ['"say \\"hi\\""', 'say "hi"', STR],
  ['"it\'s"', "it's", STR],
  ["'{it\\'s}'", "{it's}", STR],
  ['\'{"k"}\'', '{"k"}', STR],
  ['"a\\\\n\\n\\r\\t\\0"', 'a\\n\n\r\t\0', STR],
  ['[[1], []]', [[1], []], { kind: 'list', item: { kind: 'list', item: INT } }],
  ['None', { kind: 'none' }, { kind: 'option', item: STR }],
  ['Some(["a"])', { kind: 'some', value: ['a'] }, { kind: 'option', item: { kind: 'list', item: STR } }],
  ['Ok(true)', { kind: 'ok', value: true }, { kind: 'result', item: BOOL }],
  ["Error('{x}')", { kind: 'error', value: '{x}' }, { kind: 'result', item: INT }],
] as const)('%s', ([literal, value, type]) => {
  expect(toLiteral(value, type)).toBe(literal)
})

test.for([
  [1.5, INT],
  [2 ** 53, INT],
  [9223372036854775808n, INT],
  [-9223372036854775808n, INT],
  [Number.NaN, FLOAT],
  [Number.POSITIVE_INFINITY, FLOAT],
  ['\uD800', STR],
  ['1', INT],
  [1, STR],
  [[1], { kind: 'list', item: STR }],
  [
    { kind: 'ok', value: 1 },
    { kind: 'option', item: INT },
  ],
  [{ kind: 'none' }, { kind: 'result', item: INT }],
] as const)('%s as %o has no literal', ([value, type]) => {
  expect(() => toLiteral(value, type)).toThrow(/no|cannot/)
})

test.for([
  ['5 + 1', INT],
  ['x', INT],
  ['5.0', INT],
  ['"{x}"', STR],
  ['"a" "b"', STR],
  ['str(1)', STR],
  ['[1, "a"]', { kind: 'list', item: INT }],
  ['[1', { kind: 'list', item: INT }],
  ['[, 1]', { kind: 'list', item: INT }],
  ['[1 2]', { kind: 'list', item: INT }],
  ['Some(1', { kind: 'option', item: INT }],
  ['1', { kind: 'option', item: INT }],
  ['null', { kind: 'option', item: INT }],
  ['', INT],
] as const)('%s is no literal of %j', ([text, type]) => {
  expect(fromLiteral(text, type)).toBeNull()
})

test('whole floats, Err, raw strings, trailing commas and line breaks are read', () => {
  expect(fromLiteral('-3', FLOAT)).toBe(-3)
  expect(fromLiteral('Err("no")', { kind: 'result', item: INT })).toEqual({ kind: 'error', value: 'no' })
  expect(fromLiteral('r"a\\n{b}"', STR)).toBe('a\\n{b}')
  expect(fromLiteral('[\n 1,\n -2,\n]', { kind: 'list', item: INT })).toEqual([1n, -2n])
})

interface Typed {
  readonly type: FixtureType
  readonly value: Value
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }).filter((each) => !/\p{Surrogate}/u.test(each)),
  fc
    .array(fc.constantFrom('{', '}', 'a', '\\', '"', "'", '\n', '\r', '\0', ' ', '#', '//', 'r'))
    .map((parts) => parts.join('')),
)
const basic: readonly fc.Arbitrary<Typed>[] = [
  fc.bigInt({ min: -(2n ** 63n - 1n), max: 2n ** 63n - 1n }).map((value) => ({ type: INT, value })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ type: FLOAT, value })),
  text.map((value) => ({ type: STR, value })),
  fc.boolean().map((value) => ({ type: BOOL, value })),
]

/** Values of one type, in a list, an Option or a Result of each other up to two levels. */
function typed(depth: number): fc.Arbitrary<Typed> {
  const item = depth === 0 ? fc.oneof(...basic) : typed(depth - 1)
  const wrapped = item.chain(({ type, value }) =>
    fc.constantFrom<Typed>(
      { type: { kind: 'option', item: type }, value: { kind: 'some', value } },
      { type: { kind: 'option', item: type }, value: { kind: 'none' } },
      { type: { kind: 'result', item: type }, value: { kind: 'ok', value } },
      { type: { kind: 'result', item: type }, value: { kind: 'error', value: 'no {way}' } },
    ),
  )
  const lists = fc.oneof(...basic).chain((first) =>
    fc
      .array(
        fc.oneof(...basic).filter(({ type }) => type.kind === first.type.kind),
        { maxLength: 4 },
      )
      .map((items) => ({
        type: { kind: 'list', item: first.type } as FixtureType,
        value: items.map(({ value }) => value),
      })),
  )
  return fc.oneof(...basic, lists, wrapped)
}

test('a literal is read back as the value it was made of', () => {
  fc.assert(
    fc.property(typed(2), ({ type, value }) => {
      expect(fromLiteral(toLiteral(value, type), type)).toEqual(value)
    }),
    { numRuns: 2000 },
  )
})

test('a literal is one expression of the language, without unknown characters', () => {
  fc.assert(
    fc.property(typed(2), ({ type, value }) => {
      const literal = toLiteral(value, type)
      expect(
        lex(literal).filter(({ kind }) => kind === 'unknown' || kind === 'template' || kind === 'invalid-int'),
      ).toEqual([])
      const parsed = parse(`fn main() to str {\n    take(${literal})\n    return "ok"\n}\n`)
      if (parsed.kind !== 'parsed') throw new Error(`${parsed.kind}: ${literal}`)
      const [main] = parsed.module.items
      expect(main).toMatchObject({
        kind: 'fn',
        body: { body: [{ kind: 'expr', value: { kind: 'call', args: [{ name: null }] } }, { kind: 'return' }] },
      })
    }),
    { numRuns: 500 },
  )
})

/** Text of a value as Vox shows it. A None that is not itself returned stays a bare constructor and is shown as one. */
function display(value: Value, none = 'Constructor("None")'): string {
  if (Array.isArray(value)) return `[${value.map((item) => display(item)).join(', ')}]`
  if (typeof value !== 'object') return String(value)
  if (!('kind' in value)) return ''
  if (value.kind === 'none') return none
  const name = { some: 'Some', ok: 'Ok', error: 'Err' }[value.kind]
  return `${name}(${display(value.value)})`
}

test('the engine evaluates a literal to the value it was made of', () => {
  const exact = typed(2).filter(({ type }) => !JSON.stringify(type).includes('float'))
  fc.assert(
    fc.property(exact, ({ type, value }) => {
      // Through a function, since a bare None becomes an Option only on return.
      const program = `fn made() to int {\n    return ${toLiteral(value, type)}\n}\n\nfn main() to str {\n    print(made())\n    return "ok"\n}\n`
      expect(printed(program)).toBe(`${display(value, 'None')}\nok\n`)
    }),
    { numRuns: 500 },
  )
})

test('the engine reads a float literal without losing a bit', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const program = `fn main() to str {\n    print(${toLiteral(value, FLOAT)})\n    return "ok"\n}\n`
      const [shown = ''] = printed(program).split('\n')
      expect(Number(shown)).toBe(value)
    }),
    { numRuns: 300 },
  )
})

function printed(program: string): string {
  let output = ''
  const write = (part: string) => {
    output += part
    return true
  }
  const result = run(program, { write, limits: { steps: 100_000, depth: 100, memoryBytes: 64 * 1024 * 1024 } })
  expect(result).toMatchObject({ kind: 'exited', exit: 0 })
  return output
}
