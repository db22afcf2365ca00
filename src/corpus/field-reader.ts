/** A parsed table of YAML or TOML. */
export type Table = Readonly<Record<string, unknown>>

/** Tells of a field that is missing or wrong; `field` is its dotted path. */
export type Report = (field: string, message: string) => void

/** Reads single fields of a table; each that is missing or of the wrong type is reported and comes back as null. */
export interface FieldReader {
  /** Text that is not blank. */
  text(key: string): string | null
  /** Like `text`, but a missing key is fine and gives `fallback`. */
  textOr<T>(key: string, fallback: T): string | T
  flag(key: string): boolean | null
  texts(key: string): readonly string[]
  table(key: string): Table | null
}

/** Fields of `table`, named in reports as `prefix` + key. */
export function readFields(table: Table, prefix: string, report: Report): FieldReader {
  const fail = (key: string, wanted: string): null => {
    const value = table[key]
    const message = value === undefined || value === null ? 'is missing' : `must be ${wanted}, not ${describe(value)}`
    report(prefix + key, message)
    return null
  }
  const text = (key: string): string | null => {
    const value = table[key]
    if (typeof value !== 'string') return fail(key, 'text')
    if (value.trim() === '') {
      report(prefix + key, 'is empty')
      return null
    }
    return value
  }
  return {
    text,
    textOr: (key, fallback) => (table[key] === undefined ? fallback : (text(key) ?? fallback)),
    flag(key) {
      const value = table[key]
      return typeof value === 'boolean' ? value : fail(key, 'true or false')
    },
    texts(key) {
      const value = table[key] ?? []
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
      fail(key, 'a list of texts')
      return []
    },
    table(key) {
      const value = table[key]
      return isTable(value) ? value : fail(key, 'a table')
    },
  }
}

/** True for a plain table: no list, no date, no null. */
export function isTable(value: unknown): value is Table {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A value in the words of a message. */
export function describe(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return isTable(value) ? 'a table' : 'a date'
  const text = String(value)
  return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``
}
