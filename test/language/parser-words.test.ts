import { describe, expect, it } from 'vitest'
import { RESERVED_WORDS } from '../../src/language/keywords.ts'
import { parse } from '../../src/language/parser/parser.ts'
import { parseErrors, parseModule } from './parser-fixture.ts'

const NAMEABLE = 'type on state derived effect mount cleanup view component http env to in'.split(' ')
const OTHER = [...RESERVED_WORDS].filter((word) => !NAMEABLE.includes(word))

describe('reserved words', () => {
  it.each([...RESERVED_WORDS].filter((word) => word !== 'mut'))('%s is no variable', (word) => {
    expect(parseErrors(`let ${word} = 1`)[0]).toBe('Expected pattern')
  })

  it.each(NAMEABLE)('%s names parameters, functions, fields and methods', (word) => {
    expect(parseErrors(`fn ${word}(${word}: int) { }\ntype R { ${word}: int }\nx.${word}.${word}(1)`)).toEqual([])
  })

  it.each(OTHER)('%s does not', (word) => {
    expect(parseErrors(`fn ${word}() { }`)[0]).toBe('Expected identifier')
    expect(parseErrors(`x.${word}`)[0]).toBe('Expected identifier')
  })

  it.each(['env', 'to', 'http'])('%s can be read in an expression', (word) => {
    expect(parseErrors(`fn f(${word}: int) { return ${word} + 1 }`)).toEqual([])
  })

  it.each(['state', 'in', 'view', 'type'])('%s cannot, though a parameter may have the name', (word) => {
    expect(parseErrors(`fn f(${word}: int) { return ${word} }`)).toEqual([`Unexpected token in expression: ${word}`])
  })
})

describe('soft words', () => {
  it.each(
    'table index query form server tool resource url key uses mutation partial routes list print null'.split(' '),
  )('%s is a variable like any other inside a function', (word) => {
    expect(parseErrors(`fn f() { let ${word} = 1\n ${word} }`)).toEqual([])
  })

  it.each(['query(x)', 'table.foo', 'index = 1', 'server\nmain', 'tool(1)', 'partial x'])(
    'is no declaration unless a name follows: %s',
    (source) => {
      expect(parseModule(source).items[0]?.kind).toBe('statement')
    },
  )

  it('opens a declaration in front of a name', () => {
    expect(parse('table Foo').kind).toBe('unsupported')
  })
})
