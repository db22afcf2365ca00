import type { RateOptions } from './multi-sample-interval.ts'
import { boundDifference, type DifferenceMethod } from './paired-interval.ts'

export type NonInferiority = {
  /** `shown`: the lower bound excludes a loss as large as the margin. `not-shown` says nothing else: not that there is one. */
  readonly kind: 'shown' | 'not-shown'
  /** One-sided lower bound of head minus base, in [-1, 1]. */
  readonly lowerBound: number
  readonly margin: number
  readonly method: DifferenceMethod
}

/**
 * Whether head is not worse than base by `margin` or more: the one-sided lower bound of the difference lies above
 * -margin. The method of the bound is that of `boundDifference`.
 *
 * @param differences of the same independent units, head minus base, in [-1, 1]
 * @param options alpha is one-sided: the chance of calling a loss of the margin none
 * @returns null without units.
 * @throws RangeError unless 0 < margin <= 1, and as `boundDifference`.
 */
export function testNonInferiority(
  differences: readonly number[],
  options: RateOptions & { readonly margin: number },
): NonInferiority | null {
  const { margin } = options
  if (!(margin > 0 && margin <= 1)) throw new RangeError(`a margin must lie in (0, 1], got ${margin}`)
  const found = boundDifference(differences, options)
  if (found === null) return null
  const { bound, method } = found
  return { kind: bound > -margin ? 'shown' : 'not-shown', lowerBound: bound, margin, method }
}
