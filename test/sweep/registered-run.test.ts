import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type SweepConfig, sweepFileSchema } from '../../src/config/sweep-config.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openJournal } from '../../src/generate/journal.ts'
import { readSnapshot } from '../../src/models/load-catalogue.ts'
import { buildReport } from '../../src/report/build-report.ts'
import { listFacts } from '../../src/report/facts.ts'
import { joinRecords } from '../../src/score/join-records.ts'
import { planSweep } from '../../src/sweep/plan-sweep.ts'
import { registerPlan } from '../../src/sweep/registration.ts'
import { runSweep, type SweepEvent } from '../../src/sweep/run-sweep.ts'
import { buildWorker } from '../engine/built-worker.ts'
import { smallCorpus, temporaryFolder } from './small-corpus.ts'

vi.setConfig({ testTimeout: 120_000 })

let engine: Engine

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

const snapshot = path.resolve(import.meta.dirname, '../models/small-catalogue.json')
const loadCatalogue = async () => ({ catalogue: await readSnapshot(snapshot), warnings: [] })

/** A configuration over a scripted subject whose cutoff the catalogue tells. */
function configOf(more: Partial<SweepConfig> = {}): SweepConfig {
  const script = path.join(temporaryFolder(), 'script.yml')
  writeFileSync(script, 'rules:\n  - answer: I cannot say.\n')
  const subject = { script, model: 'orchard/quince-2', cutoff: 'auto' }
  return { ...sweepFileSchema.parse({ subjects: [subject], catalogue: snapshot }), ...more }
}

async function reportOf(config: SweepConfig, corpus: string) {
  const journal = path.join(temporaryFolder(), 'attempts.jsonl')
  const events: SweepEvent[] = []
  await runSweep(config, 'run', corpus, {
    loadCatalogue,
    openEngine: async () => ({ ...engine, close: async () => {} }),
    openJournal: () => openJournal(journal),
    env: {},
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
  })
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n')
  const report = buildReport(await joinRecords(lines.map((line) => JSON.parse(line))))
  const caveat = report.caveat.find(({ id }) => id === 'registration')?.text ?? ''
  return { report, caveat, facts: new Map(listFacts(report)), events }
}

test('a run says that it followed its registered plan', async () => {
  const corpus = smallCorpus(2)
  const config = configOf()
  const { plan } = await planSweep(config, 'run', corpus, { loadCatalogue, env: {} })
  const file = path.join(temporaryFolder(), 'plan.json')
  const { hash, registeredAt } = await registerPlan(file, plan, new Date())
  const { report, caveat, facts } = await reportOf({ ...config, registered: file }, corpus)
  expect(report.registration).toEqual({ hash, at: registeredAt, differences: [] })
  expect(report.plan).toEqual(plan)
  expect(facts.get('Plan')).toBe(`followed its registered plan ${hash} of ${registeredAt}`)
  expect(caveat).toMatch(/^This run followed the plan registered on /)
})

test('a run says where it did not follow its registered plan', async () => {
  const corpus = smallCorpus(2)
  const config = configOf()
  const { plan } = await planSweep(config, 'run', corpus, { loadCatalogue, env: {} })
  const file = path.join(temporaryFolder(), 'plan.json')
  await registerPlan(file, plan, new Date())
  const { report, caveat, facts } = await reportOf({ ...config, seed: 5, registered: file }, corpus)
  expect(report.registration?.differences).toEqual(['seed: was 1, is 5'])
  expect(facts.get('Plan')).toMatch(/^not its registered plan .*: seed: was 1, is 5$/)
  expect(caveat).toMatch(/did not follow the plan .* in 1 point: seed: was 1, is 5\.$/)
})

test('without a registered plan a run says so, and names the catalogue it used', async () => {
  const { report, caveat, facts } = await reportOf(configOf(), smallCorpus(1))
  expect(report.registration).toBeNull()
  expect(facts.get('Plan')).toBe('no plan was registered')
  expect(caveat).toMatch(/^No plan was registered before this run/)
  expect(facts.get('Catalogue')).toMatch(/^https:\/\/models\.example\/api\/v1\/models, fetched 2026-11-28T.*, sha256 /)
  expect(report.plan.subjects[0]?.cutoff).toEqual({ date: '2026-02-28', source: 'catalogue of 2026-11-28' })
})

test('what the catalogue has against a subject is told before the preflight', async () => {
  const [script] = configOf().subjects
  const config = configOf({ subjects: [{ ...script, model: 'orchard/unheard-of' }] })
  const { events } = await reportOf(config, smallCorpus(1))
  expect(events.slice(0, 2)).toMatchObject([
    { kind: 'warning', text: expect.stringContaining('has no model orchard/unheard-of') },
    { kind: 'planned' },
  ])
})

test('a registered plan that cannot be read stops the run before anything is opened', async () => {
  let isOpened = false
  const running = runSweep(configOf({ registered: '/nowhere/plan.json' }), 'run', smallCorpus(1), {
    loadCatalogue,
    openEngine: async () => {
      isOpened = true
      return engine
    },
    openJournal: () => {
      throw new Error('opened')
    },
    env: {},
    signal: new AbortController().signal,
    onEvent: () => {},
  })
  await expect(running).rejects.toMatchObject({ code: 'registration/unreadable' })
  expect(isOpened).toBe(false)
})
