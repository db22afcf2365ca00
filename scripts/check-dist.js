// Fails when dist/ is not what the sources build, or has grown to what every job of every user would wait for.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const mostBytes = 4_000_000

function filesBelow(folder) {
  const found = new Map()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    // Versions of Node compress differently: what counts is what comes out.
    found.set(relative(folder, path), (path.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString())
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
  const bytes = [...have.keys()].reduce((sum, name) => sum + statSync(join(root, 'dist', name)).size, 0)
  if (bytes >= mostBytes) {
    console.error(
      `dist/ is ${bytes} bytes, and may be ${mostBytes - 1}: every job downloads it before it does anything.`,
    )
    process.exitCode = 1
  }
} finally {
  rmSync(built, { recursive: true, force: true })
}
