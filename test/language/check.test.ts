import { describe, expect, test } from 'vitest'
import { check } from '../../src/language/check.ts'

/** First lines of a program's errors; an unsupported program shows its reason. */
function errorsOf(source: string): readonly string[] {
  const checked = check(source)
  if (checked.kind === 'unsupported') return [`unsupported: ${checked.reason}`]
  if (checked.kind === 'accepted') return []
  const errors = checked.diagnostics.filter((each) => each.severity === 'error')
  return errors.map(({ code, message }) => `${code ?? 'uncoded'}: ${message.split('\n', 1)[0]}`)
}

const inMain = (body: string): string => `fn main() {\n${body}\n}\n`

/** A row: what it shows, the body of `main`, the errors. */
type Row = readonly [name: string, body: string, errors: readonly string[]]

const ARGUMENT = 'vox/types/arg-type-mismatch: Argument type mismatch:'
const RETURN = 'vox/types/type-mismatch: Return type mismatch:'
const LET = 'vox/types/type-mismatch: Type mismatch in `let`:'
const COUNT = 'vox/types/arg-count-mismatch: Argument count mismatch:'
const UNDEFINED = 'vox/types/undefined-variable: Undefined variable:'

describe('names', () => {
  const rows: readonly Row[] = [
    ['an unknown name is reported once where it is read', 'print(foo)', [`${UNDEFINED} foo`]],
    ['every unknown name is reported', 'print(a1)\nprint(a2)', [`${UNDEFINED} a1`, `${UNDEFINED} a2`]],
    ['a name inside a template is looked up', 'print("{nope}")', [`${UNDEFINED} nope`]],
    ['an if branch is a scope', 'if true { let q = 1 }\nprint(q)', [`${UNDEFINED} q`]],
    [
      'a lambda does not know its own name',
      'let f = fn(n: int) to int { return f(n) }',
      [`${UNDEFINED} f`, `${RETURN} Cannot unify error type with int`],
    ],
    ['shadowing is fine', 'let x = 1\nlet x = "s"\nprint(x + "t")', []],
    ['built-ins the interpreter has and the checker lacks are unknown', 'print(bool(1))', [`${UNDEFINED} bool`]],
    ['`Err` is no value', 'let e = Err("x")', [`${UNDEFINED} Err`]],
    [
      'names of other languages’ object methods are not methods',
      'print("a".toString())',
      ['vox/types/method-not-found: Method `toString` not found on Str.'],
    ],
    ['nor are those of JavaScript objects names', 'print(constructor)', [`${UNDEFINED} constructor`]],
  ]
  test.each(rows)('%s', (_name, body, errors) => {
    expect(errorsOf(inMain(body))).toEqual(errors)
  })
})

describe('calls', () => {
  const f = 'fn f(a: float, b: list[int]) to str { return "x" }\n'
  const rows: readonly Row[] = [
    ['the number of arguments must be right', 'f(1.0)', [`${COUNT} expected 2 arguments, found 1`]],
    ['an int is no float', 'f(1, [])', [`${ARGUMENT} Cannot unify Float with Int`]],
    ['a list literal takes the expected element type unchecked', 'f(1.0, ["a"])', []],
    ['but not where its elements are floats', 'f(1.0, [1.5])', [`${ARGUMENT} Cannot unify Int with Float`]],
    ['a value keeps its element type', 'let xs = ["a"]\nf(1.0, xs)', [`${ARGUMENT} Cannot unify Int with Str`]],
    ['only functions can be called', 'let n = 1\nn(2)', ['uncoded: Not a function: Int']],
    [
      'print takes anything, but something',
      'print(1, "a", [None])\nprint()',
      [`${COUNT} expected 1 arguments, found 0`],
    ],
    ['range takes one or two', 'range(3)\nrange(0, 3)\nrange(0, 3, 1)', [`${COUNT} expected 2 arguments, found 3`]],
    ['abs takes and gives a float too', 'let x: float = abs(-2.5)\nlet y: int = abs(-2)', []],
    ['a built-in result is as declared', 'let n: int = floor(2.5)', [`${LET} Cannot unify Float with Int`]],
  ]
  test.each(rows)('%s', (_name, body, errors) => {
    expect(errorsOf(f + inMain(body))).toEqual(errors)
  })
})

