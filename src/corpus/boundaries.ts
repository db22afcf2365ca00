import type { Shape } from './domain.ts'
import type { Value } from './literal.ts'
import type { Random } from './random.ts'
import { arrange, drawList, drawText, drawTokens, itemDrawer, pick } from './shape-draw.ts'

/** No parameter gets more boundaries than this, so that random inputs keep most of a usual draw. */
const MAX_BOUNDARIES = 8

/** The values of a shape at which programs go wrong: the smallest first, then the largest, then others. */
export function boundariesOf(shape: Shape, random: Random): readonly Value[] {
  const unique = new Map(listBoundaries(shape, random).map((value) => [JSON.stringify(value), value]))
  return [...unique.values()].slice(0, MAX_BOUNDARIES)
}

function listBoundaries(shape: Shape, random: Random): readonly Value[] {
  switch (shape.kind) {
    case 'int':
      return [shape.min, shape.max, ...[0, 1, -1, shape.min + 1, shape.max - 1].filter((n) => isWithin(n, shape))]
    case 'float':
      return [shape.min, shape.max, ...[0, shape.step, -shape.step, 1].filter((n) => isWithin(n, shape))]
    case 'bool':
      return [false, true]
    case 'values':
      return shape.values
    case 'text':
      return textBoundaries(shape, random)
    case 'tokens':
      return tokenBoundaries(shape, random)
    case 'list':
      return itemBoundaries(shape, random)
    case 'one-of':
      return shape.shapes.flatMap((option) => boundariesOf(option, random).slice(0, 2))
  }
}

/** A float shape's bounds and 0, 1 and its step all lie on its lattice, or are left out. */
function isWithin(value: number, shape: { min: number; max: number; step?: number }): boolean {
  return value >= shape.min && value <= shape.max && Number.isInteger(value / (shape.step ?? 1))
}

function textBoundaries(shape: Extract<Shape, { kind: 'text' }>, random: Random): readonly Value[] {
  const { minLength, maxLength, alphabet } = shape
  const singles = minLength <= 1 && maxLength >= 1 ? [...alphabet.slice(0, 2), pick(alphabet, random)] : []
  return [
    drawText(shape, minLength, random),
    drawText(shape, maxLength, random),
    pick(alphabet, random).repeat(maxLength),
    ...singles,
  ]
}

function tokenBoundaries(shape: Extract<Shape, { kind: 'tokens' }>, random: Random): readonly Value[] {
  const { minCount, maxCount } = shape
  const singles = minCount <= 1 && maxCount >= 1 ? [1, 1, 1].map((count) => drawTokens(shape, count, random)) : []
  return [drawTokens(shape, minCount, random), drawTokens(shape, maxCount, random), ...singles]
}

function itemBoundaries(shape: Extract<Shape, { kind: 'list' }>, random: Random): readonly Value[] {
  const { minLength, maxLength, item } = shape
  const singles = minLength <= 1 && maxLength >= 1 ? boundariesOf(item, random).slice(0, 3) : []
  const same = shape.isDistinct ? [] : [repeatItem(shape, random)]
  // A rectangle's item is a row, which is as wide as it likes when it is the only one.
  return [
    drawList(shape, minLength, random),
    drawList(shape, maxLength, random),
    ...same,
    ...singles.map((single) => arrange(shape, [single])),
  ]
}

/** The longest list of one item. */
function repeatItem(shape: Extract<Shape, { kind: 'list' }>, random: Random): readonly Value[] {
  const item = itemDrawer(shape, random)()
  return Array.from({ length: shape.maxLength }, () => item)
}
