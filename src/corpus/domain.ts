/** Values a prompt promises for one parameter. Written in spec.toml under `[domain]`; docs/corpus.md explains each. */
export type Shape =
  | { readonly kind: 'int'; readonly min: number; readonly max: number }
  | { readonly kind: 'float'; readonly min: number; readonly max: number; readonly step: number }
  | { readonly kind: 'bool' }
  | {
      readonly kind: 'text'
      readonly minLength: number
      readonly maxLength: number
      readonly alphabet: readonly string[]
    }
  | {
      readonly kind: 'tokens'
      readonly minCount: number
      readonly maxCount: number
      readonly tokens: readonly string[]
      readonly separator: string
    }
  | { readonly kind: 'values'; readonly values: readonly (number | string | boolean)[] }
  | {
      readonly kind: 'list'
      readonly minLength: number
      readonly maxLength: number
      readonly item: Shape
      readonly isDistinct: boolean
      readonly isSorted: boolean
      readonly isRectangular: boolean
    }
  | { readonly kind: 'one-of'; readonly shapes: readonly Shape[] }

/** One shape for each parameter, in the signature's order. */
export type Domain = readonly { readonly param: string; readonly shape: Shape }[]

/** An upper bound of how many different values a shape has; exact for all but `tokens`, `list` and `one-of`. */
export function sizeOfShape(shape: Shape): number {
  switch (shape.kind) {
    case 'int':
      return shape.max - shape.min + 1
    case 'float':
      return (shape.max - shape.min) / shape.step + 1
    case 'bool':
      return 2
    case 'values':
      return new Set(shape.values).size
    case 'text':
      return sizeOfSequences(new Set(shape.alphabet).size, shape.minLength, shape.maxLength)
    case 'tokens':
      return sizeOfSequences(new Set(shape.tokens).size, shape.minCount, shape.maxCount)
    case 'list':
      return sizeOfSequences(sizeOfShape(shape.item), shape.minLength, shape.maxLength)
    case 'one-of':
      return shape.shapes.reduce((sum, option) => sum + sizeOfShape(option), 0)
  }
}

function sizeOfSequences(items: number, min: number, max: number): number {
  let total = 0
  for (let length = min; length <= max; length++) total += items ** length
  return total
}
