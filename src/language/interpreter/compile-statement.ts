import type { Expr, Pattern, Stmt } from '../ast.ts'
import { compileAssign, compilePop, isPop, isReturn } from './compile-assign.ts'
import { compileBody } from './compile-control.ts'
import { compileWriteBack } from './compile-method.ts'
import { compilePattern, failPattern } from './compile-pattern.ts'
import type { Compiler, Use } from './compiler.ts'
import { descend } from './compiler.ts'
import { failType, refuse } from './ending.ts'
import { step } from './machine.ts'
import { declare } from './scope.ts'
import type { Code, Value } from './value.ts'
import { BREAK, CONTINUE, normalizeNone, Signal } from './value.ts'

/** Runs statements in order; the first signal ends them and is their value, else the last one's value is. */
export function compileStatements(compiler: Compiler, statements: readonly Stmt[], use: Use): Code {
  const codes = statements.map((statement, at) =>
    compileStatement(compiler, statement, at === statements.length - 1 ? use : 'dropped'),
  )
  const [first, second, third] = codes
  if (first === undefined) return () => null
  if (second === undefined) return first
  if (third === undefined) {
    return (frame) => {
      const value = first(frame)
      return isSignal(value) ? value : second(frame)
    }
  }
  return (frame) => {
    let value: Value = null
    for (let at = 0; at < codes.length; at++) {
      value = (codes[at] as Code)(frame)
      if (isSignal(value)) return value
    }
    return value
  }
}

export function compileStatement(compiler: Compiler, statement: Stmt, use: Use): Code {
  return descend(compiler, () => compile(compiler, statement, use))
}

function isSignal(value: Value): value is Signal {
  return typeof value === 'object' && value instanceof Signal
}

function compile(compiler: Compiler, statement: Stmt, use: Use): Code {
  switch (statement.kind) {
    case 'let':
      return compileLet(compiler, statement.pattern, statement.value)
    case 'assign':
      return compileAssign(compiler, statement)
    case 'return':
      return compileReturn(compiler, statement.value)
    case 'while':
      return compileWhile(compiler, statement)
    case 'loop':
      return compileLoop(compiler, statement)
    case 'break':
      return compileJump(compiler, BREAK)
    case 'continue':
      return compileJump(compiler, CONTINUE)
    case 'expr':
      return compileExpressionStatement(compiler, statement.value, use)
  }
}

function compileExpressionStatement(compiler: Compiler, expression: Expr, use: Use): Code {
  if (expression.kind === 'method' && expression.receiver.kind === 'name')
    return compileWriteBack(compiler, expression, use)
  const { machine } = compiler
  const code = compiler.parts.expression(compiler, expression, use)
  return (frame) => {
    step(machine)
    return code(frame)
  }
}

function compileLet(compiler: Compiler, pattern: Pattern, expression: Expr): Code {
  const { machine, scope } = compiler
  const value = compiler.parts.expression(compiler, expression, 'kept')
  if (pattern.kind === 'bind' && !isPop(expression)) {
    const { slot } = declare(scope, pattern.name)
    return (frame) => {
      step(machine)
      const bound = value(frame)
      if (isReturn(bound)) return bound
      frame[slot] = bound
      return null
    }
  }
  const fits = compilePattern(compiler, pattern)
  const shrink = compilePop(compiler, expression)
  return (frame) => {
    step(machine)
    const bound = value(frame)
    if (isReturn(bound)) return bound
    if (!fits(frame, bound)) return failPattern(pattern, bound)
    shrink(frame)
    return null
  }
}

function compileReturn(compiler: Compiler, expression: Expr | null): Code {
  const { machine } = compiler
  if (expression === null) {
    const signal = new Signal('return', null)
    return () => {
      step(machine)
      return signal
    }
  }
  const value = compiler.parts.expression(compiler, expression, 'moved')
  return (frame) => {
    step(machine)
    const returned = value(frame)
    return isReturn(returned) ? returned : new Signal('return', normalizeNone(returned))
  }
}

function compileWhile(compiler: Compiler, { condition, body }: Extract<Stmt, { kind: 'while' }>): Code {
  const { machine } = compiler
  const test = compiler.parts.expression(compiler, condition, 'read')
  const code = compileBody(compiler, body, 'dropped')
  return (frame) => {
    step(machine)
    for (;;) {
      const isWanted = test(frame)
      if (isWanted === false) return null
      if (isWanted !== true) return failType('bool', 'other')
      const value = code(frame)
      if (isSignal(value)) {
        if (value.kind === 'break') return null
        if (value.kind === 'return') return value
      }
    }
  }
}

function compileLoop(compiler: Compiler, { body }: Extract<Stmt, { kind: 'loop' }>): Code {
  const { machine } = compiler
  const code = compileBody(compiler, body, 'dropped')
  if (body.body.length === 0) {
    return () => {
      step(machine)
      return refuse('empty `loop`, which neither ends nor counts steps')
    }
  }
  return (frame) => {
    step(machine)
    for (;;) {
      const value = code(frame)
      if (isSignal(value)) {
        if (value.kind === 'break') return null
        if (value.kind === 'return') return value
      }
    }
  }
}

function compileJump({ machine }: Compiler, signal: Signal): Code {
  return () => {
    step(machine)
    return signal
  }
}
