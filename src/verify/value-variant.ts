import type { FixtureType } from '../corpus/fixture.ts'
import type { Value } from '../corpus/literal.ts'
import { isList, isWrapped } from '../corpus/literal.ts'

/** A plain value of a type: zero, empty, none. */
export function defaultValue(type: FixtureType): Value {
  switch (type.kind) {
    case 'int':
      return 0n
    case 'float':
      return 0
    case 'bool':
      return false
    case 'str':
      return ''
    case 'list':
      return []
    case 'option':
      return { kind: 'none' }
    case 'result':
      return { kind: 'ok', value: defaultValue(type.item) }
  }
}

/**
 * A value of the same type that Vox does not hold equal to `value`. `pick` (a whole number from 0) chooses among the possible places of
 * the change. Throws a TypeError when the value is not of that type.
 */
export function differentValue(value: Value, type: FixtureType, pick: number): Value {
  switch (type.kind) {
    case 'int':
      if (typeof value === 'bigint' || typeof value === 'number')
        return BigInt(value) > 0n ? BigInt(value) - 1n : BigInt(value) + 1n
      break
    case 'float':
      if (typeof value === 'number') return value + 1 === value ? value / 2 : value + 1
      break
    case 'bool':
      if (typeof value === 'boolean') return !value
      break
    case 'str':
      if (typeof value === 'string') return `${value}x`
      break
    case 'list': {
      if (!isList(value)) break
      const place = pick % (value.length + 1)
      // One place behind the last item stands for a list that is longer.
      if (place === value.length) return [...value, defaultValue(type.item)]
      return value.map((item, at) => (at === place ? differentValue(item, type.item, pick) : item))
    }
    case 'option':
      if (!isWrapped(value)) break
      if (value.kind === 'none') return { kind: 'some', value: defaultValue(type.item) }
      return pick % 2 === 0 ? { kind: 'none' } : { kind: 'some', value: differentValue(value.value, type.item, pick) }
    case 'result':
      if (!isWrapped(value) || value.kind === 'none') break
      if (value.kind === 'error') return { kind: 'error', value: differentValue(value.value, { kind: 'str' }, pick) }
      return { kind: 'ok', value: differentValue(value.value, type.item, pick) }
  }
  throw new TypeError(`not a value of type ${type.kind}`)
}
