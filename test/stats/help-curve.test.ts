import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitHelpCurve, type HelpRung } from '../../src/stats/help-curve.ts'
import { createRandom } from '../../src/stats/random.ts'

const OPTIONS = { targets: [0.5, 0.8], alpha: 0.05, seed: 7, resamples: 400 }

/** Rungs on which the first `passed` of so many units pass. */
function rungs(units: number, passed: Readonly<Record<number, number>>): HelpRung[] {
  return Object.entries(passed).map(([tokens, count]) => ({
    tokens: Number(tokens),
    values: Array.from({ length: units }, (_, unit) => (unit < count ? 1 : 0)),
  }))
}

const needed = (ladder: readonly HelpRung[], options = OPTIONS) => fitHelpCurve(ladder, options).needed

test('the help needed lies on the line between two rungs, in tokens', () => {
  const [half, most] = needed(rungs(10, { 0: 0, 100: 4, 300: 6, 1000: 10 }))
  expect(half).toMatchObject({ kind: 'reached', target: 0.5, tokens: 200 })
  expect(most).toMatchObject({ kind: 'reached', target: 0.8, tokens: 650 })
})

test('rungs that fall are fitted by their mean before anything is read from them', () => {
  const { points, needed } = fitHelpCurve(rungs(10, { 0: 0, 100: 8, 200: 4, 300: 10 }), OPTIONS)
  expect(points.map(({ rate }) => rate)).toEqual([0, 0.8, 0.4, 1])
  for (const [index, fit] of [0, 0.6, 0.6, 1].entries()) expect(points[index]?.fit).toBeCloseTo(fit, 12)
  expect(needed[1]).toMatchObject({ kind: 'reached', tokens: expect.closeTo(250, 9) })
})

test('what is reached without help takes 0 tokens', () => {
  expect(needed(rungs(10, { 0: 6, 100: 7, 300: 9 }))[0]).toMatchObject({ kind: 'reached', tokens: 0, low: 0 })
})

test('what the most help does not reach is unknown, and so is what the least help is past', () => {
  expect(needed(rungs(10, { 0: 0, 100: 1, 300: 7 }))[1]).toMatchObject({
    kind: 'unknown',
    reason: 'not reached with the most help',
  })
  expect(needed(rungs(10, { 50: 6, 100: 7, 300: 9 }))[0]).toMatchObject({
    kind: 'unknown',
    reason: 'reached already with the least help',
  })
})

test('two amounts of help are no curve, even from three rungs', () => {
  const twice = [...rungs(10, { 0: 0, 300: 9 }), ...rungs(10, { 0: 1 })]
  expect(needed(twice)[0]).toMatchObject({ kind: 'unknown', reason: 'needs at least 3 amounts of help, there are 2' })
})

test('rungs with as many tokens count as one, with their mean', () => {
  const { points } = fitHelpCurve([...rungs(10, { 0: 0, 300: 9, 500: 10 }), ...rungs(10, { 0: 4 })], OPTIONS)
  expect(points.map(({ tokens, rate }) => [tokens, rate])).toEqual([
    [0, 0.2],
    [300, 0.9],
    [500, 1],
  ])
})

test('an interval is open where resamples need more help than there is', () => {
  const [, most] = needed(rungs(10, { 0: 0, 100: 4, 300: 8 }))
  expect(most).toMatchObject({ kind: 'reached', tokens: 300, high: null })
})

test('a subject that passes nothing without help and everything with it still gets an interval of some width', () => {
  const [half] = needed(rungs(40, { 0: 0, 394: 0, 788: 40, 1119: 40 }))
  expect(half).toMatchObject({ kind: 'reached', tokens: 591 })
  if (half?.kind !== 'reached' || half.low === null || half.high === null) throw new Error('no closed interval')
  expect(half.low).toBeLessThan(590)
  expect(half.high).toBeGreaterThan(592)
})

const anyLadder = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 6 })).chain(([units, count]) =>
  fc.array(
    fc.record({
      tokens: fc.integer({ min: 0, max: 3 }).map((step) => step * 400),
      values: fc.array(fc.constantFrom(0, 0.25, 0.5, 1), { minLength: units, maxLength: units }),
    }),
    { minLength: count, maxLength: count },
  ),
)

test('a fit never falls, and a higher target never takes less help', () => {
  fc.assert(
    fc.property(anyLadder, (ladder) => {
      const { points, needed } = fitHelpCurve(ladder, { ...OPTIONS, resamples: 100 })
      for (const [index, { fit }] of points.entries()) expect(fit).toBeGreaterThanOrEqual(points[index - 1]?.fit ?? 0)
      const [half, most] = needed
      if (half?.kind === 'reached' && most?.kind === 'reached') {
        expect(most.tokens).toBeGreaterThanOrEqual(half.tokens)
      }
    }),
  )
})

