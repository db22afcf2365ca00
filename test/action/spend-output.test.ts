import { beforeAll, expect, test, vi } from 'vitest'
import { buildAction, createWorkspace, runStep } from './action-process.ts'
import { billedInputs } from './billed-model.ts'

vi.setConfig({ testTimeout: 60_000 })

let action: string
beforeAll(async () => {
  action = await buildAction()
}, 120_000)

const cappedInputs = async () => ({ ...(await billedInputs()), 'max-spend-usd': '1' })

test('what a comparison costs is not what the compared report had cost', async () => {
  const workspace = createWorkspace()
  const sweep = await runStep(action, workspace, { inputs: await cappedInputs() })
  expect(sweep.outputs['spend-usd'], sweep.log).toBe('0.2')
  const report = 'out/report.json'
  const compared = await runStep(action, workspace, {
    inputs: { mode: 'compare', report, baseline: report, output: 'compared' },
  })
  expect(compared.outputs.gate, compared.log).toBe('blocked')
  expect(compared.outputs['spend-usd']).toBe('')
})

test('a merge that is refused does not tell what was spent', async () => {
  const workspace = createWorkspace()
  const inputs = { ...(await cappedInputs()), mode: 'shard', shard: '1/2', output: 'shards/1' }
  const shard = await runStep(action, workspace, { inputs })
  expect(Number(shard.outputs['spend-usd']), shard.log).toBeGreaterThan(0)
  const merge = await runStep(action, workspace, { inputs: { mode: 'merge', 'merge-from': 'shards' } })
  expect(merge.log).toContain('merge/refused')
  expect(merge.outputs['spend-usd']).toBe('')
})

test.each([
  { attempt: '1', spent: '0' },
  // What its first attempt spent would count, and is not here.
  { attempt: '2', spent: '' },
])('attempt $attempt of a run that fails before it asks tells $spent', async ({ attempt, spent }) => {
  const step = await runStep(action, createWorkspace(), {
    inputs: { ...(await cappedInputs()), engine: 'vox', vox: 'no/vox', rerun: 'fresh' },
    env: { GITHUB_RUN_ATTEMPT: attempt },
  })
  expect(step.code).toBe(1)
  expect(step.outputs['spend-usd'], step.log).toBe(spent)
})