describe('let, assignment, return', () => {
  const rows: readonly Row[] = [
    ['an annotation is compared', 'let x: int = "a"', [`${LET} Cannot unify Str with Int`]],
    ['also element by element', 'let x: list[float] = [1, 2]', [`${LET} Cannot unify Int with Float`]],
    ['a mixed list has the type of its first element', 'let x: list[int] = [1, "a"]', []],
    ['numbers in a list widen', 'let x: list[float] = [1.0, 2]', []],
    ['an unknown type name is opaque', 'let s: string = "a"', [`${LET} Cannot unify Str with Named("string")`]],
    ['without mut there is no assignment', 'let x = 1\nx = 2', ["uncoded: Cannot assign to immutable variable 'x'"]],
    ['elements can be assigned all the same', 'let xs = [1]\nxs[0] = "a"', []],
    ['an assigned value may have any type', 'let mut n = 1\nn = "x"', []],
    [
      'an element is an Option also in `+=`',
      'let mut xs = [1]\nxs[0] += 5',
      ['uncoded: Invalid operands for +: Option(Int) and Int'],
    ],
    ['a tuple has to fit', 'let (a, b) = (1, 2, 3)', ['uncoded: Tuple size mismatch: expected 3, found 2']],
    ['a refutable pattern is accepted', 'let Some(v) = Some(1)\nprint(v + 1)', []],
  ]
  test.each(rows)('%s', (_name, body, errors) => {
    expect(errorsOf(inMain(body))).toEqual(errors)
  })

  test('return is compared, an implicit last value is not', () => {
    expect(errorsOf('fn f() to int { return "x" }')).toEqual([`${RETURN} Cannot unify Str with Int`])
    expect(errorsOf('fn f() to int { return }')).toEqual([`${RETURN} Cannot unify Unit with Int`])
    expect(errorsOf('fn f() to int { "x" }\nfn g() to int { }')).toEqual([])
  })

  test('a returned match takes the declared type, whatever its arms give', () => {
    expect(errorsOf('fn f() to int { return match 1 { 1 => "a" _ => "b" } }')).toEqual([])
  })

  test('return leaves a lambda, not the function around it', () => {
    expect(errorsOf('fn f() to int { let g = fn(s: str) to str { return s }\nreturn g("a").len() }')).toEqual([])
  })
})

describe('operators', () => {
  const rows: readonly Row[] = [
    ['a str on either side makes `+` a str', 'let s: str = 1 + "a" + None', []],
    ['other operands of `+` are reported', 'print(true + 1)', ['uncoded: Invalid operands for +: Bool and Int']],
    [
      'an element is an Option',
      'let xs = [1]\nprint(xs[0] + 1)',
      ['uncoded: Invalid operands for +: Option(Int) and Int'],
    ],
    ['other arithmetic fails in silence', 'print("a" * 2)\nlet q = "a" - 1\nassert(q == 1)', []],
    ['until its value meets a declared type', 'let q: int = "a" * 2', [`${LET} Cannot unify error type with int`]],
    ['comparisons take anything', 'assert(1 < "a")\nassert([1] == 2)', []],
    ['int and float mix into float', 'let x: float = 1 + 0.5 * 2', []],
    ['a chain of a thousand operands is one level deep', `let n: int = 1${' + 1'.repeat(200)}`, []],
    ['a template of one name has its type', 'let n = 3\nlet m: int = "{n}"', []],
    ['a pipe calls', 'let n: str = [1, 2] |> str', []],
    ['a pipe needs a function', 'let n = 1 |> 2', ['uncoded: Not a function: Int']],
  ]
  test.each(rows)('%s', (_name, body, errors) => {
    expect(errorsOf(inMain(body))).toEqual(errors)
  })
})

