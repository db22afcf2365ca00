import type { Interval } from '../stats/intervals.ts'

/** What stands for a number nobody knows. */
export const UNKNOWN = 'unknown'

/** `67.5 %`; whole ends without a fraction. */
export function percent(share: number | null): string {
  if (share === null) return UNKNOWN
  const points = (share * 100).toFixed(1)
  return `${points.replace(/\.0$/, '')} %`
}

/** `47.6-70.9 %`. */
export function percentRange({ low, high }: Interval): string {
  return `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)} %`
}

/** `1,234`; at most `digits` after the point. */
export function number(value: number | null, digits = 0): string {
  if (value === null) return UNKNOWN
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

/** Dollars with enough digits that a small price is not 0. */
export function dollars(usd: number | null): string {
  if (usd === null) return UNKNOWN
  if (usd === 0) return '$0'
  return usd >= 1 ? `$${usd.toFixed(2)}` : `$${usd.toPrecision(2)}`
}

export function duration(ms: number | null): string {
  if (ms === null) return UNKNOWN
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`
}
