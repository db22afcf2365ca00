const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)
/** Coefficients B(2j) / (2j (2j-1)) of Stirling's series (DLMF 5.11.1). */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]
/** From here on the first term left out of the series is below 1e-16. */
const STIRLING_FROM = 12

/**
 * ln Γ(x) for x > 0. The absolute error is a few 1e-16 times max(1, |ln Γ(x)|).
 *
 * @throws RangeError for x <= 0 or NaN.
 */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`logGamma needs x > 0, got ${x}`)
  let shift = 1
  let y = x
  while (y < STIRLING_FROM) {
    shift *= y
    y += 1
  }
  const inverseSquare = 1 / (y * y)
  let series = 0
  for (const coefficient of STIRLING.toReversed()) series = series * inverseSquare + coefficient
  return (y - 0.5) * Math.log(y) - y + HALF_LOG_TWO_PI + series / y - Math.log(shift)
}

/**
 * The regularised incomplete beta function I_x(a, b) = P(X <= x) for X ~ Beta(a, b).
 *
 * @param x clamped to [0, 1]
 * @throws RangeError unless a, b > 0 and finite.
 */
export function regularisedBeta(x: number, a: number, b: number): number {
  checkShapes(a, b)
  if (Number.isNaN(x)) throw new RangeError('regularisedBeta needs a number x, got NaN')
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast only left of the mean; right of it the mirror image is taken.
  return x < (a + 1) / (a + b + 2) ? leftTail(x, a, b) : 1 - leftTail(1 - x, b, a)
}

/**
 * The p-quantile of Beta(a, b): the x with I_x(a, b) = p.
 *
 * @param p a probability; 0 gives 0 and 1 gives 1
 * @throws RangeError unless 0 <= p <= 1 and a, b > 0 and finite.
 */
export function invertRegularisedBeta(p: number, a: number, b: number): number {
  checkShapes(a, b)
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a probability is needed, got ${p}`)
  if (p === 0 || p === 1) return p

  let low = 0
  let high = 1
  let x = a / (a + b)
  // Newton's step where it stays inside the bracket, halving where it does not.
  for (let step = 0; step < MAX_STEPS; step++) {
    const excess = regularisedBeta(x, a, b) - p
    if (excess === 0) return x
    if (excess > 0) high = x
    else low = x
    const newton = x - excess / Math.exp(logDensity(x, a, b))
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - x) <= Number.EPSILON * next) return next
    x = next
  }
  return x
}

const MAX_STEPS = 2000

function checkShapes(a: number, b: number): void {
  if (!(a > 0 && b > 0 && Number.isFinite(a + b))) {
    throw new RangeError(`beta shapes must be positive and finite, got a = ${a}, b = ${b}`)
  }
}

function logDensity(x: number, a: number, b: number): number {
  const logBeta = logGamma(a) + logGamma(b) - logGamma(a + b)
  return (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta
}

/** I_x(a, b) by the continued fraction DLMF 8.17.22, evaluated by Lentz's method. */
function leftTail(x: number, a: number, b: number): number {
  const front = Math.exp(logDensity(x, a, b)) * x * (1 - x)
  let numerator = 1
  let denominator = 1 / keepFromZero(1 - ((a + b) * x) / (a + 1))
  let fraction = denominator
  for (let m = 1; ; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    denominator = 1 / keepFromZero(1 + even * denominator)
    numerator = keepFromZero(1 + even / numerator)
    fraction *= denominator * numerator
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    denominator = 1 / keepFromZero(1 + odd * denominator)
    numerator = keepFromZero(1 + odd / numerator)
    const factor = denominator * numerator
    fraction *= factor
    if (Math.abs(factor - 1) < 1e-16 || m > MAX_TERMS) return (front * fraction) / a
  }
}

/** Terms needed grow with the square root of the larger shape; this serves shapes past 1e8. */
const MAX_TERMS = 50_000

function keepFromZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value
}
