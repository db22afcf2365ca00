const ROOT_TWO_PI = Math.sqrt(2 * Math.PI)
const FRACTION_FROM = 3
const FRACTION_DEPTH = 120

/** P(Z > z) for a standard normal Z and z >= 0, to a relative error of about 1e-13. */
export function normalUpperTail(z: number): number {
  if (!(z >= 0)) throw new RangeError(`normalUpperTail needs z >= 0, got ${z}`)
  return z < FRACTION_FROM ? 0.5 - density(z) * seriesFromZero(z) : density(z) * millsRatio(z)
}

/**
 * The z with P(Z > z) = tail, for example 1.9599… for 0.025.
 *
 * @throws RangeError unless 1e-300 <= tail <= 0.5: below, densities lose their digits.
 */
export function invertNormalUpperTail(tail: number): number {
  if (!(tail >= 1e-300 && tail <= 0.5)) throw new RangeError(`a tail in [1e-300, 0.5] is needed, got ${tail}`)
  // P(Z > z) <= exp(-z²/2) / 2 puts this start at or right of the root, and ln P(Z > z) is concave:
  // Newton's steps come down to the root without passing it.
  let z = Math.sqrt(2 * Math.log(0.5 / tail))
  for (let step = 0; step < 100; step++) {
    const upper = normalUpperTail(z)
    const next = Math.max(0, z + (Math.log(upper / tail) * upper) / density(z))
    if (Math.abs(next - z) <= 4 * Number.EPSILON * next) return next
    z = next
  }
  return z
}

/** P(Z <= z) for a standard normal Z and any z. */
export function normalCdf(z: number): number {
  return z < 0 ? normalUpperTail(-z) : 1 - normalUpperTail(z)
}

/**
 * The z with P(Z <= z) = p.
 *
 * @throws RangeError unless 1e-300 <= p < 1.
 */
export function invertNormalCdf(p: number): number {
  return p <= 0.5 ? -invertNormalUpperTail(p) : invertNormalUpperTail(1 - p)
}

function density(z: number): number {
  return Math.exp(-0.5 * z * z) / ROOT_TWO_PI
}

/** (Φ(z) - 1/2) / φ(z) = z + z³/3 + z⁵/(3·5) + … (Abramowitz and Stegun 26.2.11). */
function seriesFromZero(z: number): number {
  let term = z
  let sum = z
  for (let odd = 3; term > Number.EPSILON * sum * 0.01; odd += 2) {
    term *= (z * z) / odd
    sum += term
  }
  return sum
}

/** P(Z > z) / φ(z) = 1/(z + 1/(z + 2/(z + 3/(z + …)))) (Abramowitz and Stegun 26.2.14). */
function millsRatio(z: number): number {
  let fraction = z
  for (let depth = FRACTION_DEPTH; depth > 0; depth--) fraction = z + depth / fraction
  return 1 / fraction
}
