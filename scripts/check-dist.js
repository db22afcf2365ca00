// Fails when dist/ is not what the sources build.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '../..')

function filesBelow(folder) {
  const found = new Map()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    found.set(relative(folder, path), readFileSync(path, 'utf8'))
  }
  return found
}

const built = mkdtempSync(join(tmpdir(), 'vox-efficacy-dist-'))
try {
  execFileSync(process.execPath, [join(root, 'scripts/build.js'), built], { stdio: 'inherit' })
  const want = filesBelow(built)
  const have = filesBelow(join(root, 'dist'))
  const different = [...new Set([...want.keys(), ...have.keys()])].filter((name) => want.get(name) !== have.get(name))
  if (different.length > 0) {
    console.error(`dist/ is not what the sources build: ${different.join(', ')}\nRun: npm run build, and commit dist/.`)
    process.exitCode = 1
  }
} finally {
  rmSync(built, { recursive: true, force: true })
}
