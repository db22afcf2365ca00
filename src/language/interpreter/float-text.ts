/**
 * Rust's display of an f64: the shortest digits that round-trip, as in JS, but never with an exponent,
 * and with the sign of negative zero.
 */
export function displayFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0'
  const text = String(value)
  return text.includes('e') ? expand(text) : text
}

/** Rust's debug form of a finite f64, and serde's: always a point or an exponent; exponents from 1e16 up and under 1e-5. */
export function debugFloat(value: number): string {
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-5 && size < 1e16)) {
    const text = displayFloat(value)
    return text.includes('.') ? text : `${text}.0`
  }
  return value.toExponential().replace('e+', 'e')
}

/** `1.5e-7` to plain digits. */
function expand(text: string): string {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.')
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}`
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
