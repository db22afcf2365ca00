import type { FieldDecl, TypeDecl, VariantDecl } from '../ast.ts'
import { parseName } from './name.ts'
import type { ParserState } from './parser-state.ts'
import { eat, expect, isNext, peek, skipNewlines, spanFrom, stopUnsupported } from './parser-state.ts'
import { parseType } from './type.ts'

/**
 * `type Name { … }` or `type Name = | …`. Without a leading bar the sum type is left without variants
 * and whatever follows the `=` becomes the next item, as in Vox.
 */
export function parseTypeDecl(state: ParserState, head: { start: number; isPub: boolean }): TypeDecl {
  expect(state, 'type')
  const name = parseName(state)
  const { isPub, start } = head
  if (isNext(state, '{')) {
    const fields = parseRecordFields(state)
    return { kind: 'type', name, isPub, shape: { kind: 'record', fields }, span: spanFrom(state, start) }
  }
  expect(state, '=')
  const variants: VariantDecl[] = []
  let span = spanFrom(state, start)
  for (;;) {
    skipNewlines(state)
    if (!eat(state, '|')) break
    variants.push(parseVariant(state))
    span = spanFrom(state, start)
  }
  return { kind: 'type', name, isPub, shape: { kind: 'sum', variants }, span }
}

function parseRecordFields(state: ParserState): readonly FieldDecl[] {
  expect(state, '{')
  const fields: FieldDecl[] = []
  for (;;) {
    skipNewlines(state)
    if (isNext(state, '}') || peek(state).kind === 'eof') break
    fields.push(parseField(state))
    eat(state, ',')
  }
  expect(state, '}')
  return fields
}

function parseField(state: ParserState): FieldDecl {
  if (peek(state).kind === 'decorator') return stopUnsupported(state, 'decorated field')
  const name = parseName(state)
  expect(state, ':')
  return { name, type: parseType(state) }
}

function parseVariant(state: ParserState): VariantDecl {
  const { start } = peek(state).span
  const name = parseName(state)
  if (isNext(state, '{')) return stopUnsupported(state, 'record-shaped variant')
  const fields: FieldDecl[] = []
  if (eat(state, '(')) {
    while (!isNext(state, ')')) {
      fields.push(parseField(state))
      if (!eat(state, ',')) break
    }
    expect(state, ')')
  }
  return { name, fields, span: spanFrom(state, start) }
}
