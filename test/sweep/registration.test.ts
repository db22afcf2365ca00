import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Plan } from '../../src/generate/plan.ts'
import { listPlanDifferences } from '../../src/sweep/plan-differences.ts'
import { compareWithRegistered, hashPlan, readRegisteredPlan, registerPlan } from '../../src/sweep/registration.ts'
import { buildEntry } from '../engine/built-worker.ts'
import { samplePlan, samplePrice, sampleSubject } from '../score/sample-run.ts'
import { temporaryFolder } from './small-corpus.ts'

const plan = samplePlan({ fixtures: 4, subjects: [sampleSubject('a'), sampleSubject('b')] })
const at = new Date('2026-11-30T08:00:00.000Z')

test('a registered plan reads back with its hash and time', async () => {
  const file = path.join(temporaryFolder(), 'plan.json')
  const written = await registerPlan(file, plan, at)
  expect(await readRegisteredPlan(file)).toEqual(written)
  expect(written).toMatchObject({ hash: hashPlan(plan), registeredAt: at.toISOString(), plan })
})

test('a registered plan is never written over', async () => {
  const file = path.join(temporaryFolder(), 'plan.json')
  await registerPlan(file, plan, at)
  const before = readFileSync(file, 'utf8')
  await expect(registerPlan(file, { ...plan, seed: 9 }, at)).rejects.toMatchObject({
    code: 'registration/unwritable',
    message: expect.stringContaining('a registered plan stays as it is'),
  })
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test.skipIf(process.platform === 'win32')(
  'a plan for which there is no room leaves nothing, so that it can be registered later',
  async () => {
    const folder = temporaryFolder()
    const module = await buildEntry('sweep/registration.ts')
    const file = path.join(folder, 'plan.json')
    const words = `import { registerPlan } from ${JSON.stringify(pathToFileURL(module).href)}
await registerPlan(process.argv[1], ${JSON.stringify(plan)}, new Date())`
    const node = [process.execPath, '--input-type=module', '-e', words, file]
    const { stderr } = spawnSync('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', ...node], { encoding: 'utf8' })
    expect(stderr).toContain('registration/unwritable')
    expect(readdirSync(folder)).toEqual([])
  },
)

test('a registered plan that was changed afterwards is refused', async () => {
  const file = path.join(temporaryFolder(), 'plan.json')
  const written = await registerPlan(file, plan, at)
  writeFileSync(file, JSON.stringify({ ...written, plan: { ...plan, samples: 3 } }))
  await expect(readRegisteredPlan(file)).rejects.toThrow('its plan was changed after it was registered')
})

test('a plan that was registered before a field of plans was thought of is taken', async () => {
  const file = path.join(temporaryFolder(), 'plan.json')
  const { versions, ...rest } = plan
  const { feedback: _later, ...earlier } = versions
  const old = { ...rest, versions: earlier } as unknown as Plan
  await registerPlan(file, old, at)
  expect((await readRegisteredPlan(file)).plan.versions).toEqual({ ...earlier, feedback: 1 })
})

test.each([
  ['no JSON', 'x', 'registration/invalid'],
  ['another file', '{"plan": {}}', 'registration/invalid'],
])('%s is no registered plan', async (_what, text, code) => {
  const file = path.join(temporaryFolder(), 'plan.json')
  writeFileSync(file, text)
  await expect(readRegisteredPlan(file)).rejects.toMatchObject({ code })
})

test('a registered plan that is not there is told', async () => {
  await expect(readRegisteredPlan('/nowhere/plan.json')).rejects.toMatchObject({ code: 'registration/unreadable' })
})

test('the hash depends neither on the order of keys nor on the version of the tool, but on everything else', () => {
  const turned = Object.fromEntries(Object.entries(plan).reverse()) as Plan
  expect(hashPlan(turned)).toBe(hashPlan(plan))
  expect(hashPlan({ ...plan, tool: { ...plan.tool, version: '9.9.9' } })).toBe(hashPlan(plan))
  expect(hashPlan({ ...plan, seed: plan.seed + 1 })).not.toBe(hashPlan(plan))
})

const [first, ...others] = plan.fixtures as [Plan['fixtures'][number], ...Plan['fixtures']]
const [subject] = plan.subjects as [Plan['subjects'][number]]
const [prompt] = plan.prompts as [Plan['prompts'][number]]

test.each<[string, Partial<Plan>, string[]]>([
  ['the same plan', {}, []],
  ['more samples', { samples: 5 }, ['samples: was 1, is 5']],
  ['another cap', { caps: { runUsd: 9, monthUsd: null } }, ['caps, runUsd: was 2, is 9']],
  ['a problem less', { fixtures: others }, ['problem: no longer 001']],
  [
    'a changed problem',
    { fixtures: [{ ...first, hash: 'h' }, ...others] },
    [expect.stringMatching(/^problem 001, hash:/)],
  ],
  ['another subject', { subjects: [subject, sampleSubject('c')] }, ['subject: no longer b', 'subject: newly c']],
  [
    'another price',
    { subjects: [{ ...subject, price: samplePrice({ promptUsdPerM: 7 }) }, sampleSubject('b')] },
    ['subject a, price, promptUsdPerM: was 0.15, is 7'],
  ],
  [
    'another prompt',
    { prompts: [{ ...prompt, hash: 'h' }, ...plan.prompts.slice(1)] },
    [expect.stringMatching(/^prompt 001 under C0, hash:/)],
  ],
  [
    'who told a price, and a newer catalogue',
    {
      catalogue: { source: 's', fetchedAt: null, sha256: 'x' },
      subjects: [{ ...subject, price: samplePrice({ source: 'catalogue of 2026-12-01' }) }, sampleSubject('b')],
    },
    [],
  ],
])('%s is told by its part', (_what, changes, differences) => {
  expect(listPlanDifferences(plan, { ...plan, ...changes })).toEqual(differences)
})

test('many differences are counted, and changed prompts in one line', () => {
  const large = samplePlan({ fixtures: 30, conditions: ['C0'] })
  const prompts = large.prompts.map((each) => ({ ...each, user: 'else' }))
  expect(listPlanDifferences(large, { ...large, prompts })).toEqual(['prompt: 30 texts are others'])
  const fixtures = large.fixtures.map((each) => ({ ...each, hash: 'else' }))
  expect(listPlanDifferences(large, { ...large, fixtures }).at(-1)).toBe('and 10 more')
})

test('a run records the hash, the time and every difference', () => {
  const registered = {
    kind: 'vox-efficacy registered plan',
    hash: hashPlan(plan),
    registeredAt: at.toISOString(),
    plan,
  } as const
  expect(compareWithRegistered(registered, { ...plan, seed: 8 })).toEqual({
    hash: hashPlan(plan),
    at: at.toISOString(),
    differences: ['seed: was 7, is 8'],
  })
})
