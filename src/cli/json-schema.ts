import { z } from 'zod'
import { EVENTS_VERSION, eventSchema } from './events.ts'

/** The JSON Schema (draft 2020-12) of a line of `--events`, as published in `schema/events.v1.schema.json`. */
export function eventJsonSchema(): object {
  // As input, which leaves room for the fields that a later release adds.
  const { $schema, ...schema } = z.toJSONSchema(eventSchema, { target: 'draft-2020-12', io: 'input' })
  return { $schema, title: `event of vox-efficacy, version ${EVENTS_VERSION}`, ...schema }
}
