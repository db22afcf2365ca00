import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lexWithTrivia } from '../../src/language/lexer.ts'
import { parse } from '../../src/language/parser/parser.ts'
import { print } from '../../src/language/printer/printer.ts'
import { loadConformance, stripSpans } from './parser-fixture.ts'
import { arbitraryScript, arbitrarySoup, arbitraryStatements } from './source-arbitrary.ts'

/** Whether the source parsed; when it did, its print must parse to the same module and print the same again. */
function expectIdentity(source: string): boolean {
  const first = parse(source)
  if (first.kind !== 'parsed') return false
  const text = print(first.module)
  const second = parse(text)
  if (second.kind !== 'parsed') throw new Error(`the print does not parse: ${JSON.stringify(second)}\n${text}`)
  // Compared as text, which is many times faster on whole modules.
  expect(JSON.stringify(stripSpans(second.module))).toBe(JSON.stringify(stripSpans(first.module)))
  expect(print(second.module)).toBe(text)
  return true
}

it('is undone by parsing, for every conformance program that parses', () => {
  const sources = [...loadConformance('programs'), ...loadConformance('random'), ...loadConformance('mutants')]
  const parsed = sources.filter(({ source }) => expectIdentity(source))
  expect(parsed.length).toBeGreaterThan(2500)
})

it('is undone by parsing, for conformance programs with tokens dropped, doubled and swapped', () => {
  const sources = loadConformance('programs').map(({ source }) => source)
  const mutated = fc
    .tuple(
      fc.constantFrom(...sources),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom('drop', 'double', 'swap')), { maxLength: 3 }),
    )
    .map(([source, edits]) => {
      const texts = lexWithTrivia(source).map(({ text }) => text)
      for (const [place, edit] of edits) {
        const at = place % Math.max(1, texts.length)
        if (edit === 'drop') texts.splice(at, 1)
        if (edit === 'double') texts.splice(at, 0, texts[at] ?? '')
        if (edit === 'swap') texts.splice(at, 2, ...texts.slice(at, at + 2).reverse())
      }
      return texts.join('')
    })
  fc.assert(
    fc.property(mutated, (source) => void expectIdentity(source)),
    { numRuns: 2000 },
  )
})

it('is undone by parsing, for any program of the grammar and any row of tokens', () => {
  const anything = fc.oneof(arbitraryStatements, arbitraryScript, arbitrarySoup)
  fc.assert(
    fc.property(anything, (source) => void expectIdentity(source)),
    { numRuns: 3000 },
  )
})
