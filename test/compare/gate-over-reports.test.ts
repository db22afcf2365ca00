import { expect, test } from 'vitest'
import { clopperPearson } from '../../src/stats/intervals.ts'
import { simulatePullRequests } from './report-simulation.ts'

const PULL_REQUESTS = 600

// 10,000 of these and others take minutes: scripts/gate-simulation.js.
test('A/A over whole reports, with further draws of what was lost: false alarms stay at alpha, draws change no outcome', async () => {
  const { regressed, improved, changedByDraws } = await simulatePullRequests({
    ...{ fixtures: 40, samples: 1, loss: 0, pullRequests: PULL_REQUESTS, seed: 11 },
    ...{ looks: [{ kind: 'single' }], hasDraws: true },
  })
  expect(changedByDraws).toBe(0)
  expect(clopperPearson(regressed + improved, PULL_REQUESTS, 0.002)?.high).toBeLessThanOrEqual(0.05)
})
