import { describe, expect, it } from 'vitest'
import type { Expr } from '../../src/language/ast.ts'
import { parse } from '../../src/language/parser/parser.ts'
import { lastStatement, parseErrors, parseModule } from './parser-fixture.ts'

/** The only item of `source`, an expression statement. */
function parseOne(source: string): Expr {
  const item = parseModule(source).items[0]
  if (item?.kind !== 'statement' || item.body.kind !== 'expr') throw new Error(`no expression: ${source}`)
  return item.body.value
}

/** Operators with every operand in brackets. */
function shape(expr: Expr): string {
  switch (expr.kind) {
    case 'name':
      return expr.name
    case 'int':
      return String(expr.value)
    case 'binary':
      return `[${shape(expr.left)} ${expr.operator} ${shape(expr.right)}]`
    case 'pipe':
    case 'with':
      return `[${shape(expr.left)} ${expr.kind} ${shape(expr.right)}]`
    case 'unary':
      return `[${expr.operator} ${shape(expr.operand)}]`
    case 'try':
      return `[${shape(expr.operand)} try]`
    case 'method':
      return `${shape(expr.receiver)}.${expr.name}()`
    default:
      return expr.kind
  }
}

describe('precedence', () => {
  it.each([
    ['a or b and c', '[a or [b and c]]'],
    ['a and b with c', '[[a and b] with c]'],
    ['a is b < c', '[a is [b lt c]]'],
    ['a < b + c', '[a lt [b add c]]'],
    ['a + b * c % d', '[a add [[b mul c] mod d]]'],
    ['a - b - c', '[[a sub b] sub c]'],
    ['a < b < c', '[[a lt b] lt c]'],
    ['a |> b or c', '[a pipe [b or c]]'],
    ['a |> b |> c', '[[a pipe b] pipe c]'],
    ['not a == b', '[[not a] is b]'],
    ['a is not b', '[a is [not b]]'],
    ['not not a', '[not [not a]]'],
    ['not -a', '[not [neg a]]'],
    ['-x.abs()', '[neg x.abs()]'],
    ['-2 * 3', '[[neg 2] mul 3]'],
    ['a - -b', '[a sub [neg b]]'],
    ['a + b?', '[a add [b try]]'],
    ['-a?', '[[neg a] try]'],
    ['a??', '[[a try] try]'],
    ['(a + b) * c', '[[a add b] mul c]'],
    ['((a)) + ((b) - c)', '[a add [b sub c]]'],
    ['3.abs() + 1', '[3.abs() add 1]'],
  ])('%s is %s', (source, expected) => {
    expect(shape(parseOne(source))).toBe(expected)
  })

  it.each(['f()?.x', 'f()?(1)', 'f()?[0]'])('lets nothing follow a question mark: %s', (source) => {
    // The rest opens a statement of its own where it can.
    expect(parse(`x = (${source})`).kind).toBe('failed')
  })
})

describe('warnings about == and !=', () => {
  it.each([
    ['a == b', 1],
    ['a + 1 == b', 2],
    ['a + 1 * 2 == b', 3],
    ['a is b', 0],
    ['a != b and c == d', 2],
  ])('%s gives %i, one for every level that meets the operator', (source, count) => {
    const result = parse(source)
    expect(result.kind === 'parsed' && result.warnings.map(({ tolerated }) => tolerated)).toEqual(
      Array(count).fill('alias'),
    )
  })
})

describe('braces', () => {
  it.each([
    ['{}', 'object'],
    ['{\n\n}', 'object'],
    ['{a: 1}', 'object'],
    ['{A: 1}', 'object'],
    ['{"a": 1}', 'object'],
    ["{'a': 1}", 'object'],
    ['{and: 1, or: 2, not: 3, in: 4}', 'object'],
    ['{ a }', 'block'],
    ['{ let a = 1 }', 'block'],
  ])('%s is an %s', (source, kind) => {
    expect(parseOne(source).kind).toBe(kind)
  })

  it.each(['{type: 1}', '{to: 1}', '{r"a": 1}', '{"{a}": 1}', '{1: 2}', '{a: 1 b: 2}'])('%s is an error', (source) => {
    expect(parse(`x = ${source}`).kind).toBe('failed')
  })
})

describe('parentheses', () => {
  it('group, or make tuples of one and more', () => {
    expect(['(a)', '(a,)', '(a, b)', '(a, b,)'].map((source) => parseOne(source).kind)).toEqual([
      'name',
      'tuple',
      'tuple',
      'tuple',
    ])
  })

  it('cannot be empty', () => {
    expect(parseErrors('x = ()')).toEqual(['Unexpected token in expression: )'])
  })
})

describe('lambdas', () => {
  it.each(['fn(x) x', 'x => x', '(x) => x'])('%s are one and the same', (source) => {
    expect(lastStatement(`f = ${source}`)).toEqual(lastStatement('f = fn(x) x'))
  })

  it('take a result type and default values', () => {
    expect(lastStatement('f = fn(x: int = 1) to int x')).toMatchObject({
      value: {
        kind: 'lambda',
        params: [{ name: 'x', fallback: { kind: 'int' } }],
        result: { kind: 'named', name: 'int' },
      },
    })
  })

  it('refuse anything but names in front of the arrow', () => {
    expect(parseErrors('x = (a, 1) => a')).toEqual(['Expected identifier in lambda parameters'])
    expect(parseErrors('x = (1) => a')).toEqual(['Expected identifier or tuple in lambda parameters'])
  })

  it('are what `fn` opens inside a block, so a nested function is an error', () => {
    expect(parseErrors('fn f() { fn g() { } }')[0]).toBe('Expected (, found g')
  })
})

