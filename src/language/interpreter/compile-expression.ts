import type { Expr } from '../ast.ts'
import { toInt } from './arithmetic.ts'
import { compileBinary, compileUnary } from './compile-binary.ts'
import { compileCall, compilePipe } from './compile-call.ts'
import { compileBlock, compileFor, compileIf, compileMatch } from './compile-control.ts'
import { compileMethod } from './compile-method.ts'
import { compileName } from './compile-name.ts'
import type { Compiler, Use } from './compiler.ts'
import { descend } from './compiler.ts'
import { failAssertion, failType } from './ending.ts'
import { charge, step } from './machine.ts'
import { BOX_BYTES, ENTRY_BYTES, ITEM_BYTES } from './memory.ts'
import { isQuiet } from './quiet.ts'
import { characterAt } from './text.ts'
import type { Code, Value } from './value.ts'
import {
  FloatValue,
  FnValue,
  kindOf,
  ListValue,
  NONE,
  normalizeNone,
  ObjectValue,
  OptionValue,
  optional,
  ResultValue,
  Signal,
  share,
  some,
  TupleValue,
} from './value.ts'

/** Compiles an expression; its code counts one step for itself and one for every node below. */
export function compileExpression(compiler: Compiler, expression: Expr, use: Use): Code {
  return descend(compiler, () => compile(compiler, expression, use))
}

function compile(compiler: Compiler, expression: Expr, use: Use): Code {
  switch (expression.kind) {
    case 'int':
      return compileConstant(compiler, toInt(expression.value))
    case 'float':
      return compileConstant(compiler, new FloatValue(expression.value))
    case 'bool':
    case 'str':
      return compileConstant(compiler, expression.value)
    case 'template':
      return compileExpression(compiler, templateAsSum(expression), use)
    case 'name':
      return compileName(compiler, expression.name, use)
    case 'call':
      return compileCall(compiler, expression)
    case 'method':
      return compileMethod(compiler, expression, use)
    case 'field':
      return compileField(compiler, expression)
    case 'index':
      return compileIndex(compiler, expression)
    case 'unary':
      return compileUnary(compiler, expression)
    case 'binary':
      return compileBinary(compiler, expression)
    case 'pipe':
      return compilePipe(compiler, expression)
    case 'with':
      return compileForeign(compiler, 'With')
    case 'try':
      return compileTry(compiler, expression.operand)
    case 'list':
      return compileList(compiler, expression.items)
    case 'tuple':
      return compileTuple(compiler, expression.items)
    case 'object':
      return compileObject(compiler, expression.fields)
    case 'block':
      return compileBlock(compiler, expression, use)
    case 'if':
      return compileIf(compiler, expression, use)
    case 'match':
      return compileMatch(compiler, expression, use)
    case 'for':
      return compileFor(compiler, expression)
    case 'lambda':
      return compileLambda(compiler, expression)
    case 'element':
      return compileForeign(compiler, expression.children === null ? 'JsxSelfClosing' : 'Jsx')
  }
}

function compileConstant({ machine }: Compiler, value: Value): Code {
  return () => {
    step(machine)
    return value
  }
}

/** Vox lowers a template to a chain of `+` over its parts, without a string to start from. */
function templateAsSum({ parts, span }: Extract<Expr, { kind: 'template' }>): Expr {
  const [first, ...rest] = parts.map(
    (part): Expr =>
      part.kind === 'text' ? { kind: 'str', value: part.text, span } : { kind: 'name', name: part.name, span },
  )
  const start: Expr = first ?? { kind: 'str', value: '', span }
  return rest.reduce<Expr>((left, right) => ({ kind: 'binary', operator: 'add', left, right, span }), start)
}

/** A construct that Vox parses and its interpreter turns down. */
function compileForeign({ machine }: Compiler, construct: string): Code {
  return () => {
    step(machine)
    return failAssertion(`${construct} is not supported by the interpreter`)
  }
}

function compileField(compiler: Compiler, { receiver, name }: Extract<Expr, { kind: 'field' }>): Code {
  const { machine } = compiler
  const object = compileExpression(compiler, receiver, 'read')
  return (frame) => {
    step(machine)
    const value = object(frame)
    if (!(value instanceof ObjectValue)) return failType('Object', kindOf(value))
    const field = value.get(name)
    return field === undefined ? failAssertion(`Field ${name} not found on object`) : share(field)
  }
}

function compileIndex(compiler: Compiler, expression: Extract<Expr, { kind: 'index' }>): Code {
  const { machine } = compiler
  const receiver = compileExpression(compiler, expression.receiver, isQuiet(expression.index) ? 'read' : 'kept')
  const index = compileExpression(compiler, expression.index, 'read')
  return (frame) => {
    step(machine)
    const value = receiver(frame)
    const at = index(frame)
    if (typeof at === 'number') {
      if (value instanceof ListValue) return at >= 0 && at < value.items.length ? some(value.items[at] as Value) : NONE
      return typeof value === 'string' ? optional(characterAt(value, at)) : NONE
    }
    return typeof at === 'string' && value instanceof ObjectValue ? optional(value.get(at)) : NONE
  }
}

function compileTry(compiler: Compiler, operand: Expr): Code {
  const { machine } = compiler
  const code = compileExpression(compiler, operand, 'kept')
  return (frame) => {
    step(machine)
    const value = normalizeNone(code(frame))
    if (value instanceof ResultValue) return value.isOk ? share(value.inner) : new Signal('return', value)
    if (value instanceof OptionValue) return value.inner === undefined ? new Signal('return', NONE) : share(value.inner)
    return value
  }
}

function compileList(compiler: Compiler, expressions: readonly Expr[]): Code {
  const { machine } = compiler
  const codes = expressions.map((item) => compileExpression(compiler, item, 'kept'))
  const bytes = BOX_BYTES + codes.length * ITEM_BYTES
  return (frame) => {
    step(machine)
    charge(machine, bytes)
    const items: Value[] = []
    for (let at = 0; at < codes.length; at++) items.push((codes[at] as Code)(frame))
    return new ListValue(items)
  }
}

function compileTuple(compiler: Compiler, expressions: readonly Expr[]): Code {
  const { machine } = compiler
  const codes = expressions.map((item) => compileExpression(compiler, item, 'kept'))
  const bytes = BOX_BYTES + codes.length * ITEM_BYTES
  return (frame) => {
    step(machine)
    charge(machine, bytes)
    return new TupleValue(codes.map((code) => code(frame)))
  }
}

function compileObject(compiler: Compiler, fields: Extract<Expr, { kind: 'object' }>['fields']): Code {
  const { machine } = compiler
  const keys = fields.map((field) => field.key)
  const codes = fields.map((field) => compileExpression(compiler, field.value, 'kept'))
  const bytes = BOX_BYTES + codes.length * ENTRY_BYTES
  return (frame) => {
    step(machine)
    charge(machine, bytes)
    return new ObjectValue(
      keys.slice(),
      codes.map((code) => code(frame)),
    )
  }
}

/** A lambda captures the variables it uses, as they are when it is made. */
function compileLambda(compiler: Compiler, { params, body }: Extract<Expr, { kind: 'lambda' }>): Code {
  const { machine } = compiler
  const { prototype, captureFrom } = compiler.parts.lambda(compiler, params, body)
  const bytes = BOX_BYTES + captureFrom.length * ITEM_BYTES
  return (frame) => {
    step(machine)
    charge(machine, bytes)
    const captured = captureFrom.map((slot) => {
      const value = frame[slot]
      return value === undefined ? undefined : share(value)
    })
    return new FnValue(prototype, captured)
  }
}
