/**
 * The exact two-sided McNemar p-value for a paired comparison with b fixtures passed only by the first
 * row and c only by the second: twice the smaller tail of Binomial(b + c, 1/2), at most 1.
 *
 * Summed in integers and rounded once, so a p-value that equals alpha compares equal to it.
 * With no discordant fixture p is 1.
 *
 * @throws RangeError unless b and c are counts.
 */
export function mcnemarP(b: number, c: number): number {
  const { pairs, below, at } = countRarerWays(b, c)
  return Math.min(1, scaleByPowerOfTwo(below + at, 1 - pairs))
}

/**
 * The two-sided mid-p value of the same comparison: the chance of an outcome more extreme than b and c, plus half of
 * that of one equally extreme (Lancaster 1961; Fagerland, Lydersen and Laake 2013). It rejects nearly alpha of the
 * time where the exact test rejects less, but it is not guaranteed to stay below alpha: shown beside the exact
 * p-value, never in its place. With no discordant fixture it is 1.
 *
 * @throws RangeError unless b and c are counts.
 */
export function midP(b: number, c: number): number {
  const { pairs, below, at } = countRarerWays(b, c)
  if (pairs === 0) return 1
  // b = c is one outcome, not two: all others are more extreme.
  return b === c ? 1 - scaleByPowerOfTwo(at, -1 - pairs) : scaleByPowerOfTwo(2n * below + at, -pairs)
}

/** Among the 2^pairs ways to share b + c pairs: those with fewer than min(b, c) on one given side, and with as many. */
function countRarerWays(b: number, c: number): { pairs: number; below: bigint; at: bigint } {
  if (!(Number.isSafeInteger(b) && Number.isSafeInteger(c) && b >= 0 && c >= 0)) {
    throw new RangeError(`McNemar needs two counts, got b = ${b}, c = ${c}`)
  }
  const pairs = b + c
  let at = 1n
  let below = 0n
  for (let k = 0; k < Math.min(b, c); k++) {
    below += at
    at = (at * BigInt(pairs - k)) / BigInt(k + 1)
  }
  return { pairs, below, at }
}

/**
 * The rejection region of the test above, for 0, 1, 2, … discordant pairs: the largest count of the rarer
 * direction that still gives p <= alpha, or -1 where no outcome does.
 *
 * The region is exact: tails are integers, alpha is the exact value of its double. Each entry costs a
 * few integer operations, because the count never grows by more than one from one pair to the next.
 *
 * @throws RangeError unless 0 < alpha < 1.
 */
export function* walkCriticalCounts(alpha: number): Generator<number, never> {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha must lie in (0, 1), got ${alpha}`)
  const { mantissa, shift } = splitDouble(alpha)
  let count = -1
  let ways = 0n // C(pairs, count)
  let tail = 0n // the sum of C(pairs, 0 … count)
  for (let pairs = 0; ; pairs++) {
    // p <= alpha exactly when the tail is at most alpha · 2^(pairs - 1), rounded down.
    const places = BigInt(pairs - 1 - shift)
    const limit = places >= 0n ? mantissa << places : mantissa >> -places
    if (pairs > 0) tail = 2n * tail - ways
    const nextWays = count < 0 ? 1n : (ways * BigInt(pairs)) / BigInt(count + 1)
    if (tail + nextWays <= limit) {
      count += 1
      ways = nextWays
      tail += nextWays
    } else if (count >= 0) {
      ways = (ways * BigInt(pairs)) / BigInt(pairs - count)
    }
    yield count
  }
}

/** value = mantissa / 2^shift, without rounding. */
function splitDouble(value: number): { mantissa: bigint; shift: number } {
  let mantissa = value
  let shift = 0
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    shift += 1
  }
  return { mantissa: BigInt(mantissa), shift }
}

/** value · 2^exponent as a double; in two steps, because 2^exponent alone may underflow. */
function scaleByPowerOfTwo(value: bigint, exponent: number): number {
  const surplus = Math.max(0, value.toString(16).length * 4 - 64)
  const leading = Number(value >> BigInt(surplus))
  const half = Math.trunc((exponent + surplus) / 2)
  return leading * 2 ** half * 2 ** (exponent + surplus - half)
}
