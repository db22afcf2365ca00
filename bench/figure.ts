/** One measured figure, as a line of the output. */
export interface Figure {
  readonly what: string
  readonly ratio: string
  readonly aim?: string
  /** Absolute figures of this machine. */
  readonly note?: string
}

/** Where the sources lie, and where this run's bundles do. */
export interface Place {
  readonly root: string
  readonly folder: string
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)} x`
}
