import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exitCodes } from '../../src/cli/command.ts'
import { plan } from '../../src/cli/commands/plan.ts'
import { smallCorpus, temporaryFolder } from '../sweep/small-corpus.ts'

vi.setConfig({ testTimeout: 120_000 })

const snapshot = path.resolve(import.meta.dirname, '../models/small-catalogue.json')

/** Runs the command in this process and gives what it prints. */
async function runPlan(options: Record<string, string | true>) {
  const key = process.env.OPENROUTER_API_KEY
  delete process.env.OPENROUTER_API_KEY
  onTestFinished(() => {
    if (key !== undefined) process.env.OPENROUTER_API_KEY = key
  })
  const out: string[] = []
  const code = await plan.run({
    options: { corpus: smallCorpus(3), catalogue: snapshot, ...options },
    positionals: [],
    terminal: { out: (text) => out.push(text), note: () => {}, live: () => {}, isInteractive: false },
    signal: new AbortController().signal,
    finishOnSignal: () => {},
  })
  return { code, text: out.join('\n') }
}

test('a plan tells attempts, costs, comparisons, power and what to mend, without a key', async () => {
  const { code, text } = await runPlan({
    model: 'orchard/quince-2',
    condition: 'C0,C2',
    n: '5',
    cutoff: 'auto',
    'max-spend-usd': '2',
  })
  expect(code).toBe(exitCodes.fine)
  if (process.env.SHOW) console.log(text)
  expect(text).toContain('3 problems (held-out), 5 samples each, in 2 rows: 30 attempts')
  expect(text).toContain('2026-02-28 (catalogue of 2026-11-28)')
  expect(text).toMatch(/orchard\/quince-2 +[\d,]+ +\$[\d.]+ +\$[\d.]+ +\$0\.15, \$0\.60/)
  expect(text).toMatch(/cap \$2\.00: /)
  expect(text).toContain('orchard/quince-2 C2 / orchard/quince-2 C0')
  expect(text).toContain('over 3 independent problems')
  expect(text).toContain('the environment variable OPENROUTER_API_KEY is not set')
})

describe('with a second turn', () => {
  async function planPair(cap: string) {
    const file = path.join(temporaryFolder(), 'sweep.yml')
    const subjects = ['- model: orchard/quince-2', '- model: orchard/quince-2\n    fix: true']
    writeFileSync(file, `max-spend-usd: ${cap}\nsubjects:\n  ${subjects.join('\n  ')}\n`)
    return (await runPlan({ config: file })).text
  }

  test('the legend says that both turns are counted', async () => {
    expect(await planPair('100')).toContain('both amounts count a second turn for every attempt')
    expect((await runPlan({ model: 'orchard/quince-2' })).text).not.toContain('second turn')
  })

  test('a missing key is told once, with every row that needs it', async () => {
    const text = await planPair('100')
    expect(text).toContain('  orchard/quince-2, orchard/quince-2+fix1 need a key, but the environment variable')
    expect(text.split('OPENROUTER_API_KEY')).toHaveLength(2)
  })

  test('a cap between expected cost and worst case may end the run', async () => {
    expect(await planPair('0.05')).toContain('the worst case is not: nothing is asked that could pass it')
  })
})

test('as JSON it is one value with every figure', async () => {
  const { text } = await runPlan({ model: 'orchard/quince-2', condition: 'C0', json: true })
  expect(JSON.parse(text)).toMatchObject({
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    forecast: { rows: 1, attempts: 3, expectedUsd: expect.any(Number), worstUsd: expect.any(Number) },
    comparisons: [],
    powers: [],
    notes: [expect.stringContaining('OPENROUTER_API_KEY')],
    registered: null,
  })
})

test('the expected cost follows the expected answer', async () => {
  const costs = await Promise.all(
    ['100', '10000'].map(async (tokens) => {
      const { text } = await runPlan({ model: 'orchard/quince-2', 'expected-tokens': tokens, json: true })
      return JSON.parse(text).forecast.expectedUsd as number
    }),
  )
  expect((costs[1] ?? 0) - (costs[0] ?? 0)).toBeCloseTo((3 * 9900 * 0.6) / 1e6, 10)
})

test.each(['0', '-1', '1.5', 'many'])('%s is no number of expected tokens', async (tokens) => {
  await expect(runPlan({ model: 'orchard/quince-2', 'expected-tokens': tokens })).rejects.toMatchObject({
    code: 'usage/number',
  })
})

test('a prompt that may not fit is told, one that cannot is an error', async () => {
  const { text } = await runPlan({ model: 'orchard/sloe-mini', condition: 'C3' })
  expect(text).toMatch(/orchard\/sloe-mini under C3: 3 prompts of 3 .* its context of 2,048 tokens/)
  await expect(runPlan({ model: 'orchard/crab-nano' })).rejects.toMatchObject({ code: 'prompt/context' })
})

test('a cap without a price is an error as it is for the run', async () => {
  await expect(runPlan({ model: 'orchard/any', 'max-spend-usd': '1' })).rejects.toMatchObject({
    code: 'subject/no-price',
  })
})

test('a registered plan is followed by the same options, and not by others', async () => {
  const corpus = smallCorpus(3)
  const file = path.join(temporaryFolder(), 'plan.json')
  const given = { model: 'orchard/quince-2', corpus }
  const { text } = await runPlan({ ...given, register: file })
  const { hash } = JSON.parse(readFileSync(file, 'utf8'))
  expect(text).toContain(`plan ${hash}`)
  expect((await runPlan({ ...given, registered: file })).text).toContain('It is the registered plan.')
  const other = await runPlan({ ...given, n: '2', registered: file, json: true })
  expect(JSON.parse(other.text).registered).toMatchObject({
    hash,
    differences: expect.arrayContaining(['samples: was 1, is 2']),
  })
})

test('nothing is registered when the plan has a problem', async () => {
  const file = path.join(temporaryFolder(), 'plan.json')
  await expect(runPlan({ model: 'orchard/crab-nano', register: file })).rejects.toThrow()
  expect(existsSync(file)).toBe(false)
})

test('a sweep file is planned as it would be run', async () => {
  const file = path.join(temporaryFolder(), 'sweep.yml')
  writeFileSync(file, 'condition: [C0, C1]\nsubjects:\n  - model: orchard/quince-2\n  - model: orchard/medlar-think\n')
  const { text } = await runPlan({ config: file, json: true })
  expect(JSON.parse(text).forecast).toMatchObject({ rows: 4, attempts: 12 })
  expect(JSON.parse(text).comparisons).toHaveLength(4)
})
