// Writes src/compare/upstream-false-alarms.ts by simulation: `node scripts/upstream-false-alarms.js`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const PULL_REQUESTS = 10_000
const SEED = 164
const root = resolve(fileURLToPath(import.meta.url), '../..')
// Node 20 reads no TypeScript, so the simulation is bundled first.
mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/upstream-'))
try {
  const bundle = await rolldown({ cwd: root, input: 'test/compare/upstream-simulation.ts', platform: 'node' })
  await bundle.write({ file: join(folder, 'simulation.js'), format: 'esm' })
  await bundle.close()
  const { simulateUpstream } = await import(pathToFileURL(join(folder, 'simulation.js')).href)
  const entries = simulateUpstream(PULL_REQUESTS, SEED).map(
    ({ where, rate, standardError }) => `  {
    where: '${where}',
    rate: ${rate},
    standardError: ${Number(standardError.toPrecision(2))},
  },`,
  )
  writeFileSync(
    join(root, 'src/compare/upstream-false-alarms.ts'),
    `/**
 * How often the upstream preset is broken by a pull request that makes nothing worse, over ${PULL_REQUESTS} of them.
 * Written by scripts/upstream-false-alarms.js.
 */
export const UPSTREAM_FALSE_ALARMS = [
${entries.join('\n')}
] as const
`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
