import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outputOf } from './run-program.ts'

/**
 * Lists are values: whatever shares a list's storage inside the interpreter, a change through one name must
 * never show through another. The model below copies at every step and so cannot share anything.
 */
type Item = number | readonly Item[]
type State = Record<'a' | 'b' | 'c', readonly Item[]>
type Name = keyof State

interface Step {
  readonly text: string
  readonly next: (state: State) => State
}

const FUNCTIONS = `
fn same(xs: list[int]) { return xs }
fn through(xs: list[int]) { return same(xs) }
fn grown(xs: list[int]) { xs.push(7) return xs }
fn grown_tail(xs: list[int]) { xs.push(8) xs }
fn spoiled(xs: list[int]) { xs.push(9) xs[0] = 9 return 1 }
fn local(xs: list[int]) { let mut ys = xs
 ys.push(6)
 return ys }
fn either(c: bool, xs: list[int], ys: list[int]) { return if c { xs } else { ys } }
fn wrapped(xs: list[int]) { return Some(xs) }
fn reborn(xs: list[int]) { let zs = xs
 xs = [5]
 xs.push(5)
 return zs }
`

const name = fc.constantFrom<Name>('a', 'b', 'c')
const number = fc.integer({ min: 0, max: 9 })

function step(text: string, next: (state: State) => State): Step {
  return { text, next }
}

function set(state: State, target: Name, value: readonly Item[]): State {
  return { ...state, [target]: value }
}

const steps: readonly fc.Arbitrary<Step>[] = [
  fc.tuple(name, name).map(([x, y]) => step(`${x} = ${y}`, (s) => set(s, x, s[y]))),
  fc.tuple(name, number).map(([x, n]) => step(`${x}.push(${n})`, (s) => set(s, x, [...s[x], n]))),
  fc.tuple(name, number).map(([x, n]) => step(`${x} = ${x}.push(${n})`, (s) => set(s, x, [...s[x], n]))),
  fc.tuple(name, name, number).map(([x, y, n]) =>
    step(`${x} = ${y}.push(${n})`, (s) => {
      const pushed = [...s[y], n]
      return set(set(s, y, pushed), x, pushed)
    }),
  ),
  fc.tuple(name, number, number).map(([x, i, n]) =>
    step(`${x}[${i}] = ${n}`, (s) =>
      set(
        s,
        x,
        s[x].map((item, at) => (at === i ? n : item)),
      ),
    ),
  ),
  fc.tuple(name, name).map(([x, y]) => step(`${x}.push(${y})`, (s) => set(s, x, [...s[x], s[y]]))),
  fc.tuple(name, name).map(([x, y]) => step(`${x} = same(${y})`, (s) => set(s, x, s[y]))),
  fc.tuple(name, name).map(([x, y]) => step(`${x} = through(${y})`, (s) => set(s, x, s[y]))),
  fc.tuple(name, name).map(([x, y]) => step(`${x} = grown(${y})`, (s) => set(s, x, [...s[y], 7]))),
  fc.tuple(name, name).map(([x, y]) => step(`${x} = grown_tail(${y})`, (s) => set(s, x, [...s[y], 8]))),
  fc.tuple(name, name).map(([x, y]) => step(`${x} = local(${y})`, (s) => set(s, x, [...s[y], 6]))),
  fc.tuple(name, name).map(([x, y]) => step(`${x} = reborn(${y})`, (s) => set(s, x, s[y]))),
  fc.tuple(name, name).map(([x, y]) => step(`${x} = wrapped(${y}).unwrap()`, (s) => set(s, x, s[y]))),
  name.map((x) => step(`spoiled(${x})`, (s) => s)),
  fc
    .tuple(name, name, name, fc.boolean())
    .map(([x, y, z, c]) => step(`${x} = either(${c}, ${y}, ${z})`, (s) => set(s, x, c ? s[y] : s[z]))),
  fc
    .tuple(name, name)
    .map(([x, y]) =>
      step(`let f = fn(n: int) { ${y}.push(n) return ${y} }\n${x} = f(1)\n${x} = f(2)`, (s) => set(s, x, [...s[y], 2])),
    ),
  fc
    .tuple(name, name, number)
    .map(([x, y, n]) =>
      step(`${y} = ${x}.fold([], fn(acc, v) { acc.push(v) return acc })\n${y}.push(${n})`, (s) =>
        set(s, y, [...s[x], n]),
      ),
    ),
  fc.tuple(name, name).map(([x, y]) =>
    step(`${y} = [${x}, ${x}].map(fn(r) { r.push(3) return r })`, (s) =>
      set(s, y, [
        [...s[x], 3],
        [...s[x], 3],
      ]),
    ),
  ),
  fc.tuple(name, name).map(([x, y]) =>
    step(`for item in ${x} { if ${x}.len() < 12 { ${x}.push(4) } }\n${y} = ${x}`, (s) => {
      const grown = [...s[x], ...s[x].map(() => 4)].slice(0, Math.max(12, s[x].length))
      return set(set(s, x, grown), y, grown)
    }),
  ),
  fc.tuple(name, name).map(([x, y]) =>
    step(`${y} = [${x}]\nmatch ${y}[0] { Some(row) => { row.push(1) row[0] = 2 ${x} = row } None => {} }`, (s) => {
      const row = [...s[x], 1].map((item, at) => (at === 0 ? 2 : item))
      return set(set(s, y, [s[x]]), x, row)
    }),
  ),
  fc
    .tuple(name, name)
    .map(([x, y]) => step(`let (p, q) = (${x}, ${y})\np.push(1)\nq.push(2)\n${x} = q`, (s) => set(s, x, [...s[y], 2]))),
  fc
    .tuple(name, name)
    .map(([x, y]) =>
      step(`let o = {k: ${x}}\n${x}.push(1)\n${y} = o.k\n${y}.push(2)\n${x} = o.k`, (s) =>
        set(set(s, y, [...s[x], 2]), x, s[x]),
      ),
    ),
  name.map((x) => step(`let gone = ${x}.pop()`, (s) => set(s, x, s[x].slice(0, -1)))),
  name.map((x) => step(`${x}.reverse()`, (s) => set(s, x, [...s[x]].reverse()))),
  fc.tuple(name, name).map(([x, y]) => step(`${x}.extend(${y})`, (s) => set(s, x, [...s[x], ...s[y]]))),
]