describe('methods and fields', () => {
  const missing = (method: string, on: string): string =>
    `vox/types/method-not-found: Method \`${method}\` not found on ${on}.`
  const rows: readonly Row[] = [
    ['methods belong to the receiver’s type', '[1].foo()', [missing('foo', 'List[Int]')]],
    ['an Option has to be unwrapped first', 'let xs = ["a"]\nxs[0].len()', [missing('len', 'Option[Str]')]],
    ['an Option of a list gives its element', 'let n: int = [1].first().unwrap_or(0) + [2][0].unwrap()', []],
    ['a value of unknown type has none', 'let f = s => s.len()', [missing('len', '<unknown>')]],
    ['characters of a str have none', 'for c in "ab" { print(c.ord()) }', [missing('ord', 'Char')]],
    ['but unify with str', 'let mut out: list[str] = []\nfor c in "ab" { out.push(c) }', []],
    [
      'an empty list takes the first element pushed',
      'let mut xs = []\nxs.push(1)\nxs.push("a")',
      [`${ARGUMENT} Cannot unify Int with Str`],
    ],
    [
      'a lambda takes its parameters from the receiver',
      'let n: int = [1].map(x => x + 1).fold(0, (a, x) => a + x)',
      [],
    ],
    ['reverse gives nothing', 'let b: list[int] = [1].reverse()', [`${LET} Cannot unify Unit with List(Int)`]],
    [
      'an object is a record',
      'let p = {x: 1}\nprint(p.x + 1, p.get("x"), p.keys())\np.len()',
      [missing('len', 'Record([("x", Int)])')],
    ],
    [
      'a record has its fields only',
      'let p = {x: 1}\nprint(p.z)',
      [`uncoded: Field 'z' not found on Record([("x", Int)])`],
    ],
    [
      'a record’s function is called like a method',
      'let p = {f: fn(x: int) to int { return x }}\nlet n: int = p.f(1)\np.f("a")',
      [`${ARGUMENT} Cannot unify Int with Str`],
    ],
    [
      'an annotated object is a map',
      'let m: Map[str, int] = {a: 1}\nlet n: int = m.get_or("a", 0) + m["a"].unwrap() + m.len()',
      [],
    ],
    ['map keys are str', 'let m: Map[int, int] = {}', [`${LET} Cannot unify Int with Str`]],
    ['map values are compared', 'let m: Map[str, int] = {a: "x"}', [`${LET} Cannot unify Str with Int`]],
    ['lists have no fields', 'print([1].len)', ["uncoded: Cannot access field 'len' on List(Int)"]],
  ]
  test.each(rows)('%s', (_name, body, errors) => {
    expect(errorsOf(inMain(body))).toEqual(errors)
  })

  test('a field of an untyped parameter needs an annotation', () => {
    const [error] = errorsOf('fn f(o) { return o.zz }')
    expect(error).toMatch(/^uncoded: Type inference requires more type annotations/)
  })

  test('a field read before its type is known is settled afterwards', () => {
    expect(errorsOf(inMain('let f = o => o.x\nprint(f({x: 1}))'))).toEqual([])
    expect(errorsOf(inMain('let f = o => o.y\nprint(f({x: 1}))'))).toEqual([
      `uncoded: Field 'y' not found on Record([("x", Int)])`,
    ])
  })
})

