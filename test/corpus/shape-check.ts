import type { Shape } from '../../src/corpus/domain.ts'
import type { Value } from '../../src/corpus/literal.ts'

/** Whether a value is one that the shape promises; written apart from the drawing code. */
export function isWithin(shape: Shape, value: Value): boolean {
  switch (shape.kind) {
    case 'int':
      return Number.isInteger(value) && between(Number(value), shape.min, shape.max)
    case 'float':
      return Number.isInteger((Number(value) - shape.min) / shape.step) && between(Number(value), shape.min, shape.max)
    case 'bool':
      return typeof value === 'boolean'
    case 'values':
      return shape.values.some((allowed) => allowed === value)
    case 'text': {
      const letters = [...String(value)]
      return (
        between(letters.length, shape.minLength, shape.maxLength) && letters.every((c) => shape.alphabet.includes(c))
      )
    }
    case 'tokens':
      return isTokenText(shape, String(value), 0)
    case 'list':
      return Array.isArray(value) && isListWithin(shape, value)
    case 'one-of':
      return shape.shapes.some((option) => isWithin(option, value))
  }
}

function isListWithin(shape: Extract<Shape, { kind: 'list' }>, items: readonly Value[]): boolean {
  if (!between(items.length, shape.minLength, shape.maxLength)) return false
  if (!items.every((item) => isWithin(shape.item, item))) return false
  const keys = items.map((item) => JSON.stringify(item))
  if (shape.isDistinct && new Set(keys).size < keys.length) return false
  if (shape.isRectangular && new Set(items.map((row) => (row as readonly Value[]).length)).size > 1) return false
  if (!shape.isSorted) return true
  return items.every((item, at) => at === 0 || isOrdered(items[at - 1] as Value, item))
}

function isOrdered(left: Value, right: Value): boolean {
  if (typeof left === 'number') return left <= Number(right)
  const [a, b] = [left, right].map((text) => [...String(text)].map((char) => char.codePointAt(0) ?? 0))
  const at = a?.findIndex((code, index) => code !== b?.[index]) ?? -1
  return at < 0 || (b?.[at] !== undefined && (a?.[at] ?? 0) < (b[at] ?? 0))
}

/** Whether `rest` splits into the right number of tokens, counting those used so far. */
function isTokenText(shape: Extract<Shape, { kind: 'tokens' }>, rest: string, used: number): boolean {
  if (rest === '' && used >= shape.minCount && (used === 0 || used <= shape.maxCount)) return true
  if (used === shape.maxCount) return false
  const body = used === 0 ? rest : rest.startsWith(shape.separator) ? rest.slice(shape.separator.length) : null
  if (body === null) return false
  return shape.tokens.some((token) => body.startsWith(token) && isTokenText(shape, body.slice(token.length), used + 1))
}

function between(value: number, min: number, max: number): boolean {
  return value >= min && value <= max
}
