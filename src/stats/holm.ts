export type HolmDecision = {
  /** The smallest family-wise alpha at which Holm's procedure rejects this one. */
  readonly adjustedP: number
  readonly isRejected: boolean
}

/**
 * Holm's step-down correction (Holm 1979): the chance of any false rejection in the family is at most alpha, whatever
 * the dependence. The i-th smallest of m p-values is multiplied by m - i + 1, and none is below a smaller one's.
 *
 * The family is what was planned: a comparison that gave no p-value still belongs to it, with p = 1.
 *
 * @param pValues of all comparisons of the family, in any order
 * @param alpha of the whole family
 * @returns one decision for each, in the order given.
 * @throws RangeError for a p outside [0, 1] or alpha outside (0, 1).
 */
export function holm(pValues: readonly number[], alpha = 0.05): HolmDecision[] {
  checkAlpha(alpha)
  for (const p of pValues) if (!(p >= 0 && p <= 1)) throw new RangeError(`a p-value lies in [0, 1], got ${p}`)
  const adjusted = new Array<number>(pValues.length)
  let largest = 0
  const order = [...pValues.keys()].sort((a, b) => (pValues[a] as number) - (pValues[b] as number))
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * (pValues[index] as number)))
    adjusted[index] = largest
  }
  return adjusted.map((adjustedP) => ({ adjustedP, isRejected: adjustedP <= alpha }))
}

/**
 * The alpha of each comparison of a family by Bonferroni: alpha / comparisons. Power is planned with it, since the
 * first step of Holm's procedure uses it and later ones depend on results.
 *
 * @throws RangeError unless comparisons is a whole number of at least 1 and 0 < alpha < 1.
 */
export function shareAlpha(alpha: number, comparisons: number): number {
  checkAlpha(alpha)
  if (!(Number.isInteger(comparisons) && comparisons >= 1)) {
    throw new RangeError(`comparisons must be a whole number of at least 1, got ${comparisons}`)
  }
  return alpha / comparisons
}

/** The number of pairs among `rows` rows, each with each: 15 for six. */
export function countPairs(rows: number): number {
  return (rows * (rows - 1)) / 2
}

function checkAlpha(alpha: number): void {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
}
