import fc from 'fast-check'
import { expect, test } from 'vitest'
import { observe, outputOf } from './run-program.ts'

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n
const SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** Everywhere, and thick where the representation or the range changes. */
const int64 = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: MIN, max: MAX }),
  fc
    .tuple(
      fc.constantFrom(MIN, MAX, SAFE, -SAFE, 2n ** 31n, -(2n ** 31n), 2n ** 32n, 3037000499n),
      fc.bigInt({ min: -3n, max: 3n }),
    )
    .map(([edge, offset]) => {
      const value = edge + offset
      return value < MIN ? MIN : value > MAX ? MAX : value
    }),
)

/** The smallest int has no literal. */
const literal = (value: bigint): string =>
  value === MIN ? `(-${MAX} - 1)` : value < 0n ? `(0 - ${-value})` : String(value)

type Outcome = { readonly value: bigint } | { readonly error: string }

function inRange(value: bigint, error: string): Outcome {
  return value < MIN || value > MAX ? { error } : { value }
}

const OPERATORS: Readonly<Record<string, (a: bigint, b: bigint) => Outcome>> = {
  '+': (a, b) => inRange(a + b, `integer overflow: ${a} + ${b}`),
  '-': (a, b) => inRange(a - b, `integer underflow: ${a} - ${b}`),
  '*': (a, b) => inRange(a * b, `integer overflow: ${a} * ${b}`),
  '/': (a, b) =>
    b === 0n ? { error: 'integer division by zero' } : inRange(a / b, `integer division overflow: ${a} / ${b}`),
  '%': (a, b) => {
    if (b === 0n) return { error: 'integer modulo by zero' }
    return a === MIN && b === -1n ? { error: `integer modulo overflow: ${a} % ${b}` } : { value: a % b }
  },
}

test.each(Object.keys(OPERATORS))('%s is that of checked 64-bit ints', (operator) => {
  fc.assert(
    fc.property(int64, int64, (a, b) => {
      const expected = OPERATORS[operator]?.(a, b) ?? { error: 'no such operator' }
      const { result, stdout } = observe(
        `fn main() { let a = ${literal(a)}\n let b = ${literal(b)}\n print(a ${operator} b) }`,
      )
      if ('value' in expected)
        expect([result, stdout]).toEqual([expect.objectContaining({ exit: 0 }), `${expected.value}\n`])
      else
        expect(result).toMatchObject({ exit: 1, stderr: `Error: Eval failed: AssertionFailed("${expected.error}")\n` })
    }),
    { numRuns: 400 },
  )
})

test('comparisons, equality, order, text and sums of ints agree with those of bigints', () => {
  fc.assert(
    fc.property(fc.array(int64, { minLength: 2, maxLength: 6 }), (values) => {
      const [a = 0n, b = 0n] = values
      const sorted = [...values].sort((x, y) => (x < y ? -1 : x > y ? 1 : 0))
      const sum = BigInt.asIntN(
        64,
        values.reduce((x, y) => x + y, 0n),
      )
      const [, larger = a] = [a, b].sort((x, y) => (x < y ? -1 : 1))
      const source = `fn main() { let xs = [${values.map(literal).join(', ')}]
 let a = ${literal(a)}
 let b = ${literal(b)}
 print(a < b, a > b, a <= b, a >= b, a == b, a != b)
 print(xs.sorted(), xs.sum(), max(a, b), a.max(b), xs.contains(b), xs.index(a))
 print(a.to_str().to_int() == Some(a), -(-a) == a, int(str(b)) == b) }`
      const printed = [
        [a < b, a > b, a <= b, a >= b, a === b, a !== b].join(' '),
        `[${sorted.join(', ')}] ${sum} ${larger} ${larger} true 0`,
        'true true true',
      ]
      expect(outputOf(source)).toBe(`${printed.join('\n')}\n`)
    }),
    { numRuns: 300 },
  )
})

test('an int beside a float is the nearest float', () => {
  fc.assert(
    fc.property(int64, fc.constantFrom('0.5', '1.0', '3.25', '1000000.0'), (a, text) => {
      const b = Number(text)
      const x = Number(a)
      const source = `fn main() { let a = ${literal(a)}
 print(a + ${text} == float(a) + ${text}, a < ${text}, ${text} >= a, a == ${text}, (a * ${text}) == (float(a) * ${text}), int(float(a))) }`
      const back = x >= 2 ** 63 ? MAX : BigInt(x)
      expect(outputOf(source)).toBe(`true ${x < b} ${b >= x} ${x === b} true ${back}\n`)
    }),
  )
})

test('zero has no sign', () => {
  expect(
    outputOf(
      'fn main() { let z = 0\n print(-z, 0 * -5, -4 % 2, 0 / -3, str(-z) + "", [-z].contains(0), 1.0 / float(0 * -1)) }',
    ),
  ).toBe('0 0 0 0 0 true inf\n')
})

test.each([
  ['[3, 1.5, 1, 2.5]', '[3, 1.5, 1, 2.5]'],
  ['[3, 1, "b", "a", 2]', '[1, 3, a, b, 2]'],
  ['[true, false, true]', '[true, false, true]'],
  ['["b", "🙂", "\uFFFF", "a"]', '[a, b, \uFFFF, 🙂]'],
])('%s sorts as Rust’s insertion does', (list, sorted) => {
  expect(outputOf(`fn main() { print(${list}.sorted()) }`)).toBe(`${sorted}\n`)
})

test('a long list of mixed kinds is refused, one without an order stays', () => {
  expect(observe('fn main() { let mut xs = range(30)\n xs.push(0.5)\n print(xs.sorted()) }').result.kind).toBe(
    'unsupported',
  )
  expect(outputOf('fn main() { print(range(30).map(fn(n) n > 3).sorted().len()) }')).toBe('30\n')
})
