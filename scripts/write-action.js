// Writes action.yml, action-types.yml and the tables in docs/action.md from the option table: `node scripts/write-action.js`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, withSources } from './with-sources.js'

await withSources(['src/action/action-yml.ts'], ({ renderActionTypes, renderActionYml, withTables }) => {
  writeFileSync(join(root, 'action.yml'), renderActionYml())
  writeFileSync(join(root, 'action-types.yml'), renderActionTypes())
  const page = join(root, 'docs/action.md')
  writeFileSync(page, withTables(readFileSync(page, 'utf8')))
})
