import { describe, expect, it } from 'vitest'
import { parse } from '../../src/language/parser/parser.ts'
import { parseErrors, parseModule, stripSpans } from './parser-fixture.ts'

describe('functions', () => {
  it('record everything in their head', () => {
    const [fn] = parseModule('fn f<T>(a: int, b = 1, in: fn(int) to T) uses net, fs to Map[str, int] { a }').items
    expect(fn).toMatchObject({
      kind: 'fn',
      name: 'f',
      generics: ['T'],
      params: [
        { name: 'a', type: { kind: 'named', name: 'int' }, fallback: null },
        { name: 'b', type: null, fallback: { kind: 'int' } },
        { name: 'in', type: { kind: 'fn', params: [{ name: 'int' }], result: { name: 'T' } } },
      ],
      uses: ['net', 'fs'],
      result: { name: 'Map', args: [{ name: 'str' }, { name: 'int' }] },
      isPub: false,
      isAsync: false,
      decorators: [],
      endpoint: null,
    })
  })

  it('span the whole declaration and name the place of their name', () => {
    const source = '\n@test fn  name() { }\n'
    expect(parseModule(source).items[0]).toMatchObject({
      span: { start: 1, end: 21 },
      nameSpan: { start: 11, end: 15 },
    })
  })

  it('take a thin arrow with a warning', () => {
    expect(parse('fn f() -> int { 1 }')).toMatchObject({ kind: 'parsed', warnings: [{ tolerated: 'arrow' }] })
  })

  it.each([
    ['fn f[T](x: T) { }', 'Expected (, found ['],
    ['fn f(a: int,) { }', 'Expected identifier'],
    ['fn f(a: int?) { }', 'Expected ), found ?'],
    ['fn f() to (int, int) { }', 'Expected identifier'],
    ['fn f(n: int) to int:\n    return n', 'Expected {, found :'],
    ['fn f() { 1', 'Expected }, found <eof>'],
    ['pub let a = 1', 'Expected fn or type after pub'],
    ['pub async fn f() { }', 'Expected fn or type after pub'],
    ['async pub fn f() { }', 'Expected fn after async'],
    ['@pure pub fn f() { }', 'Expected fn, found pub'],
    ['@pure f() { }', 'Expected fn, found f'],
  ])('refuse %s', (source, message) => {
    expect(parseErrors(source)[0]).toBe(message)
  })
})

describe('decorators', () => {
  it.each([
    ['@test fn f() { }', ['test']],
    ['@test("label")\nfn f() { }', ['test']],
    ['@pure\n\n@traced fn f() { }', ['pure', 'traced']],
    ['pub @pure fn f() { }', ['pure']],
    ['@deprecated("old") fn f() { }', ['deprecated']],
  ])('are recorded: %s', (source, decorators) => {
    expect(parseModule(source).items[0]).toMatchObject({ decorators })
  })

  it.each(['query', 'mutation', 'server', 'tool', 'resource', 'table', 'index', 'form'])('@%s is retired', (name) => {
    expect(parse(`@${name} fn f() { }`)).toMatchObject({
      kind: 'failed',
      diagnostics: [{ message: `\`@${name}\` is a retired decorator`, code: `vox/decorator/${name}-retired` }],
    })
  })

  it('are errors when the lexer does not know them or they stand elsewhere', () => {
    expect(parseErrors('@memo fn f() { }')).toEqual(['Unexpected token in expression: @'])
    expect(parseErrors('@tokens { }')).toEqual(['Unexpected token in expression: @tokens'])
    expect(parseErrors('fn f() { @pure g() }')).toEqual(['Unexpected token in expression: @pure'])
  })
})

describe('types', () => {
  it('are records or sums', () => {
    expect(
      stripSpans(parseModule('type P { x: int, y: str\nz: T }\npub type S =\n| A\n| B(n: int, m: int)\n').items),
    ).toEqual([
      {
        kind: 'type',
        name: 'P',
        isPub: false,
        shape: {
          kind: 'record',
          fields: ['x int', 'y str', 'z T'].map((field) => {
            const [name, type] = field.split(' ')
            return { name, type: { kind: 'named', name: type, args: [] } }
          }),
        },
      },
      {
        kind: 'type',
        name: 'S',
        isPub: true,
        shape: {
          kind: 'sum',
          variants: [
            { name: 'A', fields: [] },
            { name: 'B', fields: ['n', 'm'].map((name) => ({ name, type: { kind: 'named', name: 'int', args: [] } })) },
          ],
        },
      },
    ])
  })

  it('leave behind what stands where a bar should, as a statement', () => {
    expect(parseModule('type Id = int\n').items).toMatchObject([
      { kind: 'type', shape: { kind: 'sum', variants: [] } },
      { kind: 'statement', body: { kind: 'expr', value: { kind: 'name', name: 'int' } } },
    ])
  })

  it('take a number for a type name', () => {
    expect(parseErrors('let x: 7 = 1')).toEqual([])
  })

  it.each([
    ['type B[T] { v: T }', 'Expected =, found ['],
    ['type S = A | B(n: int)', 'Unexpected token in expression: |'],
    ['type S = | B(int)', 'Expected :, found )'],
    ['type P { x: int', 'Expected }, found <eof>'],
  ])('refuse %s', (source, message) => {
    expect(parseErrors(source)[0]).toBe(message)
  })
})