describe('declared types', () => {
  const types = 'type Pt { x: int, y: int }\ntype Shape = | Dot | Box(w: int, h: int)\n'

  test('an object fits an expected struct whatever its fields are', () => {
    expect(errorsOf(`${types}fn mk() to Pt { return {x: "s", z: 3} }`)).toEqual([])
    expect(errorsOf(`${types}fn s(p: Pt) to int { return p.x + p.y }\n${inMain('s({x: 1})')}`)).toEqual([])
  })

  test('but an annotated let compares it', () => {
    expect(errorsOf(types + inMain('let p: Pt = {x: 1, y: 2}'))).toEqual([
      `${LET} Cannot unify Record([("x", Int), ("y", Int)]) with Named("Pt")`,
    ])
  })

  test('a struct has its own fields', () => {
    expect(errorsOf(`${types}fn f(p: Pt) to str { return p.q }`)).toEqual([
      "uncoded: Field 'q' not found on struct Pt",
      `${RETURN} Cannot unify error type with str`,
    ])
  })

  test('variants are constants or functions', () => {
    expect(errorsOf(`${types}fn f(n: int) to Shape { if n == 1 { return Dot } return Box(n, n) }`)).toEqual([])
    expect(errorsOf(`${types}fn f() to Shape { return Box(1) }`)).toEqual([`${COUNT} expected 2 arguments, found 1`])
    expect(errorsOf(`${types}fn f() to Shape { return Box(1, "a") }`)).toEqual([
      `${ARGUMENT} Cannot unify Int with Str`,
    ])
  })

  test('a match binds the fields of a variant', () => {
    const area = `${types}fn area(s: Shape) to int { match s { Dot => 0 Box(w, h) => { return w * h + "".len() } } }`
    expect(errorsOf(area)).toEqual([])
  })
})

describe('match', () => {
  const shape = 'type Shape = | Dot | Box(w: int)\n'
  const missing = (what: string): string => `E0301: Non-exhaustive match on ${what}`
  const rows: readonly Row[] = [
    [
      'an Option needs both cases',
      'match Some(1) { Some(v) => v }',
      [missing("type 'Option'. Missing variant(s): None")],
    ],
    ['only the outer constructor counts', 'match Some(1) { Some(1) => 1 None => 2 }', []],
    ['a binding or `_` covers the rest', 'match Some(1) { None => 1 v => 2 }\nmatch Some(1) { None => 1 _ => 2 }', []],
    [
      'a Result takes Err or Error',
      'match Ok(1) { Ok(v) => 1 Err(e) => 2 }\nmatch Ok(1) { Ok(v) => 1 Error(e) => 2 }',
      [],
    ],
    ['a Result needs both cases', 'match Ok(1) { Error(e) => 1 }', [missing("type 'Result'. Missing variant(s): Ok")]],
    [
      'a user’s type needs all of its variants',
      'match Dot { Dot => 1 }',
      [missing("type 'Shape'. Missing variant(s): Box")],
    ],
    ['a bool needs a binding', 'match true { b => 1 }', []],
    ['ints are not checked', 'match 1 { 1 => "a" }', []],
    [
      'a constructor nobody declared is refused',
      'match 5 { Foo => 1 _ => 2 }',
      ['uncoded: Unknown constructor or pattern mismatch: Foo on Int'],
    ],
    ['a known one of another type is not', 'match 5 { Some(x) => 1 Box(w) => 2 _ => 3 }', []],
    ['a tuple pattern needs a tuple', 'match 5 { (a, b) => 1 }', ['uncoded: Cannot destructure non-tuple type Int']],
    [
      'also when that arm leaves',
      'let v = match Some(1) { None => return 0 Some(x) => x }\nprint(v + 1)',
      ['uncoded: Invalid operands for +: Never and Int'],
    ],
    ['the value has the type of the first arm', 'let s: str = match 1 { 1 => "x" _ => 2 }', []],
  ]
  test.each(rows)('%s', (_name, body, errors) => {
    expect(errorsOf(shape + inMain(body))).toEqual(errors)
  })

  test('missing cases are listed for tools', () => {
    const checked = check(inMain('match Some(1) { Some(v) => v }'))
    expect(checked.kind === 'rejected' && checked.diagnostics.map((each) => each.missingCases)).toEqual([['None']])
  })

  test('a needless `_` is a warning', () => {
    const checked = check(`${shape}fn f(s: Shape) to int { match s { Dot => 1 Box(w) => 2 _ => 3 } }`)
    expect(checked).toMatchObject({ kind: 'accepted', warnings: [{ severity: 'warning' }] })
  })
})

