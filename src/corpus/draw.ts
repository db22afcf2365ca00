import { boundariesOf } from './boundaries.ts'
import type { Domain } from './domain.ts'
import type { Value } from './literal.ts'
import type { Random } from './random.ts'
import { createRandom } from './random.ts'
import { drawValue } from './shape-draw.ts'

/** Draws per wanted tuple before the domain is taken to have no further ones. */
const TRIES_PER_TUPLE = 50

/**
 * Up to `count` different argument tuples from a domain, in the order of its parameters; the same seed text gives the
 * same tuples everywhere. The first rows hold each parameter's boundaries (smallest, largest, empty, longest, single
 * items), the others are random. There are fewer than `count` only where the domain has hardly more to give.
 */
export function drawInputs(domain: Domain, seed: string, count: number): readonly (readonly Value[])[] {
  const random = createRandom(seed)
  const seen = new Set<string>()
  const tuples: (readonly Value[])[] = []
  const add = (tuple: readonly Value[]) => {
    const key = JSON.stringify(tuple)
    if (seen.has(key) || tuples.length >= count) return
    seen.add(key)
    tuples.push(tuple)
  }
  for (const tuple of boundaryRows(domain, random)) add(tuple)
  for (let tries = 0; tuples.length < count && tries < count * TRIES_PER_TUPLE; tries++) {
    add(domain.map(({ shape }) => drawValue(shape, random)))
  }
  return tuples
}

/** Row n holds the n-th boundary of every parameter, in an order of its own behind smallest and largest. */
function boundaryRows(domain: Domain, random: Random): readonly (readonly Value[])[] {
  const columns = domain.map(({ shape }) => {
    const [smallest, largest, ...others] = boundariesOf(shape, random)
    return [smallest, largest, ...shuffle(others, random)].filter((value) => value !== undefined)
  })
  const rows = Math.max(0, ...columns.map((column) => column.length))
  return Array.from({ length: rows }, (_, row) =>
    domain.map(({ shape }, column) => columns[column]?.[row] ?? drawValue(shape, random)),
  )
}

/** Fisher-Yates. */
function shuffle<T>(items: readonly T[], random: Random): readonly T[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    ;[shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T]
  }
  return shuffled
}
