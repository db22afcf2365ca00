/** A value of a sequence and how much it weighs. */
export interface WeightedValue {
  readonly value: number
  /** Above 0; for a rate the number of its trials. */
  readonly weight: number
}

/**
 * The isotonic regression of a sequence: of all sequences that never fall, the one with the least weighted sum of
 * squared distances from the values. By pooling adjacent violators (Ayer et al. 1955): neighbours that fall are
 * replaced by their weighted mean until none do. It takes time in proportion to the length.
 *
 * @returns one fitted value for each given one, in the same order; empty for none.
 * @throws RangeError for a value that is not finite or a weight that is not above 0 and finite.
 */
export function fitIsotonic(sequence: readonly WeightedValue[]): number[] {
  const blocks: { mean: number; weight: number; length: number }[] = []
  for (const { value, weight } of sequence) {
    if (!(Number.isFinite(value) && weight > 0 && Number.isFinite(weight))) {
      throw new RangeError(`a finite value with a weight above 0 is needed, got ${value} with ${weight}`)
    }
    let block = { mean: value, weight, length: 1 }
    let before = blocks.at(-1)
    while (before !== undefined && before.mean > block.mean) {
      const pooled = before.weight + block.weight
      block = {
        // From the earlier mean by a share of the distance, so that rounding cannot lead out from between the two.
        mean: before.mean + (block.mean - before.mean) * (block.weight / pooled),
        weight: pooled,
        length: before.length + block.length,
      }
      blocks.pop()
      before = blocks.at(-1)
    }
    blocks.push(block)
  }
  return blocks.flatMap(({ mean, length }) => new Array<number>(length).fill(mean))
}