describe('`?`', () => {
  test('unwraps in a function of the same kind', () => {
    expect(errorsOf('fn f(xs: list[int]) to Option[int] { let a = xs[0]?\nreturn Some(a + 1) }')).toEqual([])
  })

  test('is refused in a function of another kind, and on other values', () => {
    const wrong = 'uncoded: Cannot use `?` operator on Option in a function that does not return an Option'
    expect(errorsOf('fn f(xs: list[int]) to int { let a = xs[0]?\nreturn a }')).toEqual([wrong])
    expect(errorsOf('fn f(x: int) to Option[int] { let a = x?\nreturn Some(1) }')).toEqual([
      'uncoded: `?` can only be used on Result or Option types; found incompatible type (Int)',
    ])
  })
})

describe('functions', () => {
  test('one may be used before it is declared', () => {
    expect(errorsOf('fn a(n: int) to int { return b(n) }\nfn b(n: int) to int { return a(n) }')).toEqual([])
  })

  test('a generic function takes a new type at each call', () => {
    const id = 'fn id<T>(x: T) to T { return x }\n'
    expect(errorsOf(id + inMain('let n: int = id(1)\nlet s: str = id("a")'))).toEqual([])
    expect(errorsOf(id + inMain('let s: str = id(1)'))).toEqual([`${LET} Cannot unify Int with Str`])
  })

  test('without annotations little can be done with parameters and results', () => {
    expect(errorsOf('fn f(a, b) { return a * b }')).toEqual([])
    expect(errorsOf('fn f(a, b) { return a + b }')[0]).toMatch(/Invalid operands for \+: TypeVar/)
    expect(errorsOf(`fn f(n: int) { return n }\n${inMain('print(f(1) + 1)')}`)[0]).toMatch(/Invalid operands for \+/)
  })

  test('defaults do not make an argument optional', () => {
    expect(errorsOf(`fn f(a: int, b: int = 5) to int { return a }\n${inMain('f(1)')}`)).toEqual([
      `${COUNT} expected 2 arguments, found 1`,
    ])
  })

  test('top-level statements make a main of their own, which other functions do not see into', () => {
    expect(errorsOf('let limit = 3\nfn over(n: int) to bool { return n > limit }')).toEqual([`${UNDEFINED} limit`])
    expect(errorsOf('let a = 2\nprint(a + 1)')).toEqual([])
  })

  test('a parse failure is told as such', () => {
    expect(check('fn main( {')).toMatchObject({ kind: 'rejected', diagnostics: [{ severity: 'error' }] })
  })
})

describe('host namespaces', () => {
  test('known calls are typed', () => {
    expect(errorsOf(inMain('let s: str = json.stringify([1])\nprocess.exit(0)'))).toEqual([])
    expect(errorsOf(inMain('process.exit("a")'))).toEqual([`${ARGUMENT} Cannot unify Int with Str`])
  })

  test('what is not known of them is unsupported, never a guess', () => {
    expect(errorsOf(inMain('regex.is_match("a", "b")'))).toEqual(['unsupported: regex.is_match'])
    expect(errorsOf(inMain('std.time.now_ms()'))[0]).toMatch(/^unsupported: std\.time/)
  })

  test('a namespace that is not in scope is an unknown name', () => {
    expect(errorsOf(inMain('time.now_ms()'))[0]).toBe(`${UNDEFINED} time`)
  })
})

test('errors do not stop the pass, and warnings come with them', () => {
  const checked = check(inMain('let a: int = "s"\nif a == zz { print(qq) }'))
  const shown = checked.kind === 'rejected' ? checked.diagnostics.map((each) => each.severity) : []
  expect(shown).toEqual(['error', 'error', 'error', 'warning'])
})

test('a diagnostic points at what is wrong', () => {
  const source = inMain('print(foo)')
  const checked = check(source)
  const [first] = checked.kind === 'rejected' ? checked.diagnostics : []
  expect(source.slice(first?.span.start, first?.span.end)).toBe('foo')
})
