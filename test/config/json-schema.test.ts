import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { sweepJsonSchema } from '../../src/config/json-schema.ts'
import { optionTable } from '../../src/config/option-table.ts'
import { sweepFileSchema } from '../../src/config/sweep-config.ts'

type Properties = Record<string, { description?: string; items?: { properties: Properties } }>

const repository = resolve(import.meta.dirname, '../..')
const published = JSON.parse(readFileSync(resolve(repository, 'schema/sweep.schema.json'), 'utf8'))
// Read back from the published text, apart from the schema that it was made of.
const editor = z.fromJSONSchema(published)
const ofSweep: Properties = published.properties
const ofSubject = ofSweep.subjects?.items?.properties as Properties

function isAccepted(text: string): boolean {
  return editor.safeParse(parse(text)).success
}

/** Every YAML block of the documentation that has subjects. */
function listExamples(): (readonly [string, string])[] {
  const pages = readdirSync(resolve(repository, 'docs')).map((name) => `docs/${name}`)
  return [...pages, 'README.md']
    .filter((name) => name.endsWith('.md'))
    .flatMap((page) => {
      const text = readFileSync(resolve(repository, page), 'utf8')
      return [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => [page, block] as const)
    })
    .filter(([, block]) => /^subjects:/m.test(block))
}

test('the published JSON Schema is the one of the code; node scripts/write-schema.js writes it', () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(sweepJsonSchema())))
})

test('the documentation has examples', () => {
  expect(listExamples().length).toBeGreaterThanOrEqual(3)
})

test.each(listExamples())('the example in %s is valid, and so it is to the tool', (_page, block) => {
  expect(editor.safeParse(parse(block))).toMatchObject({ success: true })
  expect(sweepFileSchema.safeParse(parse(block))).toMatchObject({ success: true })
})

test('every option is described by its help', () => {
  for (const { name, scope, help } of optionTable) {
    expect((scope === 'subject' ? ofSubject : ofSweep)[name]?.description, name).toBe(help)
  }
  for (const [name, node] of Object.entries({ ...ofSweep, ...ofSubject })) expect(node.description, name).toBeTruthy()
})

test('what only the tool itself writes is not offered', () => {
  expect(Object.keys(ofSweep)).not.toContain('purpose')
})

test('one value stands for a list of it', () => {
  expect(isAccepted('condition: C1\nk: 1\nsubjects: [{ model: m, condition: [C0], provider: a }]')).toBe(true)
})

test.each(['condition: C0,C1', 'k: 1, 5', 'fixtures: 001,002', 'subjects: [{ model: m, provider: "a, b/fp8" }]'])(
  'a list may be one text: %s',
  (text) => {
    expect(isAccepted(text)).toBe(true)
    const whole = text.startsWith('subjects') ? text : `${text}\nsubjects: [{ model: m }]`
    expect(sweepFileSchema.safeParse(parse(whole)).success).toBe(true)
  },
)

test('a file without subjects is valid, since flags may describe the only one', () => {
  expect(isAccepted('condition: [C0]\nn: 2')).toBe(true)
})

test.each([
  ['an unknown option', 'modle: m'],
  ['an unknown option of a subject', 'subjects: [{ modle: m }]'],
  ['a value of another kind', 'n: many'],
  ['a value out of range', 'n: 0'],
  ['a word that is none of the choices', 'split: mine'],
  ['a list item of another kind', 'k: [a]'],
  ['a list item of another kind in a text', 'k: 1,a'],
  ['an empty item in a text', 'k: 1,,2'],
])('%s is marked', (_what, text) => {
  expect(isAccepted(text)).toBe(false)
})
