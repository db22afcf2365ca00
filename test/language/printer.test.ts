import { describe, expect, it } from 'vitest'
import { print } from '../../src/language/printer/printer.ts'
import { parseModule } from './parser-fixture.ts'

function reprint(source: string): string {
  return print(parseModule(source))
}

describe('canonical spelling', () => {
  it('uses the phonetic operators, `to`, one line a statement and four blanks', () => {
    expect(reprint('fn f(a:int)->bool{let b=a==1;return b!=true}')).toBe(
      'fn f(a: int) to bool {\n    let b = a is 1\n    return b isnt true\n}\n',
    )
  })

  it('drops parentheses that change nothing and keeps the others', () => {
    expect(reprint('((1 + 2)) * 3 - ((4 * 5)) - (6 - 7)')).toBe('(1 + 2) * 3 - 4 * 5 - (6 - 7)\n')
  })

  it('gives every declaration back', () => {
    const source = [
      '@test @pure fn t<A, B>(x: A, f: fn(A) to B = g) uses net, fs to B {\n    return f(x)\n}',
      'pub fn p() { }',
      'async fn q() { }',
      'type R { x: int, type: list[str] }',
      'pub type S = | A | B(n: int, m: _)',
      'import a.b',
      '',
    ].join('\n')
    expect(reprint(source)).toBe(source)
  })

  it('gives control flow back', () => {
    const source = [
      'if a {',
      '    b = 1',
      '} else if c {',
      '    break',
      '} else {',
      '    for x, i in xs {',
      '        continue',
      '    }',
      '}',
      'match o {',
      '    Some((n, _)) => n,',
      '    "k" => return',
      '    1 => { },'.replace('{ }', '{}'),
      '}',
      '',
    ].join('\n')
    expect(reprint(source)).toBe(source)
  })
})

describe('what must not run together', () => {
  it('closes an `if` in front of a line that would continue it', () => {
    expect(reprint('(if c { x })\n-1\n')).toBe('(if c {\n    x\n})\n-1\n')
  })

  it('closes a lambda and a loop that end in one, too', () => {
    expect(reprint('let f = (x => if c { x })\n[2]\n')).toBe('let f = (fn(x) if c {\n    x\n})\n[2]\n')
    expect(reprint('(for x in xs if c { x })\n[2]\n')).toBe('(for x in xs\n    if c {\n        x\n    })\n[2]\n')
  })

  it('leaves the glued form glued', () => {
    const glued = parseModule('if c { x }\n-1\n')
    expect(glued.items).toHaveLength(1)
    expect(parseModule(print(glued)).items).toHaveLength(1)
  })

  it('keeps an element from taking the next block as its children', () => {
    expect(reprint('if (b()) { x }')).toBe('if (b()) {\n    x\n}\n')
  })

  it('keeps a called field from becoming a method', () => {
    expect(reprint('(a.f)(1)')).toBe('(a.f)(1)\n')
  })

  it('keeps a lambda at top level from becoming a declaration', () => {
    expect(reprint('x => x')).toBe('(fn(x) x)\n')
  })

  it('keeps a body called `to` from becoming a type', () => {
    expect(reprint('let f = x => to')).toBe('let f = fn(x) (to)\n')
  })

  it('keeps a list behind a result type from becoming its argument', () => {
    expect(reprint('let f = fn(x) to list ([x])')).toBe('let f = fn(x) to list ([x])\n')
  })

  it('keeps a question mark on its side of a prefix operator', () => {
    expect(reprint('let x = [not (a?), (not a)?]')).toBe('let x = [not (a?), not a?]\n')
  })
})

describe('strings', () => {
  it.each([
    [String.raw`"a\tb\\n\"\q"`, String.raw`"a\tb\\n\"\\q"`],
    ["'it\\'s'", '"it\'s"'],
    ['"a\nb"', '"a\\nb"'],
    ["'{x}'", "'{x}'"],
    ['r#"{x"}"#', "'{x\"}'"],
    ['r#"{"x"}"#', String.raw`"{\"x\"}"`],
    ['"\\{x}"', '"\\{x}"'],
    ['"v {x}\\n"', '"v {x}\\n"'],
  ])('%s prints as %s', (source, printed) => {
    expect(reprint(source)).toBe(`${printed}\n`)
  })
})
