import { z } from 'zod'
import { reportSchema, SCHEMA_VERSION } from './schema.ts'

/** The JSON Schema (draft 2020-12) of `report.json`, as published in `schema/report.v1.schema.json`. */
export function reportJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(reportSchema, { target: 'draft-2020-12' })
  return { $schema, title: `report.json of vox-efficacy, schema version ${SCHEMA_VERSION}`, ...schema }
}