describe('imports', () => {
  it.each([
    ['import os', 'os'],
    ['import a.b.C', 'a.b.C'],
    ['import a/b', 'a.b'],
    ['import rust:serde', 'rust:serde'],
    ['import env', 'env'],
  ])('%s is recorded as %s', (source, path) => {
    expect(parseModule(source).items).toMatchObject([{ kind: 'import', path }])
  })

  it('leave the rest of the line to the next statement', () => {
    expect(parseModule('import os sys').items.map(({ kind }) => kind)).toEqual(['import', 'statement'])
  })

  it.each(['import "a.txt"', 'import 5', 'import {a}'])('refuse %s', (source) => {
    expect(parse(source).kind).toBe('failed')
  })
})

describe('script statements', () => {
  it('stand among the declarations in source order', () => {
    expect(parseModule('let a = 1\nfn f() { }\nf(a)\nreturn 5\n').items.map(({ kind }) => kind)).toEqual([
      'statement',
      'fn',
      'statement',
      'statement',
    ])
  })

  it.each([
    'const A = 1',
    'class A { }',
    'struct P { x }',
    'function f(n) { return n }',
    'var a = 1',
    'if a { b } elif c { d }',
    'throw "x"',
    'try { f(1) } catch { g(1) }',
    'let x = await f(1)',
  ])('take the words of other languages for names: %s', (source) => {
    expect(parseErrors(source)).toEqual([])
  })

  it.each(['enum A { X, Y }', 'def f(x):\n    return x', 'struct P { x: int, y }'])('still refuse %s', (source) => {
    expect(parse(source).kind).toBe('failed')
  })
})

describe('what lies outside the slice', () => {
  it.each([
    ['import "./x.vox"', 'import of a file'],
    ['import a as b', 'import of several names or under another name'],
    ['import react X from "x"', 'React import'],
    ['query main() to str { return "ok" }', '`query` declaration'],
    ['@pure query main() to str { return "ok" }', '`query` declaration'],
    ['tool "adds" fn f() { }', '`tool` declaration'],
    ['component Main { }', '`component` declaration'],
    ['actor A { }', '`actor` declaration'],
    ['routes { }', '`routes` declaration'],
    ['@require(x > 0) fn f(x: int) { }', '`@require` decorator'],
    ['@example fn f() { }', '`@example` decorator'],
    ['type S = | A { x: int }', 'record-shaped variant'],
    ['let x = 1.5dec', 'decimal literal'],
    ['let x = when y { empty => 1 ok v => 2 }', '`when` view block'],
    ['spawn(f)', '`spawn`'],
    ['side_effect { 1 }', '`side_effect` block'],
    ['workflow.version("a", 1, 2)', '`workflow` declaration'],
    ['let v = workflow.version("a", 1, 2)', 'workflow version call'],
    ['let f = @cancellable fn() 1', 'cancellable lambda'],
  ])('is declined with a reason: %s', (source, reason) => {
    expect(parse(source)).toMatchObject({ kind: 'unsupported', reason })
  })

  it('does not hide an error in front of it', () => {
    expect(parse(')\nquery main() { }').kind).toBe('failed')
  })

  it('does not hide an error behind it where its syntax is known', () => {
    expect(parse('let x = 1.5dec\n)').kind).toBe('failed')
  })

  it.each(['http get "/a" { }', 'agent A { }', 'env X', '@component fn f() { }'])(
    'is an error where it is tombstoned: %s',
    (source) => {
      expect(parseErrors(source)[0]).toMatch(/is tombstoned/)
    },
  )

  it('is an error where Vox itself refuses it', () => {
    expect(parseErrors('let x = when y { 1 => 2 }')[0]).toMatch(/^Unexpected token in `when` view block: `1`/)
    expect(parse('macro_rules(x)')).toMatchObject({ kind: 'failed', diagnostics: [{ code: 'E091' }] })
  })
})
