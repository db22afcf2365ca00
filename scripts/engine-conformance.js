// Writes docs/engine-conformance.md: `npm run conformance`. A test fails when it is not what the tables give.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const tables = join(root, 'test/conformance')
// Node 20 reads no TypeScript, so what compares and renders is bundled first.
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/conformance-'))
try {
  const bundle = await rolldown({ cwd: root, input: 'test/conformance/document.ts', platform: 'node' })
  await bundle.write({ file: join(folder, 'document.js'), format: 'esm' })
  await bundle.close()
  const { compareTables, renderDocument, unexplained } = await import(pathToFileURL(join(folder, 'document.js')).href)
  const comparisons = compareTables(tables)
  const reasons = JSON.parse(readFileSync(join(tables, 'reasons.json'), 'utf8'))
  const notes = readFileSync(join(root, 'docs/engine-conformance.notes.md'), 'utf8')
  writeFileSync(join(root, 'docs/engine-conformance.md'), renderDocument(comparisons, reasons, notes))
  const open = unexplained(comparisons, reasons)
  if (open.length > 0) {
    console.error(`test/conformance/reasons.json lacks these, or has them though we agree: ${open.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
