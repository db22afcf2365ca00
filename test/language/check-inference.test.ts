import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createInference,
  freshVariable,
  type Inference,
  instantiate,
  join,
  resolve,
  unify,
} from '../../src/language/checker/inference.ts'
import {
  BOOL,
  CHAR,
  ERROR,
  FLOAT,
  fn,
  generic,
  INT,
  list,
  map,
  NEVER,
  named,
  option,
  record,
  result,
  STR,
  type Type,
  tuple,
} from '../../src/language/checker/type.ts'
import { debugText, mismatchText, receiverText, sourceText } from '../../src/language/checker/type-text.ts'

const leaf = fc.constantFrom(INT, FLOAT, STR, BOOL, named('Pt'))
const closedType: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie('type').map(list),
    tie('type').map(option),
    fc.tuple(tie('type'), tie('type')).map(([a, b]) => result(a, b)),
    fc.array(tie('type'), { maxLength: 3 }).map(tuple),
    fc.tuple(fc.array(tie('type'), { maxLength: 3 }), tie('type')).map(([params, value]) => fn(params, value)),
  ),
})).type

const text = (inference: Inference, left: Type, right: Type): string => {
  const mismatch = unify(inference, left, right)
  return mismatch === null ? 'equal' : mismatchText(inference, mismatch)
}

describe('unify', () => {
  test('is reflexive and symmetric in its verdict', () => {
    fc.assert(
      fc.property(closedType, closedType, (a, b) => {
        expect(unify(createInference(), a, a)).toBeNull()
        expect(unify(createInference(), a, b) === null).toBe(unify(createInference(), b, a) === null)
      }),
    )
  })

  test('binds a variable to the type it meets, in every place', () => {
    fc.assert(
      fc.property(closedType, (type) => {
        const inference = createInference()
        const free = freshVariable(inference)
        expect(unify(inference, fn([free], list(free)), fn([type], list(type)))).toBeNull()
        expect(debugText(inference, free)).toBe(debugText(inference, type))
      }),
    )
  })

  test('refuses a type that contains itself', () => {
    const inference = createInference()
    const free = freshVariable(inference)
    expect(text(inference, free, list(free))).toMatch(/occurs check failed/)
    expect(unify(inference, free, free)).toBeNull()
  })

  test('says which parts differ', () => {
    expect(text(createInference(), list(INT), list(STR))).toBe('Cannot unify Int with Str')
    expect(text(createInference(), list(INT), option(INT))).toBe('Cannot unify List(Int) with Option(Int)')
    expect(text(createInference(), tuple([INT]), tuple([]))).toBe('Tuple size mismatch: expected 1, got 0')
    expect(text(createInference(), ERROR, list(INT))).toBe('Cannot unify error type with List[int]')
  })

  test('knows the pairs that are equal by convention', () => {
    expect(unify(createInference(), CHAR, STR)).toBeNull()
    expect(unify(createInference(), NEVER, INT)).toBeNull()
    expect(unify(createInference(), record(['a'], [INT]), map(STR, INT))).toBeNull()
    expect(unify(createInference(), record(['a'], [INT]), record(['a', 'b'], [INT, STR]))).toBeNull()
    expect(unify(createInference(), record(['b'], [INT]), record(['a'], [INT]))).not.toBeNull()
  })

  test('takes shared types in linear time', () => {
    const inference = createInference()
    let [a, b]: [Type, Type] = [INT, INT]
    for (let depth = 0; depth < 400; depth++) [a, b] = [tuple([a, a]), tuple([b, b])]
    expect(unify(inference, a, b)).toBeNull()
    expect(inference.isExhausted).toBe(false)
    expect(debugText(inference, a).length).toBeLessThan(10_000)
  })

  test('gives up on types too deep rather than overflow', () => {
    const inference = createInference()
    let [a, b]: [Type, Type] = [INT, INT]
    for (let depth = 0; depth < 50_000; depth++) [a, b] = [list(a), list(b)]
    unify(inference, a, b)
    expect(inference.isExhausted).toBe(true)
  })

  test('follows long chains of variables', () => {
    const inference = createInference()
    let last = freshVariable(inference)
    const first = last
    for (let count = 0; count < 50_000; count++) {
      const next = freshVariable(inference)
      unify(inference, last, next)
      last = next
    }
    unify(inference, last, INT)
    expect(resolve(inference, first)).toBe(INT)
  })
})

test('join widens numbers, also inside lists', () => {
  const inference = createInference()
  expect(join(inference, INT, FLOAT)?.kind).toBe('float')
  expect(debugText(inference, join(inference, list(list(INT)), list(list(FLOAT))) ?? ERROR)).toBe('List(List(Float))')
  expect(join(inference, INT, STR)).toBeNull()
})

test('instantiate gives the same parameter the same variable, and a new one each time', () => {
  const inference = createInference()
  const pair = instantiate(inference, tuple([generic(0), generic(0), generic(1)]))
  expect(pair.args[0]).toBe(pair.args[1])
  expect(pair.args[0]).not.toBe(pair.args[2])
  expect(instantiate(inference, generic(0))).not.toBe(pair.args[0])
  expect(debugText(inference, instantiate(inference, list(generic(0)), [INT]))).toBe('List(Int)')
})

test('types have three notations', () => {
  const inference = createInference()
  const type = option(result(list(INT), STR))
  expect(debugText(inference, type)).toBe('Option(Result(List(Int)))')
  expect(sourceText(inference, type)).toBe('Option[Result[List[int]]]')
  expect(receiverText(inference, option(freshVariable(inference)))).toBe('Option[<unknown>]')
})
