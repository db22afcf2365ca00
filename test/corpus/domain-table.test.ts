import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import type { Domain } from '../../src/corpus/domain.ts'
import { readDomain } from '../../src/corpus/domain-table.ts'
import { parseSignature } from '../../src/corpus/signature.ts'

/** Reads the domain of one parameter `p` of the given type. */
function read(type: string, shape: string): { domain: Domain | null; problems: string[] } {
  const signature = parseSignature(`fn f(p: ${type}) to int`)
  if (signature.kind === 'malformed') throw new Error(signature.message)
  const problems: string[] = []
  const table = parse(`p = ${shape}`, { integersAsBigInt: true })
  const domain = readDomain(table, signature.entry.params, (field, message) => problems.push(`${field} ${message}`))
  return { domain, problems }
}

test.for([
  ['int', '{ range = [-5, 5] }', { kind: 'int', min: -5, max: 5 }],
  ['int', '{ values = [1, 2, 2] }', { kind: 'values', values: [1, 2, 2] }],
  ['float', '{ range = [-4, 4.5], step = 0.25 }', { kind: 'float', min: -4, max: 4.5, step: 0.25 }],
  ['float', '{ values = [1, 2.5] }', { kind: 'values', values: [1, 2.5] }],
  ['bool', '{}', { kind: 'bool' }],
  ['bool', '{ values = [true] }', { kind: 'values', values: [true] }],
  [
    'str',
    '{ length = [0, 3], alphabet = "aé🙂" }',
    { kind: 'text', minLength: 0, maxLength: 3, alphabet: ['a', 'é', '🙂'] },
  ],
  [
    'str',
    '{ count = [1, 2], tokens = ["+", "1"], separator = " " }',
    { kind: 'tokens', minCount: 1, maxCount: 2, tokens: ['+', '1'], separator: ' ' },
  ],
  [
    'list[bool]',
    '{ length = [0, 2], item = {} }',
    {
      kind: 'list',
      minLength: 0,
      maxLength: 2,
      item: { kind: 'bool' },
      isDistinct: false,
      isSorted: false,
      isRectangular: false,
    },
  ],
  [
    'list[list[int]]',
    '{ length = [1, 2], rectangular = true, item = { length = [0, 2], sorted = true, distinct = true, item = { range = [0, 9] } } }',
    {
      kind: 'list',
      minLength: 1,
      maxLength: 2,
      isDistinct: false,
      isSorted: false,
      isRectangular: true,
      item: {
        kind: 'list',
        minLength: 0,
        maxLength: 2,
        item: { kind: 'int', min: 0, max: 9 },
        isDistinct: true,
        isSorted: true,
        isRectangular: false,
      },
    },
  ],
  [
    'int',
    '{ one_of = [{ range = [0, 1] }, { values = [9] }] }',
    {
      kind: 'one-of',
      shapes: [
        { kind: 'int', min: 0, max: 1 },
        { kind: 'values', values: [9] },
      ],
    },
  ],
] as const)('%s: %s', ([type, shape, expected]) => {
  expect(read(type, shape)).toEqual({ domain: [{ param: 'p', shape: expected }], problems: [] })
})

test.for([
  ['int', '3', /^domain\.p must be a table/],
  ['int', '{}', /^domain\.p\.range is missing/],
  ['int', '{ range = [0.5, 2] }', /range must be \[lowest, highest\], both of type int/],
  ['int', '{ range = [0, 9007199254740993] }', /within ±\(2\^53 - 1\)/],
  ['int', '{ range = [-9007199254740991, 9007199254740991] }', /wider than 2\^53/],
  ['int', '{ range = [1] }', /must be \[lowest, highest\]/],
  ['int', '{ values = [] }', /values must be a list/],
  ['int', '{ values = [1.5] }', /holds `1\.5`, which is no int/],
  ['int', '{ values = [1], range = [0, 1] }', /range is not a key/],
  ['int', '{ one_of = [] }', /must be a list of shapes/],
  ['int', '{ one_of = [{ range = [0, 1] }, 3] }', /^domain\.p\.one_of\[1\] must be a table/],
  ['float', '{ range = [0, 1] }', /step must be a power of two/],
  ['float', '{ range = [0, 1], step = 0.1 }', /step must be a power of two/],
  ['float', '{ range = [0.25, 1], step = 0.5 }', /multiple of the step/],
  ['bool', '{ range = [0, 1] }', /range is not a key of this shape; none/],
  ['str', '{ length = [0, 3] }', /alphabet must be text/],
  ['str', '{ length = [0, 3], alphabet = "" }', /alphabet must be text/],
  ['str', '{ length = [-1, 3], alphabet = "a" }', /length must lie within 0/],
  ['str', '{ length = [0, 20000], alphabet = "a" }', /length must lie within 0/],
  ['str', '{ tokens = ["a"], separator = "" }', /count is missing/],
  ['str', '{ count = [0, 1], tokens = ["a"] }', /separator must be text/],
  ['str', '{ count = [0, 1], tokens = ["a", 1], separator = "" }', /tokens must be a list of texts/],
  ['list[int]', '{ length = [0, 1] }', /item is missing/],
  ['list[int]', '{ values = [1] }', /cannot describe a list\[int\]/],
  ['list[int]', '{ length = [0, 1], item = { range = [0, 1] }, sorted = 1 }', /sorted must be true or false/],
  [
    'list[int]',
    '{ length = [0, 1], item = { range = [0, 1] }, rectangular = true }',
    /rectangular needs items that are lists/,
  ],
  [
    'list[int]',
    '{ length = [0, 4], item = { values = [1, 2, 2] }, distinct = true }',
    /4 distinct items where only 2 exist/,
  ],
  ['list[bool]', '{ length = [0, 1], item = {}, sorted = true }', /no order for items of type bool/],
  [
    'list[list[int]]',
    '{ length = [0, 1], item = { length = [0, 1], item = { range = [0, 1] } }, rectangular = true, distinct = true }',
    /cannot be combined/,
  ],
  ['Option[int]', '{ range = [0, 1] }', /no shape describes a parameter of type Option\[int\]/],
] as const)('%s: %s is refused', ([type, shape, message]) => {
  const { domain, problems } = read(type, shape)

  expect(domain).toBeNull()
  expect(problems).toEqual([expect.stringMatching(message)])
})

test('all that is wrong is told at once', () => {
  expect(read('list[str]', '{ length = [2, 1], item = { alphabet = 3 }, extra = 1 }').problems).toHaveLength(1)
  expect(read('list[str]', '{ length = [2, 1], item = { alphabet = 3 } }').problems).toHaveLength(3)
})
