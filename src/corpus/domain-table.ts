import type { Domain, Shape } from './domain.ts'
import { sizeOfShape } from './domain.ts'
import type { Report, Table } from './field-reader.ts'
import { describe, isTable } from './field-reader.ts'
import type { FixtureType } from './fixture.ts'
import type { Entry } from './signature.ts'
import { typeText } from './signature.ts'

/** The longest text or list a domain may ask for; more would overrun the step budget of an attempt. */
const MAX_LENGTH = 10_000

/**
 * Reads the table `[domain]` of a spec.toml whose integers were parsed as bigints: exactly one shape for each
 * parameter. Null when anything is wrong; all of it is reported, as `domain.PARAM…`.
 */
export function readDomain(table: Table, params: Entry['params'], report: Report): Domain | null {
  let isSound = true
  const fail: Report = (field, message) => {
    isSound = false
    report(field, message)
  }
  for (const key of Object.keys(table)) {
    if (!params.some((param) => param.name === key)) fail(`domain.${key}`, 'is no parameter of the signature')
  }
  const shapes = params.map(({ name, type }) => {
    const raw = table[name]
    if (raw !== undefined) return { param: name, shape: readShape(raw, type, `domain.${name}`, fail) }
    fail(`domain.${name}`, 'is missing: the domain must describe every parameter')
    return { param: name, shape: null }
  })
  return isSound ? shapes.flatMap(({ param, shape }) => (shape === null ? [] : [{ param, shape }])) : null
}

function readShape(raw: unknown, type: FixtureType, path: string, fail: Report): Shape | null {
  if (!isTable(raw)) return refuse(fail, path, `must be a table such as { range = [0, 9] }, not ${describe(raw)}`)
  if ('one_of' in raw) return readOneOf(raw, type, path, fail)
  if ('values' in raw) return readValues(raw, type, path, fail)
  switch (type.kind) {
    case 'int':
      return readInt(raw, path, fail)
    case 'float':
      return readFloat(raw, path, fail)
    case 'bool':
      return hasOnly(raw, [], path, fail) ? { kind: 'bool' } : null
    case 'str':
      return 'tokens' in raw ? readTokens(raw, path, fail) : readText(raw, path, fail)
    case 'list':
      return readList(raw, type.item, path, fail)
    default:
      return refuse(fail, path, `no shape describes a parameter of type ${typeText(type)}`)
  }
}

function readOneOf(raw: Table, type: FixtureType, path: string, fail: Report): Shape | null {
  if (!hasOnly(raw, ['one_of'], path, fail)) return null
  const options: unknown = raw.one_of
  if (!Array.isArray(options) || options.length === 0) return refuse(fail, `${path}.one_of`, 'must be a list of shapes')
  const shapes = options.map((option, index) => readShape(option, type, `${path}.one_of[${index}]`, fail))
  const read = shapes.filter((shape) => shape !== null)
  return read.length === shapes.length ? { kind: 'one-of', shapes: read } : null
}

function readValues(raw: Table, type: FixtureType, path: string, fail: Report): Shape | null {
  if (!hasOnly(raw, ['values'], path, fail)) return null
  const field = `${path}.values`
  const values: unknown = raw.values
  if (!Array.isArray(values) || values.length === 0) return refuse(fail, field, 'must be a list of values')
  if (type.kind !== 'int' && type.kind !== 'float' && type.kind !== 'str' && type.kind !== 'bool') {
    return refuse(fail, field, `cannot describe a ${typeText(type)}; give its length and item`)
  }
  const read: (number | string | boolean)[] = []
  for (const value of values) {
    const plain = plainValue(value, type.kind)
    if (plain === null) return refuse(fail, field, `holds ${describe(value)}, which is no ${type.kind}`)
    read.push(plain)
  }
  return { kind: 'values', values: read }
}

/** `value` as a value of a basic type, or null. */
function plainValue(value: unknown, kind: 'int' | 'float' | 'str' | 'bool'): number | string | boolean | null {
  if (kind === 'bool') return typeof value === 'boolean' ? value : null
  if (kind === 'str') return typeof value === 'string' ? value : null
  const isInt = typeof value === 'bigint'
  if (!isInt && (kind === 'int' || typeof value !== 'number')) return null
  const number = Number(value)
  return Number.isFinite(number) && (!isInt || Number.isSafeInteger(number)) ? number : null
}

function readInt(raw: Table, path: string, fail: Report): Shape | null {
  const range = hasOnly(raw, ['range'], path, fail) ? readPair(raw, 'range', 'int', path, fail) : null
  return range === null ? null : { kind: 'int', min: range[0], max: range[1] }
}

function readFloat(raw: Table, path: string, fail: Report): Shape | null {
  if (!hasOnly(raw, ['range', 'step'], path, fail)) return null
  const range = readPair(raw, 'range', 'float', path, fail)
  const step = plainValue(raw.step, 'float')
  if (typeof step !== 'number' || step <= 0 || !Number.isInteger(Math.log2(step))) {
    return refuse(fail, `${path}.step`, 'must be a power of two such as 0.25, so that sums are exact')
  }
  if (range === null) return null
  const [min, max] = range
  if (!Number.isSafeInteger(min / step) || !Number.isSafeInteger(max / step)) {
    return refuse(fail, `${path}.range`, `must begin and end at a multiple of the step ${step}`)
  }
  return { kind: 'float', min, max, step }
}

