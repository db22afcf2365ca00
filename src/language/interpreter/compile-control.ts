import type { Block, Expr, IfExpr, MatchArm } from '../ast.ts'
import { compilePattern } from './compile-pattern.ts'
import type { Compiler, Use } from './compiler.ts'
import { descend } from './compiler.ts'
import { failAssertion, failType } from './ending.ts'
import { charge, step } from './machine.ts'
import { BOX_BYTES, ITEM_BYTES } from './memory.ts'
import { closeBlock, declare, openBlock, reserveSlot } from './scope.ts'
import { splitCharacters } from './text.ts'
import type { Code, Value } from './value.ts'
import { kindOf, ListValue, ObjectValue, Signal, share, TupleValue } from './value.ts'

export function compileBlock(compiler: Compiler, block: Block, use: Use): Code {
  const { machine } = compiler
  const body = compileBody(compiler, block, use)
  return (frame) => {
    step(machine)
    return body(frame)
  }
}

/** Statements of a block that is no node of its own. */
export function compileBody(compiler: Compiler, block: Block, use: Use): Code {
  openBlock(compiler.scope)
  const code = compiler.parts.statements(compiler, block.body, use === 'read' ? 'kept' : use)
  closeBlock(compiler.scope)
  return code
}

export function compileIf(compiler: Compiler, { condition, then, otherwise }: IfExpr, use: Use): Code {
  const { machine } = compiler
  const test = compiler.parts.expression(compiler, condition, 'read')
  const whenTrue = compileBody(compiler, then, use)
  const whenFalse = compileOtherwise(compiler, otherwise, use)
  return (frame) => {
    step(machine)
    const value = test(frame)
    if (value === true) return whenTrue(frame)
    return value === false ? whenFalse(frame) : failType('bool', kindOf(value))
  }
}

/** Vox wraps an `else if` as the one statement of an else block, which costs the statement's step. */
function compileOtherwise(compiler: Compiler, otherwise: Block | IfExpr | null, use: Use): Code {
  const { machine } = compiler
  if (otherwise === null) return () => null
  if (otherwise.kind === 'block') return compileBody(compiler, otherwise, use)
  const code = descend(compiler, () => compileIf(compiler, otherwise, use))
  return (frame) => {
    step(machine)
    return code(frame)
  }
}

export function compileMatch(compiler: Compiler, { subject, arms }: Extract<Expr, { kind: 'match' }>, use: Use): Code {
  const { machine } = compiler
  const value = compiler.parts.expression(compiler, subject, 'kept')
  const tests = arms.map((arm) => compileArm(compiler, arm, use))
  return (frame) => {
    step(machine)
    const matched = value(frame)
    for (let at = 0; at < tests.length; at++) {
      const { fits, body } = tests[at] as CompiledArm
      if (fits(frame, matched)) return body(frame)
    }
    return failAssertion('No match arm found')
  }
}

interface CompiledArm {
  readonly fits: ReturnType<typeof compilePattern>
  readonly body: Code
}

function compileArm(compiler: Compiler, { pattern, body }: MatchArm, use: Use): CompiledArm {
  openBlock(compiler.scope)
  const fits = compilePattern(compiler, pattern)
  const code = compileArmBody(compiler, body, use)
  closeBlock(compiler.scope)
  return { fits, body: code }
}

/** A bare `return`, `break` or `continue` stands for a block around it. */
function compileArmBody(compiler: Compiler, body: MatchArm['body'], use: Use): Code {
  if (body.kind !== 'return' && body.kind !== 'break' && body.kind !== 'continue')
    return compiler.parts.expression(compiler, body, use)
  return compileBlock(compiler, { kind: 'block', body: [body], span: body.span }, use)
}

/**
 * `for` walks the list as it was when the loop began. A `break` ends the loop but travels on as the
 * loop's value, which the statements around take for their own; so Vox does.
 */
export function compileFor(
  compiler: Compiler,
  { name, indexName, iterable, body }: Extract<Expr, { kind: 'for' }>,
): Code {
  const { machine, scope } = compiler
  const source = compiler.parts.expression(compiler, iterable, 'kept')
  const walked = reserveSlot(scope)
  openBlock(scope)
  const item = declare(scope, name).slot
  const index = indexName === null ? null : declare(scope, indexName).slot
  const code = compiler.parts.expression(compiler, body, 'dropped')
  closeBlock(scope)
  return (frame) => {
    step(machine)
    const list = listItems(compiler, source(frame))
    const { items } = list
    // Held in the frame so that it counts as memory in use.
    frame[walked] = list
    for (let at = 0; at < items.length; at++) {
      frame[item] = share(items[at] as Value)
      if (index !== null) frame[index] = at
      const value = code(frame)
      if (typeof value === 'object' && value instanceof Signal && value.kind !== 'continue') {
        frame[walked] = undefined
        return value
      }
    }
    frame[walked] = undefined
    return null
  }
}

/** What a `for` walks over: a list's items, a map's pairs, a string's characters. */
function listItems({ machine }: Compiler, value: Value): ListValue {
  if (value instanceof ListValue) return value
  if (typeof value === 'string') {
    charge(machine, value.length * ITEM_BYTES)
    return new ListValue(splitCharacters(value))
  }
  if (!(value instanceof ObjectValue)) return failType('List', kindOf(value))
  charge(machine, value.keys.length * BOX_BYTES)
  return new ListValue(value.keys.map((key, at) => new TupleValue([key, value.values[at] as Value])))
}
