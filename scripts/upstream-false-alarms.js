// Writes src/compare/upstream-false-alarms.ts by simulation: `node scripts/upstream-false-alarms.js`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, withSources } from './with-sources.js'

const PULL_REQUESTS = 10_000
const SEED = 164

await withSources(['test/compare/upstream-simulation.ts'], ({ simulateUpstream }) => {
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
})
