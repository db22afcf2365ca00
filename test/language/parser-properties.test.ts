import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lexWithTrivia } from '../../src/language/lexer.ts'
import { parse } from '../../src/language/parser/parser.ts'
import { loadConformance } from './parser-fixture.ts'
import { arbitraryScript, arbitrarySoup, arbitraryStatements } from './source-arbitrary.ts'

const sources = [...loadConformance('programs'), ...loadConformance('random')].map(({ source }) => source)
const source = fc.constantFrom(...sources)

/** Its verdict is one of the three, and errors come with a failure only. */
function expectVerdict(text: string): void {
  const result = parse(text)
  if (result.kind === 'failed') expect(result.diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
  else if (result.kind === 'parsed') expect(result.warnings.every(({ severity }) => severity === 'warning')).toBe(true)
  else expect(result.reason).not.toBe('')
}

it('gives a verdict on any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), expectVerdict), { numRuns: 1000 })
})

it('gives a verdict on any bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectVerdict(new TextDecoder().decode(bytes))))
})

it('gives a verdict on any row of tokens', () => {
  fc.assert(fc.property(arbitrarySoup, expectVerdict), { numRuns: 3000 })
})

it('gives a verdict on any program of the grammar', () => {
  fc.assert(fc.property(fc.oneof(arbitraryScript, arbitraryStatements), expectVerdict), { numRuns: 1000 })
})

it('gives a verdict on any prefix of a valid program', () => {
  const prefix = fc.tuple(source, fc.nat()).map(([text, cut]) => text.slice(0, cut % (text.length + 1)))
  fc.assert(fc.property(prefix, expectVerdict), { numRuns: 1000 })
})

it('does not depend on blanks and comments', () => {
  fc.assert(
    fc.property(source, (text) => {
      const spaced = lexWithTrivia(text).map(({ kind, text: piece }) => {
        if (kind === 'newline') return ' # aside\n'
        return kind === 'blank' ? '\t  ' : piece
      })
      // The first line may be a directive, which no parser looks at.
      expect(parse(spaced.join('')).kind).toBe(parse(text).kind)
    }),
    { numRuns: 300 },
  )
})

it('keeps the items in order and within the source', () => {
  fc.assert(
    fc.property(fc.oneof(source, arbitraryStatements), (text) => {
      const result = parse(text)
      if (result.kind !== 'parsed') return
      for (const { span } of result.module.items) {
        expect(span.start).toBeLessThanOrEqual(span.end)
        expect(span.end).toBeLessThanOrEqual(text.length)
      }
      const starts = result.module.items.map(({ span }) => span.start)
      expect(starts).toEqual([...starts].sort((left, right) => left - right))
    }),
    { numRuns: 500 },
  )
})
