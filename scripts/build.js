// Bundles src/ into dist/ with lazy chunks. `node scripts/build.js [FOLDER]` writes elsewhere, for check-dist.js.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const outDir = resolve(process.argv[2] ?? resolve(root, 'dist'))

const bundle = await rolldown({
  cwd: root,
  input: {
    action: 'src/action/main.ts',
    cli: 'src/cli/main.ts',
    'vox-embedded': 'src/cli/vox-embedded.ts',
    'embedded-worker': 'src/engine/embedded-worker.ts',
  },
  platform: 'node',
  onLog(level, log, handler) {
    if (level === 'warn') throw new Error(`the bundler warns: ${log.message}`)
    handler(level, log)
  },
})
rmSync(outDir, { recursive: true, force: true })
await bundle.write({
  dir: outDir,
  format: 'esm',
  entryFileNames: '[name].js',
  // Beside the entries: code finds the corpus and the worker relative to its own file.
  chunkFileNames: '[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  banner: (chunk) => (chunk.isEntry && chunk.name !== 'embedded-worker' ? '#!/usr/bin/env node' : ''),
})
await bundle.close()
