import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import type { Engine } from '../../src/engine/engine.ts'
import type { ProcessEngineOptions } from '../../src/engine/process-engine.ts'
import { createProcessEngine } from '../../src/engine/process-engine.ts'
import { noSandbox } from '../../src/engine/sandbox/sandbox.ts'
import { NO_ABILITIES, STAND_IN_IDENTITY } from './stand-in.ts'

/**
 * Bundles a file of src/ into a fresh temporary folder and returns where it lies: worker threads and child processes of a test run
 * plain JavaScript, as they do in the distribution.
 */
export async function buildEntry(source: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-built-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const root = path.resolve(import.meta.dirname, '../..')
  const bundle = await rolldown({ input: path.join(root, 'src', source), platform: 'node', cwd: root })
  const file = path.join(folder, path.basename(source).replace(/\.ts$/, '.mjs'))
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  return file
}

/** The embedded engine's worker, built for this test file. */
export async function buildWorker(): Promise<URL> {
  return pathToFileURL(await buildEntry('engine/embedded-worker.ts'))
}

/** The process engine over `vox-embedded`, built for this test file: the contract of the binary without the binary. */
export async function openBuiltVoxEmbedded(options: Partial<ProcessEngineOptions> = {}): Promise<Engine> {
  const file = await buildEntry('cli/vox-embedded.ts')
  return createProcessEngine({
    command: [process.execPath, file],
    identity: { ...STAND_IN_IDENTITY, version: 'vox-embedded' },
    abilities: {
      ...NO_ABILITIES,
      jsonDiagnostics: true,
      maxMemory: true,
      unsupportedExit: 64,
    },
    sandbox: noSandbox,
    ...options,
  })
}
