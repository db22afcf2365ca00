export type PassAtK =
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'undefined'; readonly reason: string }

/**
 * The unbiased estimate of pass@k from n samples of which c passed: the chance that k samples drawn
 * without replacement hold at least one pass, 1 - C(n-c, k) / C(n, k) (Chen et al. 2021, "Evaluating
 * Large Language Models Trained on Code", section 2.1).
 *
 * Evaluated as a product, never as a ratio of binomials: the draw at which the first pass appears is
 * summed over k draws. All terms are positive, so small rates keep their digits, pass@1 is c / n to
 * the bit, and the result never falls as k grows.
 *
 * @returns the value in [0, 1], or `undefined` with every reason why the numbers define none.
 */
export function passAtK(n: number, c: number, k: number): PassAtK {
  const reasons = [...listCountProblems(n, c), ...listDrawProblems(n, k)]
  if (reasons.length > 0) return { kind: 'undefined', reason: reasons.join('; ') }
  if (n - c < k) return { kind: 'value', value: 1 }

  let passed = 0
  let missed = 1
  for (let drawn = 0; drawn < k; drawn++) {
    const left = n - drawn
    passed += (missed * c) / left
    missed *= (left - c) / left
  }
  return { kind: 'value', value: Math.min(1, passed) }
}

/**
 * The unbiased estimate of pass^k from n samples of which c passed: the chance that k samples drawn without
 * replacement all pass, C(c, k) / C(n, k) (Yao et al. 2024, "τ-bench"). It says how far a model can be
 * relied on, where pass@k says how far it can be tried again.
 *
 * @returns the value in [0, 1], or `undefined` with every reason why the numbers define none.
 */
export function allPassAtK(n: number, c: number, k: number): PassAtK {
  const reasons = [...listCountProblems(n, c), ...listDrawProblems(n, k)]
  if (reasons.length > 0) return { kind: 'undefined', reason: reasons.join('; ') }
  if (c < k) return { kind: 'value', value: 0 }

  let allPassed = 1
  for (let drawn = 0; drawn < k; drawn++) allPassed *= (c - drawn) / (n - drawn)
  return { kind: 'value', value: allPassed }
}

function listCountProblems(n: number, c: number): string[] {
  if (!Number.isInteger(n) || n < 0) return [`n = ${n} is not a count of samples`]
  if (n === 0) return ['there are no samples (n = 0)']
  if (!Number.isInteger(c) || c < 0) return [`c = ${c} is not a count of passes`]
  return c > n ? [`c = ${c} passes out of n = ${n} samples`] : []
}

function listDrawProblems(n: number, k: number): string[] {
  if (!Number.isInteger(k) || k < 1) return [`k = ${k} is not a whole number of at least 1`]
  return n > 0 && k > n ? [`k = ${k} needs at least ${k} samples, there are n = ${n}`] : []
}
