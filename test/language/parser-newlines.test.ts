import { describe, expect, it } from 'vitest'
import { parse } from '../../src/language/parser/parser.ts'
import { lastStatement, parseErrors, parseModule } from './parser-fixture.ts'

describe('where a line may break', () => {
  it.each([
    ['behind the equals sign of a let', 'let x =\n\n5'],
    ['within arguments', 'f(\n1\n,\n2\n)'],
    ['within a list', '[\n1\n,\n2,\n]'],
    ['within an object behind a comma', 'x = {\na: 1,\nb: 2,\n}'],
    ['in front of a closing parenthesis', 'x = (1\n)'],
    ['in front of else', 'if c { 1 }\n\nelse { 2 }'],
    ['between else and if', 'if c { 1 } else\nif d { 2 }'],
    ['between match arms', 'match x {\n\n1 => 2\n,\n\n_ => 3\n}'],
    ['in front of a loop body', 'for x in xs\n{ 1 }'],
    ['within an index behind the bracket', 'xs[\n0]'],
    ['in front of a lambda body', 'f = fn(x)\nx'],
  ])('%s', (_, source) => {
    expect(parseErrors(source)).toEqual([])
  })

  it.each([
    ['behind an operator', 'let a = 1 +\n2', 'Unexpected token in expression: <newline>'],
    ['in front of an operator, parentheses or not', '(1\n+ 2)', 'Expected ), found +'],
    ['in front of a method', 'a\n.len()', 'Unexpected token in expression: .'],
    ['in front of the block of an if', 'if c\n{ 1 }', 'Expected {, found <newline>'],
    ['in front of the block of a while', 'while c\n{ 1 }', 'Expected {, found <newline>'],
    ['in a parameter list', 'fn f(a,\nb) { }', 'Expected identifier'],
    ['between fn and its name', 'fn\nf() { }', 'Expected identifier'],
    ['in front of the comma of a tuple', '(1\n, 2)', 'Expected ), found ,'],
    ['in front of the bracket that ends an index', 'xs[0\n]', 'Expected ], found <newline>'],
    ['in front of the colon of an object key', 'x = {a\n: 1}', 'Expected :, found <newline>'],
    ['in type arguments', 'let a: Map[str,\nint] = b', 'Expected identifier'],
  ])('not %s', (_, source, message) => {
    expect(parseErrors(source)[0]).toBe(message)
  })

  it('lets statements share a line without separator', () => {
    expect(parseModule('a = 1 b = 2 f(a)').items).toHaveLength(3)
  })
})

describe('return', () => {
  it.each(['return\n5', 'return', 'return;'])(
    'takes no value at the end of a line, block or statement: %s',
    (source) => {
      expect(parseModule(source).items[0]).toMatchObject({ body: { kind: 'return', value: null } })
    },
  )

  it('takes a value that opens on the same line', () => {
    expect(lastStatement('return [\n1\n]')).toMatchObject({ kind: 'return', value: { kind: 'list' } })
  })
})

describe('the line behind an if without else', () => {
  it.each([
    ['(x)', 'call'],
    ['[x]', 'index'],
    ['-x', 'binary'],
    ['.y', 'field'],
    ['?', 'try'],
    ['|> x', 'pipe'],
    ['and x', 'binary'],
  ])('is taken as a continuation when it starts with %s', (line, kind) => {
    expect(lastStatement(`if c { 1 }\n\n${line}`)).toMatchObject({ kind: 'expr', value: { kind } })
  })

  it.each(['if c { 1 } else { 2 }', 'while c { 1 }', 'loop { 1 }', 'for x in xs { 1 }', 'match x { _ => 1 }', '{ 1 }'])(
    'is a statement of its own behind %s',
    (source) => {
      expect(lastStatement(`${source}\n(x)`)).toEqual({ kind: 'expr', value: { kind: 'name', name: 'x' } })
    },
  )

  it('is a statement of its own when a semicolon stands between', () => {
    expect(lastStatement('if c { 1 };\n(x)')).toEqual({ kind: 'expr', value: { kind: 'name', name: 'x' } })
  })
})

describe('semicolons', () => {
  function warnings(source: string): readonly string[] {
    const result = parse(source)
    return result.kind === 'parsed' ? result.warnings.map(({ tolerated }) => tolerated ?? '') : ['no parse']
  }

  it.each([
    ['behind a statement in a block', 'fn f() { a; b; }', 2],
    ['behind a script statement', 'let a = 1; a;', 2],
    ['behind a declaration', 'fn f() { };\nfn g() { };', 2],
    ['behind a bare return', 'fn f() { return; }', 1],
  ])('are let through with a warning each %s', (_, source, count) => {
    expect(warnings(source)).toEqual(Array(count).fill('semicolon'))
  })

  it.each(['a;;', 'fn f() { a;; }', ';', 'f(1;)', 'match x { 1 => 2; _ => 3 }'])(
    'are an error elsewhere: %s',
    (source) => {
      expect(parse(source).kind).toBe('failed')
    },
  )
})

describe('recovery', () => {
  it('goes on at the next line of a block', () => {
    expect(parseErrors('fn f() {\n let = 1\n let a = 1 +\n g()\n}')).toEqual([
      'Expected pattern',
      'Unexpected token in expression: <newline>',
    ])
  })

  it('goes on at a closing brace, which may be that of an inner block', () => {
    expect(parseErrors('fn f() {\n for (a, b) in xs { g() }\n}')).toEqual([
      'Expected identifier',
      'Unexpected token in expression: }',
    ])
  })

  it('skips the rest of a broken declaration with its block', () => {
    expect(parseErrors('fn f(a b) {\n let = 1\n}\nfn g() { let = 2 }')).toEqual([
      'Expected ), found b',
      'Expected pattern',
    ])
  })

  it('keeps the warnings among the errors, in order', () => {
    const result = parse('a == b\n)\nc != d')
    expect(result).toMatchObject({
      kind: 'failed',
      diagnostics: [{ severity: 'warning' }, { severity: 'error', code: 'E0001' }, { severity: 'warning' }],
    })
  })
})
