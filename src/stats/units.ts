/**
 * The values of the units that are independent of each other: a fixture without a family is a unit of its own, the
 * fixtures of a family are one unit, whose value is their mean. Units weigh the same, whatever their size, so the
 * mean over units estimates the rate on a family like these, not on a fixture like these.
 *
 * Units are in the order of their first fixtures: rows over the same fixtures give the same units.
 *
 * @param values one for each fixture
 * @param families the family of each fixture, null for none
 * @throws RangeError unless there are as many families as values.
 */
export function averageFamilies(values: readonly number[], families: readonly (string | null)[]): number[] {
  if (values.length !== families.length) {
    throw new RangeError(`${values.length} values cannot have ${families.length} families`)
  }
  const units: number[][] = []
  const unitOf = new Map<string, number[]>()
  for (const [index, value] of values.entries()) {
    const family = families[index] ?? null
    const known = family === null ? undefined : unitOf.get(family)
    if (known !== undefined) {
      known.push(value)
      continue
    }
    const unit = [value]
    units.push(unit)
    if (family !== null) unitOf.set(family, unit)
  }
  return units.map((unit) => unit.reduce((sum, value) => sum + value, 0) / unit.length)
}
