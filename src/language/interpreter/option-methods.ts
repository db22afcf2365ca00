import { display } from './display.ts'
import { failAssertion } from './ending.ts'
import type { Machine } from './machine.ts'
import { apply } from './machine.ts'
import type { FnValue, OptionValue, Value } from './value.ts'
import { NONE, optional, ResultValue, share, some } from './value.ts'

type OptionMethod = (machine: Machine, option: OptionValue, args: readonly Value[]) => Value
type OptionClosureMethod = (machine: Machine, option: OptionValue, closure: FnValue) => Value
type ResultMethod = (machine: Machine, result: ResultValue, args: readonly Value[]) => Value
type ResultClosureMethod = (machine: Machine, result: ResultValue, closure: FnValue) => Value

export const OPTION_METHODS: ReadonlyMap<string, OptionMethod> = new Map<string, OptionMethod>([
  ['is_some', (_machine, { inner }) => inner !== undefined],
  ['is_none', (_machine, { inner }) => inner === undefined],
  [
    'unwrap',
    (_machine, { inner }) =>
      inner === undefined ? failAssertion('called `Option.unwrap()` on a None value') : share(inner),
  ],
  ['unwrap_or', (_machine, { inner }, [fallback = null]) => share(inner === undefined ? fallback : inner)],
  ['unwrap_or_default', (_machine, { inner }) => (inner === undefined ? null : share(inner))],
  [
    'expect',
    (_machine, { inner }, [message]) =>
      inner === undefined
        ? failAssertion(`Option.expect: ${typeof message === 'string' ? message : 'expected Some, found None'}`)
        : share(inner),
  ],
])

export const OPTION_CLOSURE_METHODS: ReadonlyMap<string, OptionClosureMethod> = new Map<string, OptionClosureMethod>([
  [
    'map',
    (machine, { inner }, closure) => (inner === undefined ? NONE : some(apply(machine, closure, [share(inner)]))),
  ],
  ['and_then', (machine, { inner }, closure) => (inner === undefined ? NONE : apply(machine, closure, [share(inner)]))],
  [
    'filter',
    (machine, option, closure) =>
      option.inner !== undefined && apply(machine, closure, [share(option.inner)]) === true ? option : NONE,
  ],
])

export const RESULT_METHODS: ReadonlyMap<string, ResultMethod> = new Map<string, ResultMethod>([
  ['is_ok', (_machine, { isOk }) => isOk],
  ['is_err', (_machine, { isOk }) => !isOk],
  ['ok', (_machine, { isOk, inner }) => optional(isOk ? inner : undefined)],
  ['err', (_machine, { isOk, inner }) => optional(isOk ? undefined : inner)],
  [
    'unwrap',
    (machine, { isOk, inner }) =>
      isOk ? share(inner) : failAssertion(`called \`Result.unwrap()\` on an Err value: ${display(machine, inner)}`),
  ],
  [
    'unwrap_err',
    (_machine, { isOk, inner }) => (isOk ? failAssertion('called `Result.unwrap_err()` on an Ok value') : share(inner)),
  ],
  ['unwrap_or', (_machine, { isOk, inner }, [fallback = null]) => share(isOk ? inner : fallback)],
  ['unwrap_or_default', (_machine, { isOk, inner }) => (isOk ? share(inner) : null)],
  [
    'expect',
    (machine, { isOk, inner }, [message]) =>
      isOk
        ? share(inner)
        : failAssertion(
            `Result.expect: ${typeof message === 'string' ? message : 'expected Ok, found Err'} (${display(machine, inner)})`,
          ),
  ],
])

export const RESULT_CLOSURE_METHODS: ReadonlyMap<string, ResultClosureMethod> = new Map<string, ResultClosureMethod>([
  [
    'map',
    (machine, result, closure) =>
      result.isOk ? new ResultValue(true, apply(machine, closure, [share(result.inner)])) : result,
  ],
  [
    'map_err',
    (machine, result, closure) =>
      result.isOk ? result : new ResultValue(false, apply(machine, closure, [share(result.inner)])),
  ],
  ['and_then', (machine, result, closure) => (result.isOk ? apply(machine, closure, [share(result.inner)]) : result)],
])
