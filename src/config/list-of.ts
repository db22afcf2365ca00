import { z } from 'zod'

/**
 * A list. One value alone is a list of it, and a text is split at commas and ends of lines, as that of a flag or an input is;
 * the items of a list that is written as one are taken as they are. `readItem` makes of the text of an item what the item is.
 */
export function listOf<Item extends z.ZodType>(item: Item, readItem: (text: string) => unknown = (text) => text) {
  return z.preprocess(
    (value, context) => {
      if (value === undefined || Array.isArray(value)) return value
      if (typeof value !== 'string') return [value]
      const items = value
        .trim()
        .split(/[,\n]/)
        .map((item) => item.trim())
      if (items.length > 1 && items.includes('')) {
        context.addIssue({ code: 'custom', message: `${JSON.stringify(value)} has an empty item`, input: value })
        return z.NEVER
      }
      return items.map(readItem)
    },
    z.array(item).min(1, 'must not be empty'),
  )
}

/** A number in decimal digits; any other text stays what it is, for the message that refuses it. */
export function readCount(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text
}
