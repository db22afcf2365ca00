// Writes the JSON Schemas of the report, of comparisons, of sweep files and of events from the code: `node scripts/write-schema.js`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = resolve(fileURLToPath(import.meta.url), '../..')
// Node 20 reads no TypeScript, so the schema is bundled first; inside the project, where its packages are found.
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/schema-'))
try {
  const input = {
    report: 'src/report/json-schema.ts',
    comparison: 'src/compare/json-schema.ts',
    sweep: 'src/config/json-schema.ts',
    events: 'src/cli/json-schema.ts',
  }
  const bundle = await rolldown({ cwd: root, input, platform: 'node' })
  await bundle.write({ dir: folder, format: 'esm' })
  await bundle.close()
  const load = (name) => import(pathToFileURL(join(folder, `${name}.js`)).href)
  const [{ reportJsonSchema }, { comparisonJsonSchema }, { sweepJsonSchema }, { eventJsonSchema }] = await Promise.all(
    ['report', 'comparison', 'sweep', 'events'].map(load),
  )
  mkdirSync(join(root, 'schema'), { recursive: true })
  const write = (name, schema) => writeFileSync(join(root, 'schema', name), `${JSON.stringify(schema, null, 2)}\n`)
  write('report.v1.schema.json', reportJsonSchema())
  write('comparison.v1.schema.json', comparisonJsonSchema())
  write('sweep.schema.json', sweepJsonSchema())
  write('events.v1.schema.json', eventJsonSchema())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