function show(item: Item): string {
  return typeof item === 'number' ? String(item) : `[${item.map(show).join(', ')}]`
}

test('a change through one name never shows through another', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(...steps), { minLength: 1, maxLength: 12 }), (program) => {
      const start: State = { a: [1, 2], b: [3], c: [] }
      const printed = 'print(a, b, c)'
      const body = [
        'let mut a = [1, 2]',
        'let mut b = [3]',
        'let mut c = []',
        ...program.flatMap(({ text }) => [text, printed]),
      ]
      let state = start
      const expected = program.map(({ next }) => {
        state = next(state)
        return `${show(state.a)} ${show(state.b)} ${show(state.c)}\n`
      })
      expect(outputOf(`${FUNCTIONS}\nfn main() {\n${body.join('\n')}\n}\n`)).toBe(expected.join(''))
    }),
    { numRuns: 1500 },
  )
})

test('maps are values too', () => {
  const source = `fn put(m: Map[str, int]) { m["x"] = 9 return m }
fn main() {
  let mut m: Map[str, int] = {a: 1}
  let n = m
  m.insert("b", 2)
  let f = fn(k: str) { m.insert(k, 0) return m }
  print(m, n, put(m), f("q"), m)
  let o = {inner: m}
  m["a"] = 5
  print(o, m)
}`
  expect(outputOf(source)).toBe(
    '{a: 1, b: 2} {a: 1} {a: 1, b: 2, x: 9} {a: 1, b: 2, q: 0} {a: 1, b: 2}\n{inner: {a: 1, b: 2}} {a: 5, b: 2}\n',
  )
})

test.each([
  ['unwrap', 'let r = g[0].unwrap()'],
  ['unwrap_or', 'let r = g[0].unwrap_or([])'],
  ['expect', 'let r = g.first().expect("x")'],
  ['?', 'let r = g.last()?'],
  ['pop', 'let h = g\nlet r = h.pop()'],
  ['a pattern', 'let Some(r) = g[0]'],
  ['a record pattern', 'let (r, n) = (g[0].unwrap(), 1)'],
  ['a for loop', 'let mut r = []\nfor x in g { x.push(2) r = x }'],
  ['get_or', 'let r = m.get_or("k", [])'],
  ['a field', 'let r = m.k'],
  ['fold', 'let r = g.fold([], fn(acc, x) x)'],
  ['max', 'let r = max(g)'],
  ['reversed', 'let r = g.reversed()[0].unwrap()'],
  ['Result', 'let r = Ok(g[0].unwrap()).unwrap()'],
])('a list taken out by %s leaves the one inside as it is', (_how, take) => {
  const source = `fn main() { let g = [[1]]\nlet m = {k: [1]}\n${take}\nr.push(9)\nr[0] = 8\nprint(g, m) }`
  expect(outputOf(source)).toBe('[[1]] {k: [1]}\n')
})

test.each([
  ['map', 'g.map(fn(r) { r.push(2) return r })', '[[1, 2]]'],
  ['filter', 'g.filter(fn(r) { r.push(2) return true })', '[[1]]'],
  ['fold', 'g.fold(0, fn(acc, r) { r.push(2) return acc + r.len() })', '2'],
  ['any', 'g.any(fn(r) { r.push(2) return false })', 'false'],
  ['sorted_by', '[[1], [0]].sorted_by(fn(a, b) { a.push(2) b.push(3) return 1 })', '[[0], [1]]'],
  ['sorted_by_key', 'g.sorted_by_key(fn(r) { r.push(2) return 1 })', '[[1]]'],
  ['Option.map', 'g[0].map(fn(r) { r.push(2) return r })', 'Some([1, 2])'],
  ['Option.filter', 'g[0].filter(fn(r) { r.push(2) return true })', 'Some([1])'],
])('a function given to %s changes a copy', (_method, call, expected) => {
  expect(outputOf(`fn main() { let g = [[1]]\nprint(${call}, g) }`)).toBe(`${expected} [[1]]\n`)
})

test('an argument keeps its value while later arguments change the variable', () => {
  expect(
    outputOf(
      'fn f(a: list[int], b: list[int]) { return (a, b) }\nfn main() { let xs = [1]\n print(f(xs, xs.push(2)), xs) }',
    ),
  ).toBe('([1], [1, 2]) [1, 2]\n')
  expect(
    outputOf('fn main() { let xs = [1]\n print(xs, xs.push(2), xs == xs.push(3), xs.zip(xs.push(4)).len()) }'),
  ).toBe('[1] [1, 2] false 3\n')
})
