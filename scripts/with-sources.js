import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

export const root = resolve(fileURLToPath(import.meta.url), '../..')

/**
 * Gives `use` the exports of TypeScript files of this repository, in the order of `files`. Node 20 reads no TypeScript,
 * so they are bundled first; inside the project, where their packages are found.
 */
export async function withSources(files, use) {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/sources-'))
  try {
    const input = Object.fromEntries(files.map((file, index) => [`source-${index}`, file]))
    const bundle = await rolldown({ cwd: root, input, platform: 'node' })
    await bundle.write({ dir: folder, format: 'esm' })
    await bundle.close()
    const load = (_file, index) => import(pathToFileURL(join(folder, `source-${index}.js`)).href)
    return await use(...(await Promise.all(files.map(load))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
