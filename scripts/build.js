// Bundles src/ into dist/ with lazy chunks. `node scripts/build.js [FOLDER]` writes elsewhere, for check-dist.js.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const outDir = resolve(process.argv[2] ?? resolve(root, 'dist'))

// The tokenizer's table is 2 MB of JavaScript: more than all of ours. Compressed it is 0.8 MB, and loads no slower.
const tokenTable = {
  name: 'token-table',
  load: {
    filter: { id: /gpt-tokenizer[\\/]esm[\\/]bpeRanks[\\/]o200k_base\.js$/ },
    async handler(id) {
      const { default: ranks } = await import(pathToFileURL(id).href)
      const fileName = 'o200k_base.json.br'
      this.emitFile({ type: 'asset', fileName, source: brotliCompressSync(JSON.stringify(ranks)) })
      return [
        `import { readFileSync } from 'node:fs'`,
        `import { brotliDecompressSync } from 'node:zlib'`,
        `const packed = readFileSync(new URL('./${fileName}', import.meta.url))`,
        `export default JSON.parse(brotliDecompressSync(packed).toString())`,
      ].join('\n')
    },
  },
}

const bundle = await rolldown({
  cwd: root,
  input: {
    action: 'src/action/main.ts',
    cli: 'src/cli/main.ts',
    'vox-embedded': 'src/cli/vox-embedded.ts',
    'embedded-worker': 'src/engine/embedded-worker.ts',
  },
  platform: 'node',
  plugins: [tokenTable],
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
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
  banner: (chunk) => (chunk.isEntry && chunk.name !== 'embedded-worker' ? '#!/usr/bin/env node' : ''),
})
await bundle.close()
