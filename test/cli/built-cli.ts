import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { repository } from './cli-process.ts'

/** Bundles the command line and `fixed-key-process.ts` from the sources of today into a fresh folder, and gives it. */
export async function buildCli(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-built-cli-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const bundle = await rolldown({
    cwd: repository,
    input: {
      cli: 'src/cli/main.ts',
      'fixed-key': 'test/cli/fixed-key-process.ts',
      'embedded-worker': 'src/engine/embedded-worker.ts',
    },
    platform: 'node',
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  return folder
}
