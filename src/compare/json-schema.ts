import { z } from 'zod'
import { COMPARISON_VERSION, comparisonSchema } from './comparison-schema.ts'

/** The JSON Schema (draft 2020-12) of `comparison.json`, as published in `schema/comparison.v1.schema.json`. */
export function comparisonJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(comparisonSchema, { target: 'draft-2020-12' })
  return { $schema, title: `comparison.json of vox-efficacy, schema version ${COMPARISON_VERSION}`, ...schema }
}
