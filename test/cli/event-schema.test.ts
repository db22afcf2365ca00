import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventJsonSchema } from '../../src/cli/json-schema.ts'

const published = JSON.parse(readFileSync(new URL('../../schema/events.v1.schema.json', import.meta.url), 'utf8'))
// Read back from the published text, apart from the schema that it was made of.
const reader = z.fromJSONSchema(published)
const warning = { v: 1, event: 'warning', at: '2026-11-30T12:00:00.000Z', text: 'x' }

test('the published JSON Schema is the one of the code; node scripts/write-schema.js writes it', () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(eventJsonSchema())))
})

test('it takes an event with a field that came later', () => {
  expect(reader.safeParse({ ...warning, later: 1 }).success).toBe(true)
})

test.each([
  ['another version', { ...warning, v: 2 }],
  ['an unknown event', { ...warning, event: 'news' }],
  ['a field of the wrong type', { ...warning, text: 1 }],
  ['no time', { ...warning, at: undefined }],
])('it refuses %s', (_what, event) => {
  expect(reader.safeParse(event).success).toBe(false)
})
