import { describe, expect, test } from 'vitest'
import { check } from '../../src/language/check.ts'
import {
  classifyDiagnostics,
  classifyText,
  FAILURE_CLASSES,
  type FailureClass,
} from '../../src/language/diagnostic-class.ts'

function classOf(source: string): FailureClass | null {
  const checked = check(source)
  return checked.kind === 'rejected' ? classifyDiagnostics(checked.diagnostics) : null
}

describe('diagnostics of the checker', () => {
  test.each<[FailureClass, string]>([
    ['parse', 'fn main( {'],
    ['parse', 'fn main() { print(!true) }'],
    ['foreign_syntax', 'const A = 1'],
    ['foreign_syntax', 'fn main() { if true { print(1) } elif false { print(2) } }'],
    ['undefined_name', 'fn main() { print(constant) }'],
    ['undefined_name', 'fn main() { print(foo.len()) }'],
    ['unknown_method', 'fn main() { print("a".substring(0, 1)) }'],
    ['unknown_field', 'fn main() { let p = {x: 1}\nprint(p.z) }'],
    ['unknown_field', 'fn main() { print([1].len) }'],
    ['arity', 'fn main() { print("a".slice(1)) }'],
    ['option_misuse', 'fn main() { let xs = [1]\nprint(xs[0] + 1) }'],
    ['option_misuse', 'fn f(xs: list[int]) to int { return xs[0] }'],
    ['option_misuse', 'fn f(xs: list[int]) to int { let a = xs[0]?\nreturn a }'],
    ['type_mismatch', 'fn f() to int { return "x" }'],
    ['type_mismatch', 'fn main() { print(true + 1) }'],
    ['type_mismatch', 'fn main() { let (a, b) = (1, 2, 3) }'],
    ['immutable_assign', 'fn main() { let x = 1\nx = 2 }'],
    ['non_exhaustive', 'fn main() { match Some(1) { Some(v) => v } }'],
  ])('%s: %s', (expected, source) => {
    expect(classOf(source)).toBe(expected)
  })

  test('warnings do not count', () => {
    const checked = check('fn main() { let a = 1 == 2; }')
    expect(checked.kind).toBe('accepted')
    expect(checked.kind === 'accepted' && classifyDiagnostics(checked.warnings)).toBe('other')
  })

  test('of several errors the earlier class of the list decides, not the earlier error', () => {
    expect(classOf('fn main() { let x: int = "a"\nprint(foo) }')).toBe('undefined_name')
  })

  test('only the first line of a message counts', () => {
    const message = 'Method `len` not found on Int.\nUndefined variable is not what this is'
    const diagnostics = [{ severity: 'error', code: null, message, span: { start: 0, end: 0 } }] as const
    expect(classifyDiagnostics(diagnostics)).toBe('unknown_method')
  })
})

describe('texts of the binary', () => {
  const failed = (what: string): string => `Error: Eval failed: ${what}`
  test.each<[FailureClass, string]>([
    ['parse', 'error[parse] Expected pattern\n --> a.vox:1:2\nError: Parsing failed with 1 error(s)'],
    ['parse', 'Error: Parse failed: [ParseError { message: "Expected pattern" }]'],
    [
      'type_mismatch',
      'error[E0001]: Return type mismatch: Cannot unify Str with Int at a.vox:1:2\nError: Check failed with 1 error(s)',
    ],
    ['option_misuse', 'error[E0001]: Argument type mismatch: Cannot unify Int with Option(Int) at a.vox:1:2'],
    ['foreign_syntax', 'error[E0001]: Undefined variable: elif at a.vox:1:2'],
    ['foreign_syntax', failed('UndefinedVariable("const")')],
    ['undefined_name', failed('UndefinedVariable("n")')],
    ['unknown_method', failed('AssertionFailed("Method chars not found")')],
    ['unknown_field', failed('AssertionFailed("Field z not found on object")')],
    ['arity', failed('ArityMismatch { expected: 1, found: 0 }')],
    ['wrong_answer', `assertion failed: Assertion failed\n${failed('AssertionFailed("assert failed")')}`],
    ['runtime_type', failed('TypeError { expected: "bool", found: "Int" }')],
    ['runtime_type', failed('AssertionFailed("unsupported binary op `Mul` for operands Option and Int")')],
    ['runtime_arith', failed('AssertionFailed("integer division by zero")')],
    ['runtime_match', failed('AssertionFailed("No match arm found")')],
    ['runtime_match', failed('AssertionFailed("Matched Some on None")')],
    ['runtime_match', failed('AssertionFailed("Pattern match literal mismatched")')],
    ['runtime_match', failed('AssertionFailed("called `Option.unwrap()` on a None value")')],
    ['budget', 'vox: execution budget exceeded; pass --max-steps / --max-depth or use --mode script'],
    ['capability', 'vox: capability denied: fs.read — grant with --caps <token>'],
    ['crash', "thread 'main' panicked at library/alloc/src/slice.rs:523:50:\ncapacity overflow"],
    ['other', ''],
  ])('%s: %s', (expected, text) => {
    expect(classifyText(text)).toBe(expected)
  })

  test('a line says one thing: a mismatch and an Option on different lines are no misuse of Options', () => {
    expect(classifyText('Type mismatch in `let`: Cannot unify Str with Int\nnote: see Option')).toBe('type_mismatch')
  })
})

test.each(['Method ', 'Field ', 'Invalid operands ', 'Matched ', 'Cannot unify ', 'UndefinedVariable('])(
  'a message that repeats %j takes no time',
  (words) => {
    const message = words.repeat(128_000 / words.length)
    const startedMs = performance.now()
    classifyText(`Error: Eval failed: AssertionFailed("${message}")`)
    classifyDiagnostics([{ severity: 'error', code: null, message, span: { start: 0, end: 0 } }])
    expect(performance.now() - startedMs).toBeLessThan(500)
  },
)

test('the list of classes is closed and free of doubles', () => {
  expect(new Set(FAILURE_CLASSES).size).toBe(FAILURE_CLASSES.length)
})
