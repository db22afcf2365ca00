/**
 * A paired comparison of two rows by the exact two-sided McNemar test, one outcome a fixture and row.
 * A fixture is won by the worse row alone with probability `discordance` (the rarer, or minority,
 * direction) and by the better row alone with `discordance + gap`. All rates are shares of fixtures.
 */
export type PairedDesign = {
  readonly gap: number
  readonly discordance: number
  readonly alpha: number
}

export type Range = { readonly min: number; readonly max: number }

/** A `PairedDesign` for which a range of minority discordance is planned, both ends included. */
export type PlannedDesign = {
  readonly gap: number
  readonly discordance: Range
  readonly alpha: number
}

/** More fixtures than this are neither taken nor asked for: exact sums over them stop being quick. */
export const MAX_FIXTURES = 100_000

/**
 * Every problem of a design's numbers, as one sentence each, so that a caller can put them before a user
 * at once; empty where the functions over designs accept it. `n` and `target` are looked at when given.
 */
export function listDesignProblems(
  design: (PairedDesign | PlannedDesign) & { readonly n?: number; readonly target?: number },
): string[] {
  const { gap, discordance, alpha, n, target } = design
  const { min, max } = typeof discordance === 'number' ? { min: discordance, max: discordance } : discordance
  const problems: string[] = []
  if (!(gap >= 0 && gap <= 1)) problems.push(`gap must lie in [0, 1], got ${gap}`)
  if (!(min >= 0 && min <= max)) {
    problems.push(`discordance must be 0 or more, and its min at most its max: ${min} to ${max}`)
  }
  // A rounding's worth of slack: 2 · 0.35 + 0.3 is a hair above 1 in doubles.
  if (2 * max + gap > 1 + 1e-12) {
    problems.push(`twice the discordance plus the gap is a share of fixtures and cannot pass 1: 2 · ${max} + ${gap}`)
  }
  if (!(alpha > 0 && alpha < 1)) problems.push(`alpha must lie in (0, 1), got ${alpha}`)
  if (n !== undefined && !(Number.isInteger(n) && n >= 0 && n <= MAX_FIXTURES)) {
    problems.push(`n must be a count of at most ${MAX_FIXTURES} fixtures, got ${n}`)
  }
  if (target !== undefined && !(target > 0 && target < 1)) {
    problems.push(`target must lie in (0, 1), got ${target}`)
  }
  return problems
}

/** @throws RangeError that lists every problem of the design. */
export function checkDesign(design: Parameters<typeof listDesignProblems>[0]): void {
  const problems = listDesignProblems(design)
  if (problems.length > 0) throw new RangeError(problems.join('; '))
}
