import { z } from 'zod'
import { fileOptions, optionTable } from './option-table.ts'
import { writtenSweepSchema } from './sweep-config.ts'

type Node = Record<string, unknown>

/** The JSON Schema (draft 2020-12) of a sweep file for editors, as published in `schema/sweep.schema.json`. */
export function sweepJsonSchema(): object {
  const { $schema, properties, ...schema } = z.toJSONSchema(writtenSweepSchema, {
    target: 'draft-2020-12',
    io: 'input',
  })
  const { subjects, ...options } = properties as Record<string, Node>
  const subject = (subjects?.items ?? {}) as Node
  return {
    $schema,
    title: 'sweep file of vox-efficacy',
    ...schema,
    properties: {
      subjects: {
        ...describeNode('subjects', subjects as Node),
        items: { ...subject, properties: describeAll(subject.properties as Record<string, Node>) },
      },
      ...describeAll(options),
    },
    // Flags may describe the only subject of a sweep.
    required: (schema.required ?? []).filter((name) => name !== 'subjects'),
  }
}

function describeAll(properties: Readonly<Record<string, Node>>): Record<string, Node> {
  return Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, describeNode(name, node)]))
}

function describeNode(name: string, node: Node): Node {
  const option = [...optionTable, ...fileOptions].find((entry) => entry.name === name)
  if (option === undefined) return node
  const description = option.help
  if (!('kind' in option) || option.kind !== 'list') return { description, ...node }
  // One value alone is a list of it, and so are several in one text.
  const { default: fallback, ...list } = node
  const items = list.items as Node
  return {
    description,
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: [items, list, ...textOfItems(items)],
  }
}

/** Texts that are split at commas, where the schema of an item takes fewer. */
function textOfItems({ type, pattern }: Node): Node[] {
  if (type === 'string' && pattern === undefined) return []
  const item = type === 'string' ? String(pattern).replace(/^\^|\$$/g, '') : '\\d+'
  return [{ type: 'string', pattern: `^\\s*(?:${item})\\s*(?:,\\s*(?:${item})\\s*)*$` }]
}
