/**
 * The alpha of each of `horizon` scheduled looks, alpha / horizon: together they reject falsely with a chance of at
 * most alpha (Bonferroni), whatever the dependence between looks.
 *
 * @param horizon the number of looks, fixed before the first
 * @throws RangeError unless the horizon is a whole number of at least 1 and 0 < alpha < 1.
 */
export function findScheduledAlpha(alpha: number, horizon: number): number {
  checkLook(alpha, horizon, 'the horizon')
  return alpha / horizon
}

/**
 * The alpha of the j-th push to one pull request, of whose number nothing is known before: 6 · alpha / (π² j²). As the
 * sum of 1/j² is π²/6, all looks there can ever be reject falsely with a chance of at most alpha.
 *
 * @param j 1 for the first push
 * @throws RangeError unless j is a whole number of at least 1 and 0 < alpha < 1.
 */
export function findPushAlpha(alpha: number, j: number): number {
  checkLook(alpha, j, 'the push')
  return (6 * alpha) / (Math.PI * j) ** 2
}

/** What the first j pushes have spent of alpha together: below it, and nearer to it with each. */
export function sumPushAlphas(alpha: number, j: number): number {
  let spent = 0
  // Smallest first, so that rounding cannot carry the sum over alpha.
  for (let push = j; push >= 1; push--) spent += findPushAlpha(alpha, push)
  return spent
}

function checkLook(alpha: number, count: number, what: string): void {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
  if (!(Number.isInteger(count) && count >= 1)) {
    throw new RangeError(`${what} must be a whole number of at least 1, got ${count}`)
  }
}
