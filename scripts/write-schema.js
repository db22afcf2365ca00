// Writes schema/report.v1.schema.json from the zod schema of the report: `node scripts/write-schema.js`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = resolve(fileURLToPath(import.meta.url), '../..')
// Node 20 reads no TypeScript, so the schema is bundled first; inside the project, where its packages are found.
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/schema-'))
try {
  const bundle = await rolldown({ cwd: root, input: 'src/report/json-schema.ts', platform: 'node' })
  await bundle.write({ file: join(folder, 'json-schema.js'), format: 'esm' })
  await bundle.close()
  const { reportJsonSchema } = await import(pathToFileURL(join(folder, 'json-schema.js')).href)
  mkdirSync(join(root, 'schema'), { recursive: true })
  writeFileSync(join(root, 'schema/report.v1.schema.json'), `${JSON.stringify(reportJsonSchema(), null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
