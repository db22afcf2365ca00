import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compareReports } from '../../src/compare/compare-reports.ts'
import { comparisonJsonSchema } from '../../src/compare/json-schema.ts'
import { baseReport, failing, headReport, OPTIONS, range } from './sample-pair.ts'

const published = JSON.parse(readFileSync(new URL('../../schema/comparison.v1.schema.json', import.meta.url), 'utf8'))
// Read back from the published text, apart from the schema that it was made of.
const reader = z.fromJSONSchema(published)

async function regressed() {
  const head = await headReport({ outcome: failing(...range(0, 9)) })
  return compareReports(await baseReport(), head, { ...OPTIONS, preset: 'upstream' })
}

test('the published JSON Schema is the one of the code; node scripts/write-schema.js writes it', () => {
  expect(published).toEqual(JSON.parse(JSON.stringify(comparisonJsonSchema())))
})

test('it takes what compare writes: a decision, and a first run that has none', async () => {
  for (const comparison of [await regressed(), compareReports(null, await headReport(), OPTIONS)])
    expect(reader.safeParse(JSON.parse(JSON.stringify(comparison))).success).toBe(true)
})

test.each([
  ['another version', { schemaVersion: 2 }],
  ['an unknown outcome', { outcome: 'fine' }],
  ['no decision where there has to be one or null', { decision: undefined }],
])('it refuses %s', async (_, changes) => {
  expect(reader.safeParse({ ...(await regressed()), ...changes }).success).toBe(false)
})
