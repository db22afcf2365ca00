import { expect, test } from 'vitest'
import { example } from '../../src/generate/help/example.ts'
import { check } from '../../src/language/check.ts'
import { run } from '../../src/language/run.ts'

/** What the help texts teach must be true: each claim is a program that has to be accepted and print this. */
function print(program: string): string {
  const checked = check(program)
  expect(checked.kind, JSON.stringify(checked)).toBe('accepted')
  let text = ''
  const result = run(program, {
    write: (piece) => {
      text += piece
      return true
    },
    limits: { steps: 1_000_000, depth: 1024, memoryBytes: 1e8 },
  })
  expect(result, text).toMatchObject({ kind: 'exited', exit: 0 })
  return text
}

const inMain = (body: string, declarations = '') => `${declarations}\nfn main() {\n${body}\n}\n`

test('the worked example does what its task says', () => {
  const program = /```vox\n([\s\S]*?)```/.exec(example.text)?.[1] ?? ''
  const main = `
fn main() {
    print(sum_entries(["a=1", "b=2", "a=3"]))
    print(sum_entries(["a=1", "b"]))
    print(sum_entries([]))
}`
  expect(print(program + main)).toBe('Ok([1. a: 4, 2. b: 2])\nErr(cannot read b)\nOk([])\n')
})

const shapes = `type Shape = | Dot | Box(w: int, h: int)
type Point { x: int, y: int }
fn area(s: Shape) to int {
    match s {
        Dot => { return 0 }
        Box(w, h) => { return w * h }
    }
}
fn point(x: int) to Point { return {x: x, y: 2} }`
const results = `fn positive(x: int) to Result[int, str] {
    if x > 0 { return Ok(x) }
    return Error("bad")
}
fn next(x: int) to Result[int, str] {
    let v = positive(x)?
    return Ok(v + 1)
}`

