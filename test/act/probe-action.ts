import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { repository } from '../cli/cli-process.ts'

/** Bundles the probe, an action that only tests have, into a fresh folder, and gives it for the caller to remove. */
export async function buildProbe(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-act-probe-'))
  cpSync(path.join(repository, 'test/act/probe/action.yml'), path.join(folder, 'action.yml'))
  const bundle = await rolldown({ cwd: repository, input: { probe: 'test/act/probe/probe.ts' }, platform: 'node' })
  await bundle.write({ dir: path.join(folder, 'dist'), format: 'esm', entryFileNames: '[name].js' })
  await bundle.close()
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  return folder
}
