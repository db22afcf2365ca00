// Writes the JSON Schemas of the report, of comparisons, of sweep files and of events from the code: `node scripts/write-schema.js`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, withSources } from './with-sources.js'

const files = [
  'src/report/json-schema.ts',
  'src/compare/json-schema.ts',
  'src/config/json-schema.ts',
  'src/cli/json-schema.ts',
]
await withSources(files, (report, comparison, sweep, events) => {
  mkdirSync(join(root, 'schema'), { recursive: true })
  const write = (name, schema) => writeFileSync(join(root, 'schema', name), `${JSON.stringify(schema, null, 2)}\n`)
  write('report.v1.schema.json', report.reportJsonSchema())
  write('comparison.v1.schema.json', comparison.comparisonJsonSchema())
  write('sweep.schema.json', sweep.sweepJsonSchema())
  write('events.v1.schema.json', events.eventJsonSchema())
})
