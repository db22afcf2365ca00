// Writes action.yml, action-types.yml and the tables in docs/action.md from the option table: `node scripts/write-action.js`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = resolve(fileURLToPath(import.meta.url), '../..')
// Node 20 reads no TypeScript, so the source is bundled first; inside the project, where its packages are found.
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/action-'))
try {
  const bundle = await rolldown({ cwd: root, input: 'src/action/action-yml.ts', platform: 'node' })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'action-yml.js' })
  await bundle.close()
  const { renderActionTypes, renderActionYml, withTables } = await import(
    pathToFileURL(join(folder, 'action-yml.js')).href
  )
  writeFileSync(join(root, 'action.yml'), renderActionYml())
  writeFileSync(join(root, 'action-types.yml'), renderActionTypes())
  const page = join(root, 'docs/action.md')
  writeFileSync(page, withTables(readFileSync(page, 'utf8')))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
