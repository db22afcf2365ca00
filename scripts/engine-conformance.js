// Writes docs/engine-conformance.md: `npm run conformance`. A test fails when it is not what the tables give.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, withSources } from './with-sources.js'

const tables = join(root, 'test/conformance')

await withSources(['test/conformance/document.ts'], ({ compareTables, renderDocument, unexplained }) => {
  const comparisons = compareTables(tables)
  const reasons = JSON.parse(readFileSync(join(tables, 'reasons.json'), 'utf8'))
  const notes = readFileSync(join(root, 'docs/engine-conformance.notes.md'), 'utf8')
  writeFileSync(join(root, 'docs/engine-conformance.md'), renderDocument(comparisons, reasons, notes))
  const open = unexplained(comparisons, reasons)
  if (open.length > 0) {
    console.error(`test/conformance/reasons.json lacks these, or has them though we agree: ${open.join(', ')}`)
    process.exitCode = 1
  }
})
