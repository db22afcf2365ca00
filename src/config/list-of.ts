import { z } from 'zod'

/** A list; one value alone is a list of it. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).min(1, 'must not be empty'),
  )
}