describe('view calls', () => {
  it.each(['main()', 'b()', 'None()', 'Red(x=1)', 'row(a=1, b=2)', '(b)()'])('%s is an element', (source) => {
    expect(parseOne(source)).toMatchObject({ kind: 'element', children: null })
  })

  it.each(['main(1)', 'zed()', 'zed(a=1)', 'b(a=1, 2)', 'Some(1)'])('%s is a call', (source) => {
    expect(parseOne(source).kind).toBe('call')
  })

  it('is no element behind a dot or as the result of another call', () => {
    expect(parseOne('x.b()').kind).toBe('method')
    expect(parseOne('f(1)()').kind).toBe('call')
  })

  it('takes a block behind it as children, blank lines between or not', () => {
    expect(parseOne('b(k=1)\n\n{ x, y\n1 }')).toMatchObject({
      kind: 'element',
      children: { body: [{ kind: 'expr' }, { kind: 'expr' }, { kind: 'expr' }] },
    })
  })

  it('takes the block that an if needs', () => {
    expect(parseErrors('if b() { x }')).toEqual(['Expected {, found <eof>'])
  })
})

describe('templates', () => {
  it('hold texts, as written, and bare names', () => {
    expect(lastStatement('x = "a\\n{b}{c} }"')).toMatchObject({
      value: {
        kind: 'template',
        parts: [
          { kind: 'text', text: 'a\\n' },
          { kind: 'name', name: 'b' },
          { kind: 'name', name: 'c' },
          { kind: 'text', text: ' }' },
        ],
      },
    })
  })

  it.each(['"{a + 1}"', '"{ a }"', '"{a.b}"', '"{{a}}"'])('refuse more than a name: %s', (source) => {
    expect(parseErrors(source)).toEqual(['Complex expressions in template strings not yet supported'])
  })

  it('count every further brace', () => {
    expect(parseErrors('"x {a} { b"')).toEqual(['Unclosed interpolation in template string'])
  })

  it('are no patterns', () => {
    expect(parseErrors('match x { "{a}" => 1 }')[0]).toBe('Expected pattern')
  })
})

describe('match', () => {
  it('takes names, wildcards, numbers, plain strings, constructors and tuples', () => {
    expect(
      lastStatement('match x { a => 1 _ => 1 5 => 1 "s" => 1 None => 1 Some(_) => 1, (a, 1,) => 1, () => 1 }'),
    ).toMatchObject({
      value: {
        arms: ['bind', 'wildcard', 'int', 'str', 'constructor', 'constructor', 'tuple', 'tuple'].map((kind) => ({
          pattern: { kind },
        })),
      },
    })
  })

  it.each(['-1', '1.5', 'true', "'a'", 'r"a"', '[a]', '{a: 1}', 'type'])('refuses the pattern %s', (pattern) => {
    expect(parseErrors(`match x { ${pattern} => 1 }`)[0]).toBe('Expected pattern')
  })

  it.each(['1 | 2', 'n if c'])('knows no pattern %s', (pattern) => {
    expect(parseErrors(`match x { ${pattern} => 1 }`)[0]).toMatch(/^Expected =>, found/)
  })

  it('takes a bare return, break or continue as an arm, but no assignment', () => {
    expect(parseErrors('match x { 1 => return 2 2 => break, 3 => continue }')).toEqual([])
    expect(parseErrors('match x { 1 => y = 2 }')[0]).toBe('Expected pattern')
  })

  it('reads an empty pair of braces as an object', () => {
    expect(lastStatement('match x { None => {} }')).toMatchObject({ value: { arms: [{ body: { kind: 'object' } }] } })
  })

  it('goes on behind a thin arrow, which is an error', () => {
    expect(parseErrors('match x { 1 -> 2 _ -> 3 }')).toEqual([
      "The '->' syntax is deprecated for match arms. Use '=>'.",
      "The '->' syntax is deprecated for match arms. Use '=>'.",
    ])
  })
})

describe('for', () => {
  it('takes an index, wildcards, a key and a body without braces', () => {
    expect(lastStatement('for _, i in xs key=i f(i)')).toMatchObject({
      value: { kind: 'for', name: '_', indexName: 'i', key: { kind: 'name' }, body: { kind: 'call' } },
    })
  })

  it('takes no tuple', () => {
    expect(parseErrors('for (a, b) in xs { }')[0]).toBe('Expected identifier')
  })
})

describe('an integer too large', () => {
  it('disappears, and the expression goes on on the next line', () => {
    expect(lastStatement('let x = 9223372036854775808\nprint(x)')).toMatchObject({
      kind: 'let',
      value: { kind: 'call', callee: { name: 'print' } },
    })
  })
})

describe('what other languages have', () => {
  it.each([
    ['a && b', '&'],
    ['a = b || c', '|'],
    ['a ** b', '*'],
    ['a++', '+'],
    ['a %= 2', '='],
    ['a ? b : c', ':'],
    ['a ^ b', '^'],
    ['[...a]', '.'],
  ])('%s is an error at %s', (source, token) => {
    const found = parseErrors(source)[0]?.replace('<newline>', '\n').at(-1) ?? '<eof>'
    expect([token, '>']).toContain(found)
  })

  it('gives the reason for an exclamation mark', () => {
    expect(parseErrors('x = !a')[0]).toMatch(/^`!` is not a valid operator in Vox; use `not` instead/)
  })
})