test.each([
  [
    'options',
    inMain('let xs: list[int] = [7]\nprint(xs[0].unwrap() + 1, xs[5].unwrap_or(0), xs[-1], "ab"[1])'),
    '8 0 None Some(b)\n',
  ],
  [
    'operators',
    inMain('print(1 is 1, 1 isnt 2, not (1 is 2), true and false, false or true, "n" + 1)'),
    'true true true false true n1\n',
  ],
  ['bindings', inMain('let mut n: int = 4\nn += 2\nn -= 1\nn *= 6\nn /= 4\nprint(n)'), '7\n'],
  ['values', inMain('let mut xs: list[int] = [1]\nlet ys = xs\nxs.push(2)\nprint(xs, ys)'), '[1, 2] [1]\n'],
  [
    'control',
    inMain(
      'for i in range(0, 2) { print(i) }\nfor x, i in [5, 6] { if x is 5 { continue }\nprint(x * i) }\nlet mut n: int = 0\nloop { n += 1\nif n > 2 { break } }\nprint(n)',
    ),
    '0\n1\n6\n3\n',
  ],
  [
    'else if',
    inMain('let n: int = 2\nif n is 1 { print("a") } else if n is 2 { print("b") } else { print("c") }'),
    'b\n',
  ],
  [
    'match',
    inMain('match 3 {\n 1 => print("one")\n _ => print("many")\n}\nmatch "x" {\n "x" => { print("ex") }\n _ => {}\n}'),
    'many\nex\n',
  ],
  [
    'strings',
    inMain(
      'let name: str = "bob"\nprint("hi {name}", "a,b".split(","), "héé".chars_count(), "abc".slice(1, 9), "7".to_int(), "abc".index_of("c"), "c".ord(), chr(65))',
    ),
    'hi bob [a, b] 3 bc Some(7) Some(2) 99 A\n',
  ],
  [
    'more string methods',
    inMain(
      'let s: str = " Hi "\nprint(s.trim().to_upper(), s.trim_start() + "|", s.contains("H"), "ab".repeat(2), "aXa".replace("X", "-"), "aa".count("a"), "a1".is_alnum(), "ab".char_at(1), "2.5".to_float(), "x".ends_with("x"), "".is_empty())',
    ),
    'HI Hi | true abab a-a 2 true Some(b) Some(2.5) true true\n',
  ],
  [
    'list statements',
    inMain(
      'let mut xs: list[int] = [3, 1, 2]\nxs.push(9)\nxs.extend([8])\nxs[0] = 5\nxs.remove(1)\nxs.remove_at(0)\nxs.reverse()\nprint(xs)',
    ),
    '[8, 9, 2]\n',
  ],
  [
    'list values',
    inMain(
      'let xs: list[int] = [3, 1, 2]\nprint(xs.get(0), xs.first(), xs.last(), xs.max(), xs.min(), xs.contains(1), xs.index(7), xs.count(3), xs.reversed(), xs.sorted(), xs.sum(), xs.slice_list(1), [[1], [2]].flatten(), ["a", "b"].join("-"))',
    ),
    'Some(3) Some(3) Some(2) Some(3) Some(1) true -1 1 [2, 1, 3] [1, 2, 3] 6 [1, 2] [1, 2] a-b\n',
  ],
  [
    'lambdas',
    inMain(
      'let xs: list[int] = [3, 1, 2]\nprint(xs.map(x => x * 2), xs.filter(fn(x: int) to bool { return x > 1 }), xs.any(x => x > 2), xs.all(x => x > 2), xs.fold(0, fn(acc: int, x: int) to int { return acc + x }), xs.sorted_by(fn(a: int, b: int) to int { return b - a }), xs.sorted_by_key(fn(a: int) to int { return 0 - a }))',
    ),
    '[6, 2, 4] [3, 2] true false 6 [3, 2, 1] [3, 2, 1]\n',
  ],
  [
    'pairs',
    inMain(
      'for p in ["a"].enumerate() { print(p) }\nfor p in [1].zip([2]) { print(p) }\nlet (a, b) = (1, 2)\nprint(a + b)',
    ),
    '[0, a]\n[1, 2]\n3\n',
  ],
  [
    'rows of a matrix',
    inMain(
      'let mut g: list[list[int]] = [[1, 2], [3, 4]]\nlet mut row = g[1].unwrap()\nrow[0] = 9\ng[1] = row\nprint(g)',
    ),
    '[[1, 2], [9, 4]]\n',
  ],
  [
    'numbers',
    inMain(
      'print(-7 / 2, -7 % 2, float(3) / 2.0, int("12"), int("x"), max(2, 3), min(2, 3), abs(-4), floor(2.7), (5).min(2), (2.25).sqrt())',
    ),
    '-3 -1 1.5 12 0 3 2 4 2 2 1.5\n',
  ],
  ['types', inMain('print(area(Box(2, 3)), area(Dot), point(1).y)', shapes), '6 0 2\n'],
  [
    'results',
    inMain(
      'match positive(0) {\n Ok(v) => { print(v) }\n Err(e) => { print(e) }\n}\nprint(next(0), next(3), positive(2).is_ok(), positive(0).unwrap_err(), positive(2).map(x => x + 1))',
      results,
    ),
    'bad\nErr(bad) Ok(4) true bad Ok(3)\n',
  ],
  [
    'option methods',
    inMain('let o = [1][0]\nprint(o.is_some(), o.is_none(), o.map(x => x + 1), o.filter(x => x > 3), o.expect("x"))'),
    'true false Some(2) None 1\n',
  ],
  [
    'maps',
    inMain(
      'let mut m: Map[str, int] = {}\nm["a"] = 1\nm.insert("b", 2)\nm.remove("a")\nprint(m["b"], m.get("x"), m.get_or("x", 0), m.contains_key("b"), m.keys(), m.values(), m.len())\nfor e in m { match e { (k, v) => { print(k, v) } } }',
    ),
    'Some(2) None 0 true [b] [2] 1\nb 2\n',
  ],
  ['raw strings and comments', inMain('# a comment\nprint(r"a\\n", \'{x}\') // another'), 'a\\n {x}\n'],
])('%s work as taught', (_name, program, text) => {
  expect(print(program)).toBe(text)
})

test.each([
  ['arithmetic on an option', 'let xs: list[int] = [1]\nlet n: int = xs[0] + 1'],
  ['&& for and', 'print(true && false)'],
  ['an assignment to a fixed name', 'let n: int = 1\nn = 2'],
  ['a line broken behind an operator', 'let n: int = 1 +\n 2'],
  ['list + list', 'print([1] + [2])'],
  ['an int where a float is declared', 'let x: float = 1'],
  ['an incomplete match', 'match [1][0] {\n Some(v) => { print(v) }\n}'],
  ['a method on a letter of a string', 'for c in "ab" { print(c.ord()) }'],
])('%s is refused, as taught', (_name, body) => {
  expect(check(inMain(body)).kind).toBe('rejected')
})
