import type { Span } from '../span.ts'
import type { Context } from './context.ts'
import { type Mismatch, resolve } from './inference.ts'
import { ERROR, type Type } from './type.ts'
import { debugText, mismatchText, receiverText } from './type-text.ts'

/** Reports an error and gives the error type, which is what a failed expression has. */
export function report(context: Context, span: Span, code: string | null, message: string): Type {
  context.diagnostics.push({ severity: 'error', code, message, span })
  return ERROR
}

export function reportUndefined(context: Context, span: Span, name: string): Type {
  return report(context, span, 'vox/types/undefined-variable', `Undefined variable: ${name}`)
}

export function reportArgumentCount(context: Context, span: Span, expected: number, found: number): void {
  const message = `Argument count mismatch: expected ${expected} arguments, found ${found}`
  report(context, span, 'vox/types/arg-count-mismatch', message)
}

const MISMATCHES = {
  argument: ['vox/types/arg-type-mismatch', 'Argument type mismatch'],
  return: ['vox/types/type-mismatch', 'Return type mismatch'],
  let: ['vox/types/type-mismatch', 'Type mismatch in `let`'],
} as const

export function reportMismatch(context: Context, span: Span, place: keyof typeof MISMATCHES, mismatch: Mismatch): void {
  const [code, title] = MISMATCHES[place]
  report(context, span, code, `${title}: ${mismatchText(context.inference, mismatch)}`)
}

export function reportUnknownMethod(context: Context, span: Span, method: string, receiver: Type): Type {
  const shown = receiverText(context.inference, receiver)
  const hint =
    shown === '<unknown>'
      ? 'Annotate the value where it comes from, so that its type is known here.'
      : 'An Option or a Result has to be unwrapped before its value is used.'
  return report(context, span, 'vox/types/method-not-found', `Method \`${method}\` not found on ${shown}.\n${hint}`)
}

export function reportOperands(context: Context, span: Span, left: Type, right: Type): Type {
  const shown = [left, right].map((type) => debugText(context.inference, type)).join(' and ')
  return report(context, span, null, `Invalid operands for +: ${shown}`)
}

/** Reports with no code a message that ends in a type, as most of the remaining ones do. */
export function reportAbout(context: Context, span: Span, text: string, type: Type): Type {
  return report(context, span, null, `${text} ${debugText(context.inference, resolve(context.inference, type))}`)
}
