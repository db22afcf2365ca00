import type { Interval } from '../stats/intervals.ts'

/** What stands for a number nobody knows. */
export const UNKNOWN = 'unknown'

/** `67.5 %`; whole ends without a fraction. Only 0 is shown as `0 %`, and only 1 as `100 %`. */
export function percent(share: number | null): string {
  return percentTenths(share).replace(/\.0 %$/, ' %')
}

/** `67.0 %`: as above with a digit after the point, as the range beside it has. */
export function percentTenths(share: number | null): string {
  if (share === null) return UNKNOWN
  const points = (share * 100).toFixed(1)
  if (points === '0.0' && share > 0) return 'under 0.1 %'
  if (points === '100.0' && share < 1) return 'over 99.9 %'
  return `${points} %`
}

/** `47.6–70.9 %`. */
export function percentRange({ low, high }: Interval): string {
  return `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)} %`
}

/** `1,234`; at most `digits` after the point. */
export function number(value: number | null, digits = 0): string {
  if (value === null) return UNKNOWN
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

/** Dollars and cents; below ten cents two digits that are not 0, so that a small price is not 0. */
export function dollars(usd: number | null): string {
  if (usd === null) return UNKNOWN
  if (usd === 0) return '$0'
  return `$${usd >= 0.1 ? usd.toFixed(2) : usd.toLocaleString('en-US', { maximumSignificantDigits: 2 })}`
}

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** `512 B`, `2.5 GiB`. */
export function fileSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${SIZES[power]}`
}

export function duration(ms: number | null): string {
  if (ms === null) return UNKNOWN
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 119_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`
}
