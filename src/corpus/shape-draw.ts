import type { Shape } from './domain.ts'
import type { Value } from './literal.ts'
import type { Random } from './random.ts'

/** Ranges wider than this are sometimes drawn near zero, where most rules of a problem lie. */
const NARROW = 64
/** Distinct items asked of a shape before giving up, per item. */
const TRIES_PER_ITEM = 1000

type ListShape = Extract<Shape, { kind: 'list' }>

/** One random value of a shape. */
export function drawValue(shape: Shape, random: Random): Value {
  switch (shape.kind) {
    case 'int':
      return drawInt(shape.min, shape.max, random)
    case 'float':
      return drawInt(shape.min / shape.step, shape.max / shape.step, random) * shape.step
    case 'bool':
      return random.below(2) === 1
    case 'values':
      return pick(shape.values, random)
    case 'text':
      return drawText(shape, drawLength(shape, random), random)
    case 'tokens':
      return drawTokens(shape, shape.minCount + random.below(shape.maxCount - shape.minCount + 1), random)
    case 'list':
      return drawList(shape, drawLength(shape, random), random)
    case 'one-of':
      return drawValue(pick(shape.shapes, random), random)
  }
}

/** A text of `length` characters; one in four uses two letters only, so that runs and repeats come up. */
export function drawText(shape: Extract<Shape, { kind: 'text' }>, length: number, random: Random): string {
  const letters = random.below(4) === 0 ? [pick(shape.alphabet, random), pick(shape.alphabet, random)] : shape.alphabet
  return Array.from({ length }, () => pick(letters, random)).join('')
}

export function drawTokens(shape: Extract<Shape, { kind: 'tokens' }>, count: number, random: Random): string {
  return Array.from({ length: count }, () => pick(shape.tokens, random)).join(shape.separator)
}

/** A list of `length` items; one in four that may repeat draws from three items only, so that ties come up. */
export function drawList(shape: ListShape, length: number, random: Random): readonly Value[] {
  const drawItem = itemDrawer(shape, random)
  if (shape.isDistinct) return arrange(shape, drawDistinct(drawItem, length))
  if (random.below(4) > 0) return arrange(shape, Array.from({ length }, drawItem))
  const pool = [drawItem(), drawItem(), drawItem()]
  return arrange(
    shape,
    Array.from({ length }, () => pick(pool, random)),
  )
}

/** Draws items of a list, all of one length in a rectangular one. */
export function itemDrawer(shape: ListShape, random: Random): () => Value {
  const { item } = shape
  if (!shape.isRectangular || item.kind !== 'list') return () => drawValue(item, random)
  const width = drawLength(item, random)
  return () => drawList(item, width, random)
}

/** Sorts items where the shape wants it: numbers by size, texts by code points. */
export function arrange(shape: ListShape, items: readonly Value[]): readonly Value[] {
  return shape.isSorted ? [...items].sort(compareValues) : items
}

/** A random member of a list that has one. */
export function pick<T>(items: readonly T[], random: Random): T {
  return items[random.below(items.length)] as T
}

/** Uniform in one case of two at least; in wide ranges otherwise of a random number of bits, near zero. */
function drawInt(min: number, max: number, random: Random): number {
  const width = max - min + 1
  if (width <= NARROW || random.below(2) === 0) return min + random.below(width)
  const anchor = Math.min(Math.max(0, min), max)
  const reach = 2 ** (1 + random.below(Math.floor(Math.log2(width))))
  const value = anchor + random.below(2 * reach + 1) - reach
  return Math.min(Math.max(value, min), max)
}

function drawLength(shape: { readonly minLength: number; readonly maxLength: number }, random: Random): number {
  return shape.minLength + random.below(shape.maxLength - shape.minLength + 1)
}

function drawDistinct(drawItem: () => Value, length: number): readonly Value[] {
  const items = new Map<string, Value>()
  for (let tries = 0; items.size < length; tries++) {
    // The loader refuses domains that cannot fill their longest list; only very unequal weights get here.
    if (tries > length * TRIES_PER_ITEM) throw new Error(`no ${length} distinct items in ${tries} draws`)
    const item = drawItem()
    items.set(JSON.stringify(item), item)
  }
  return [...items.values()]
}

function compareValues(left: Value, right: Value): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  // UTF-8 keeps the order of code points, which UTF-16 does not.
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
}
