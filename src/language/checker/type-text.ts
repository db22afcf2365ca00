import { type Inference, type Mismatch, resolve } from './inference.ts'
import { paramsOf, partOf, resultOf, type Type } from './type.ts'

/** Types can be shared graphs that would print exponentially long; past this many parts a text ends in `…`. */
const MAX_PARTS = 200

type Style = (inference: Inference, type: Type, part: (type: Type) => string) => string

function render(inference: Inference, type: Type, style: Style): string {
  let partsLeft = MAX_PARTS
  const part = (each: Type): string => (--partsLeft < 0 ? '…' : style(inference, resolve(inference, each), part))
  return part(type)
}

const DEBUG_WORDS: Readonly<Record<string, string>> = {
  variable: 'TypeVar',
  generic: 'GenericParam',
  named: 'Named',
  import: 'ImportPlaceholder',
}

const debugStyle: Style = (_inference, type, part) => {
  const word = DEBUG_WORDS[type.kind] ?? capitalised(type.kind)
  switch (type.kind) {
    case 'variable':
    case 'generic':
      return `${word}(${type.id})`
    case 'named':
    case 'import':
      return `${word}(${JSON.stringify(type.name)})`
    case 'fn':
      return `Fn([${paramsOf(type).map(part).join(', ')}], ${part(resultOf(type))})`
    case 'tuple':
      return `Tuple([${type.args.map(part).join(', ')}])`
    case 'record':
      return `Record([${type.labels.map((label, at) => `(${JSON.stringify(label)}, ${part(partOf(type, at))})`).join(', ')}])`
    default:
      return type.args.length === 0 ? word : `${word}(${shownArgs(type).map(part).join(', ')})`
  }
}

const capitalised = (word: string): string => word.replace(/^./, (first) => first.toUpperCase())

/** A result with the usual error type is shown by its value type alone. */
const shownArgs = (type: Type): readonly Type[] =>
  type.kind === 'result' && partOf(type, 1).kind === 'str' ? [partOf(type)] : type.args

/** A type in the notation of most diagnostics, e.g. `List(Int)`. */
export const debugText = (inference: Inference, type: Type): string => render(inference, type, debugStyle)

const SOURCE_WORDS: Readonly<Record<string, string>> = { decimal: 'dec', unit: 'Unit', element: 'Element' }

/** A type much as it is written in a program, e.g. `List[int]`. */
export function sourceText(inference: Inference, type: Type): string {
  return render(inference, type, (_inference, each, part) => {
    if (each.kind === 'named' || each.kind === 'import') return each.name
    if (each.kind === 'fn') return `fn(${paramsOf(each).map(part).join(', ')}) to ${part(resultOf(each))}`
    if (each.kind === 'variable' || each.kind === 'generic') return '_'
    if (each.args.length === 0) return SOURCE_WORDS[each.kind] ?? each.kind
    return `${capitalised(each.kind)}[${shownArgs(each).map(part).join(', ')}]`
  })
}

/** A method's receiver as `method not found` names it, e.g. `Option[<unknown>]`. */
export function receiverText(inference: Inference, type: Type): string {
  return render(inference, type, (_inference, each, part) => {
    switch (each.kind) {
      case 'variable':
      case 'generic':
        return '<unknown>'
      case 'named':
        return each.name
      case 'fn':
        return 'fn(...)'
      case 'list':
      case 'option':
      case 'set':
      case 'map':
      case 'result':
      case 'stream':
        return `${capitalised(each.kind)}[${shownArgs(each).map(part).join(', ')}]`
      default:
        return debugText(inference, each)
    }
  })
}

/** Why two types do not unify, as a diagnostic says it. */
export function mismatchText(inference: Inference, mismatch: Mismatch): string {
  if (mismatch.kind === 'text') return mismatch.text
  if (mismatch.kind === 'recursive') {
    const name = debugText(inference, mismatch.variable)
    return `Recursive type unification (occurs check failed): ${name} occurs in ${debugText(inference, mismatch.type)}`
  }
  const { left, right } = mismatch
  if (left.kind === 'error' || right.kind === 'error') {
    return `Cannot unify error type with ${sourceText(inference, left.kind === 'error' ? right : left)}`
  }
  if (left.kind === 'import' || right.kind === 'import') {
    const [placeholder, other] = left.kind === 'import' ? [left, right] : [right, left]
    return `Cannot unify unresolved import '${placeholder.name}' with ${sourceText(inference, other)}`
  }
  return `Cannot unify ${debugText(inference, left)} with ${debugText(inference, right)}`
}
