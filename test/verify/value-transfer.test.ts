import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { FixtureType } from '../../src/corpus/fixture.ts'
import type { Value } from '../../src/corpus/literal.ts'
import { toLiteral } from '../../src/corpus/literal.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { compose } from '../../src/verify/compose.ts'
import { createValueWriter, readTransferred } from '../../src/verify/value-transfer.ts'
import { differentValue } from '../../src/verify/value-variant.ts'
import { buildWorker } from '../engine/built-worker.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let engine: Engine
beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

const scalars: readonly (readonly [FixtureType, fc.Arbitrary<Value>])[] = [
  [{ kind: 'int' }, fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n })],
  [
    { kind: 'float' },
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((float) => (Object.is(float, -0) ? 0 : float)),
  ],
  [{ kind: 'bool' }, fc.boolean()],
  [{ kind: 'str' }, fc.string({ unit: fc.constantFrom(...'ab,.[](){}\'"\\\n\t\0é😀SNOE'), maxLength: 6 })],
]

/** A type, and values of it. */
const typed = fc.letrec<{ typed: readonly [FixtureType, fc.Arbitrary<Value>] }>((tie) => ({
  typed: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(...scalars),
    tie('typed').map(([item, values]) => [{ kind: 'list', item }, fc.array(values, { maxLength: 3 })] as const),
    tie('typed').map(
      ([item, values]) =>
        [
          { kind: 'option', item },
          fc.oneof(
            fc.constant<Value>({ kind: 'none' }),
            values.map((value): Value => ({ kind: 'some', value })),
          ),
        ] as const,
    ),
    tie('typed').map(
      ([item, values]) =>
        [
          { kind: 'result', item },
          fc.oneof(
            fc
              .string({ unit: fc.constantFrom('a', '(', ')', 'é'), maxLength: 4 })
              .map((value): Value => ({ kind: 'error', value })),
            values.map((value): Value => ({ kind: 'ok', value })),
          ),
        ] as const,
    ),
  ),
})).typed

test('a value written by Vox is read back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      typed.chain(([type, values]) => fc.tuple(fc.constant(type), fc.array(values, { minLength: 1, maxLength: 5 }))),
      async ([type, values]) => {
        const writer = createValueWriter(type, 'w')
        const statements = values.map((value) => `print(${writer.write(toLiteral(value, type))})`)
        const outcome = await engine.run(compose(writer.source, statements, 'end'))
        if (outcome.kind !== 'exited') throw new Error(outcome.kind)
        expect([outcome.code, outcome.stderr.head]).toEqual([0, ''])
        const lines = outcome.stdout.head.split('\n').slice(0, values.length)
        expect(lines.map((line) => readTransferred(line, type))).toEqual(values)
      },
    ),
    { numRuns: 150 },
  )
})

test('a different value is different to Vox, and of the same type', async () => {
  await fc.assert(
    fc.asyncProperty(
      typed.chain(([type, values]) => fc.tuple(fc.constant(type), values, fc.nat())),
      async ([type, value, pick]) => {
        const writer = createValueWriter(type, 'w')
        const other = toLiteral(differentValue(value, type, pick), type)
        const same = `${writer.write(toLiteral(value, type))} == ${writer.write(other)}`
        const outcome = await engine.run(compose(writer.source, [`print(${same})`], 'end'))
        expect(outcome).toMatchObject({ kind: 'exited', code: 0, stdout: { head: 'false\nend\n' } })
      },
    ),
    { numRuns: 150 },
  )
})

test.each(['', '[', '[1', '[1,]', 'S(', 'x', '1 ', 's1.', 's1114112', 'N)'])('%j is no written value', (line) => {
  const item: FixtureType = { kind: 'int' }
  for (const type of [item, { kind: 'list', item }, { kind: 'option', item }, { kind: 'str' }] as const) {
    expect(readTransferred(line, type)).toBeNull()
  }
})