test('an interval contains its estimate', () => {
  fc.assert(
    fc.property(anyLadder, (ladder) => {
      for (const each of needed(ladder, { ...OPTIONS, resamples: 100 })) {
        if (each.kind !== 'reached') continue
        expect(each.low ?? 0).toBeLessThanOrEqual(each.tokens)
        expect(each.high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(each.tokens)
      }
    }),
  )
})

test('neither the order of the rungs nor that of the units matters', () => {
  fc.assert(
    fc.property(anyLadder, fc.integer({ min: 0, max: 2 ** 31 }), (ladder, seed) => {
      const { drawBelow } = createRandom(seed)
      const shuffled = <Item>(items: readonly Item[]): Item[] => {
        const left = [...items]
        return items.map(() => left.splice(drawBelow(left.length), 1)[0] as Item)
      }
      const order = shuffled([...(ladder[0]?.values.keys() ?? [])])
      const mixed = shuffled(ladder).map(({ tokens, values }) => ({
        tokens,
        values: order.map((unit) => values[unit] as number),
      }))
      const options = { ...OPTIONS, resamples: 100 }
      expect(fitHelpCurve(mixed, options)).toEqual(fitHelpCurve(ladder, options))
    }),
  )
})

test('a seed gives the same interval each time, another seed another', () => {
  const values = (count: number) => Array.from({ length: 31 }, (_, unit) => (unit < count ? 1 : 0))
  const ladder = [3, 9, 18, 25, 28].map((count, step) => ({ tokens: step * 500, values: values(count) }))
  expect(needed(ladder)).toEqual(needed(ladder))
  expect(needed(ladder, { ...OPTIONS, seed: 8 })).not.toEqual(needed(ladder))
})

/** Of 200 draws from a true curve, the share whose interval for the target has the true help in it. */
function coverage(units: number, chances: readonly number[], target: number, truth: number): number {
  const tokens = [0, 197, 394, 788, 1119, 2658]
  let covered = 0
  let reached = 0
  for (let draw = 0; draw < 200; draw++) {
    const { drawUnit } = createRandom(draw)
    const hardness = Array.from({ length: units }, drawUnit)
    const ladder = chances.map((chance, rung) => ({
      tokens: tokens[rung] as number,
      // Half of the units answer to their own hardness under every rung, half anew.
      values: hardness.map((own, unit) => ((unit % 2 === 0 ? own : drawUnit()) < chance ? 1 : 0)),
    }))
    const [found] = fitHelpCurve(ladder, { targets: [target], alpha: 0.05, seed: draw, resamples: 400 }).needed
    if (found?.kind !== 'reached') continue
    reached += 1
    if ((found.low ?? 0) <= truth && truth <= (found.high ?? Number.POSITIVE_INFINITY)) covered += 1
  }
  return covered / reached
}

test.each([
  ['a gradual curve', [0.1, 0.3, 0.45, 0.6, 0.7, 0.9], 0.5, 394 + 394 / 3],
  ['a steep curve', [0, 0.02, 0.05, 0.95, 0.98, 1], 0.8, 394 + (394 * 0.75) / 0.9],
  ['a curve from 2 to 97 %', [0, 0, 0.02, 0.97, 1, 1], 0.8, 394 + (394 * 0.78) / 0.95],
] as const)('at least 91 of 100 intervals over 40 problems cover the true help of %s', (_, chances, target, truth) => {
  expect(coverage(40, chances, target, truth)).toBeGreaterThanOrEqual(0.91)
})

test('rungs that are no ladder are refused', () => {
  const [rung] = rungs(3, { 0: 1 })
  expect(() => fitHelpCurve([], OPTIONS)).toThrow(RangeError)
  expect(() => fitHelpCurve([{ tokens: 0, values: [] }], OPTIONS)).toThrow(RangeError)
  expect(() => fitHelpCurve([rung as HelpRung, { tokens: 1, values: [1] }], OPTIONS)).toThrow(/not one ladder/)
  expect(() => fitHelpCurve([{ tokens: -1, values: [1] }], OPTIONS)).toThrow(/tokens/)
  expect(() => fitHelpCurve([{ tokens: 0, values: [2] }], OPTIONS)).toThrow(/rate/)
  expect(() => fitHelpCurve([rung as HelpRung], { ...OPTIONS, targets: [1] })).toThrow(/target/)
  expect(() => fitHelpCurve([rung as HelpRung], { ...OPTIONS, resamples: 1 })).toThrow(/resamples/)
})
