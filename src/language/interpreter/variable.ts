import type { Machine } from './machine.ts'
import { charge } from './machine.ts'
import { ENTRY_BYTES, ITEM_BYTES } from './memory.ts'
import type { Binding } from './scope.ts'
import type { Frame, ListValue, ObjectValue } from './value.ts'
import { ListValue as List } from './value.ts'

/** Slot of the first of `bindings` that is bound, or -1. */
export function boundSlot(frame: Frame, bindings: readonly Binding[]): number {
  for (let at = 0; at < bindings.length; at++) {
    const { slot, mayBeUnbound } = bindings[at] as Binding
    if (!mayBeUnbound || frame[slot] !== undefined) return slot
  }
  return -1
}

/** Notes for the caller's sake that a parameter's list or map is about to be changed in place. */
export function markChanged(bindings: readonly Binding[]): void {
  for (const binding of bindings) binding.isChangedInPlace = true
}

/** The list in `slot`, copied first when someone else holds it too. */
export function ownList(machine: Machine, frame: Frame, slot: number, list: ListValue): ListValue {
  if (!list.isShared) return list
  charge(machine, list.items.length * ITEM_BYTES)
  const copy = new List(list.items.slice())
  frame[slot] = copy
  return copy
}

/** The map in `slot`, copied first when someone else holds it too. */
export function ownObject(machine: Machine, frame: Frame, slot: number, object: ObjectValue): ObjectValue {
  if (!object.isShared) return object
  charge(machine, object.keys.length * ENTRY_BYTES)
  const copy = object.copy()
  frame[slot] = copy
  return copy
}