function readText(raw: Table, path: string, fail: Report): Shape | null {
  if (!hasOnly(raw, ['length', 'alphabet'], path, fail)) return null
  const length = readLength(raw, 'length', path, fail)
  const alphabet = raw.alphabet
  if (typeof alphabet !== 'string' || alphabet === '') {
    return refuse(fail, `${path}.alphabet`, 'must be text with at least one character')
  }
  return length && { kind: 'text', minLength: length[0], maxLength: length[1], alphabet: [...alphabet] }
}

function readTokens(raw: Table, path: string, fail: Report): Shape | null {
  if (!hasOnly(raw, ['count', 'tokens', 'separator'], path, fail)) return null
  const count = readLength(raw, 'count', path, fail)
  const { tokens, separator } = raw
  if (!Array.isArray(tokens) || tokens.length === 0 || !tokens.every((token) => typeof token === 'string')) {
    return refuse(fail, `${path}.tokens`, 'must be a list of texts')
  }
  if (typeof separator !== 'string') return refuse(fail, `${path}.separator`, 'must be text, perhaps ""')
  return count && { kind: 'tokens', minCount: count[0], maxCount: count[1], tokens, separator }
}

function readList(raw: Table, itemType: FixtureType, path: string, fail: Report): Shape | null {
  if (!hasOnly(raw, ['length', 'item', 'distinct', 'sorted', 'rectangular'], path, fail)) return null
  const length = readLength(raw, 'length', path, fail)
  const item =
    raw.item === undefined
      ? refuse(fail, `${path}.item`, 'is missing')
      : readShape(raw.item, itemType, `${path}.item`, fail)
  const isDistinct = readFlag(raw, 'distinct', path, fail)
  const isSorted = readFlag(raw, 'sorted', path, fail)
  const isRectangular = readFlag(raw, 'rectangular', path, fail)
  if (isSorted && itemType.kind !== 'int' && itemType.kind !== 'float' && itemType.kind !== 'str') {
    return refuse(fail, `${path}.sorted`, `has no order for items of type ${typeText(itemType)}`)
  }
  if (isRectangular && item !== null && item.kind !== 'list') {
    return refuse(fail, `${path}.rectangular`, 'needs items that are lists with one length')
  }
  if (isRectangular && isDistinct) return refuse(fail, `${path}.distinct`, 'cannot be combined with rectangular')
  if (length === null || item === null) return null
  const [minLength, maxLength] = length
  if (isDistinct && sizeOfShape(item) < maxLength) {
    return refuse(fail, `${path}.length`, `asks for ${maxLength} distinct items where only ${sizeOfShape(item)} exist`)
  }
  return { kind: 'list', minLength, maxLength, item, isDistinct, isSorted, isRectangular }
}

function readFlag(raw: Table, key: string, path: string, fail: Report): boolean {
  const value = raw[key] ?? false
  if (typeof value === 'boolean') return value
  fail(`${path}.${key}`, `must be true or false, not ${describe(value)}`)
  return false
}

function readLength(raw: Table, key: string, path: string, fail: Report): readonly [number, number] | null {
  const pair = readPair(raw, key, 'int', path, fail)
  if (pair === null) return null
  if (pair[0] >= 0 && pair[1] <= MAX_LENGTH) return pair
  return refuse(fail, `${path}.${key}`, `must lie within 0 and ${MAX_LENGTH}`)
}

function readPair(
  raw: Table,
  key: string,
  kind: 'int' | 'float',
  path: string,
  fail: Report,
): readonly [number, number] | null {
  const field = `${path}.${key}`
  const pair: unknown = raw[key]
  if (pair === undefined) return refuse(fail, field, 'is missing')
  const [low, high] = Array.isArray(pair) && pair.length === 2 ? pair.map((end: unknown) => plainValue(end, kind)) : []
  if (typeof low !== 'number' || typeof high !== 'number') {
    return refuse(
      fail,
      field,
      `must be [lowest, highest], both of type ${kind}${kind === 'int' ? ' and within ±(2^53 - 1)' : ''}`,
    )
  }
  if (low > high) return refuse(fail, field, `begins at ${low}, above its end ${high}`)
  if (kind === 'int' && !Number.isSafeInteger(high - low)) return refuse(fail, field, 'is wider than 2^53')
  return [low, high]
}

function hasOnly(raw: Table, known: readonly string[], path: string, fail: Report): boolean {
  const unknown = Object.keys(raw).filter((key) => !known.includes(key))
  const allowed = known.length === 0 ? 'none are allowed here' : `expected ${known.join(', ')}`
  for (const key of unknown) fail(`${path}.${key}`, `is not a key of this shape; ${allowed}`)
  return unknown.length === 0
}

function refuse(fail: Report, field: string, message: string): null {
  fail(field, message)
  return null
}
