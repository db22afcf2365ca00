import { sortBy } from './list-order.ts'
import type { Machine } from './machine.ts'
import { apply, charge } from './machine.ts'
import { BOX_BYTES, ITEM_BYTES } from './memory.ts'
import type { FnValue, Value } from './value.ts'
import { ListValue, share } from './value.ts'

/** Undefined: there is no such method for these arguments. */
type ListClosureMethod = (
  machine: Machine,
  list: ListValue,
  closure: FnValue,
  args: readonly Value[],
) => Value | undefined

/** Methods of list whose last argument is a function. */
export const LIST_CLOSURE_METHODS: ReadonlyMap<string, ListClosureMethod> = new Map<string, ListClosureMethod>([
  [
    'map',
    (machine, list, closure) => {
      charge(machine, BOX_BYTES + list.items.length * ITEM_BYTES)
      return new ListValue(list.items.map((item) => give(machine, closure, item)))
    },
  ],
  [
    'filter',
    (machine, list, closure) => {
      charge(machine, BOX_BYTES + list.items.length * ITEM_BYTES)
      return new ListValue(list.items.filter((item) => give(machine, closure, item) === true))
    },
  ],
  [
    'for_each',
    (machine, list, closure) => {
      for (const item of list.items) give(machine, closure, item)
      return null
    },
  ],
  ['any', (machine, list, closure) => list.items.some((item) => give(machine, closure, item) === true)],
  ['all', (machine, list, closure) => list.items.every((item) => give(machine, closure, item) === true)],
  ['fold', fold],
  ['sorted_by_key', sortByKey],
  ['sort_by_key', sortByKey],
  ['sorted_by', sortByComparison],
  ['sort_by', sortByComparison],
])

/** Calls `closure` with an item that stays in its list. */
function give(machine: Machine, closure: FnValue, item: Value): Value {
  return apply(machine, closure, [share(item)])
}

function fold(machine: Machine, list: ListValue, closure: FnValue, args: readonly Value[]): Value | undefined {
  const [initial] = args
  if (args.length < 2 || initial === undefined) return undefined
  return list.items.reduce<Value>((accumulated, item) => apply(machine, closure, [accumulated, share(item)]), initial)
}

function sortByKey(machine: Machine, list: ListValue, closure: FnValue): Value {
  charge(machine, BOX_BYTES + list.items.length * ITEM_BYTES * 2)
  const keyed = list.items.map((item) => ({ item, key: give(machine, closure, item) }))
  return new ListValue(sortBy(keyed, ({ key }) => key).map(({ item }) => item))
}

/** Insertion from the right, comparing neighbours, as Vox does it: how often and with what the comparison is called can be seen. */
function sortByComparison(machine: Machine, list: ListValue, closure: FnValue): Value {
  charge(machine, BOX_BYTES + list.items.length * ITEM_BYTES)
  const sorted = list.items.slice()
  for (let end = 1; end < sorted.length; end++) {
    for (let at = end; at > 0; at--) {
      const left = sorted[at - 1] as Value
      const right = sorted[at] as Value
      const order = apply(machine, closure, [share(left), share(right)])
      if (!((typeof order === 'number' || typeof order === 'bigint') && order > 0)) break
      sorted[at - 1] = right
      sorted[at] = left
    }
  }
  return new ListValue(sorted)
}
