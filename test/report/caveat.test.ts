import { expect, test } from 'vitest'
import { buildCaveat } from '../../src/report/caveat.ts'
import { SCRIPT_RECORDING } from '../../src/report/known-prompts.ts'
import { listComparisons, statePowers } from '../../src/report/planned-comparisons.ts'
import { statePower, wordChance, wordPower } from '../../src/report/power-words.ts'
import { renderHtml } from '../../src/report/report-html.ts'
import { renderSummary } from '../../src/report/summary-markdown.ts'
import {
  FOLDER_SUBJECT,
  judged,
  PREFLIGHT,
  type SampleOptions,
  samplePlan,
  sampleSubject,
} from '../score/sample-run.ts'
import { sampleReport } from './sample-report.ts'

async function caveatOf(options: SampleOptions) {
  const { caveat } = await sampleReport(options)
  return new Map(caveat.map((each) => [each.id, each]))
}

test('40 problems are few, and the first sentence says how seldom they notice a gap of 10 points', () => {
  const text = wordPower(statePower(40))
  expect(text).toMatch(
    /^40 problems are few: if one row were truly 10 points better than another, this run would notice it between one time in seven and one time in five\. Noticing it 8 times in ten takes 122 to 207 problems\. /,
  )
  expect(text).toMatch(/ Method: exact two-sided McNemar test, alpha 5 %, planned for 2\.5 % to 7\.5 % of problems/)
})

test.each([
  [1, '1 problem is few:'],
  [121, '121 problems are few:'],
  [122, '122 problems may be too few:'],
  [207, 'With 207 problems,'],
])('%s problems are called few only as far as their power is below the target', (n, start) => {
  expect(wordPower(statePower(n)).startsWith(start)).toBe(true)
})

test('answers read from a folder were not given our prompts, and the caveat says so', async () => {
  const { caveat } = await sampleReport({ fixtures: 1, subjects: [FOLDER_SUBJECT, sampleSubject('asked')] })
  const texts = caveat.filter(({ id }) => id === 'recording').map(({ text }) => text)
  expect(texts).toHaveLength(1)
  expect(texts[0]).toContain('is what the user declared')
})

test('one problem is worded as one', async () => {
  const { caveat } = await sampleReport({ fixtures: 1, split: 'all' })
  for (const { text } of caveat) expect(text).not.toMatch(/these 1 |1 problems|1 cells/i)
})

test.each([
  [{ min: 0, max: 0.0001 }, 'practically never'],
  [{ min: 0, max: 0.1 }, 'at most one time in ten'],
  [{ min: 0.1, max: 0.104 }, 'about one time in ten'],
  [{ min: 0.04, max: 0.05 }, 'between one time in 25 and one time in 20'],
  [{ min: 0.787, max: 0.9596 }, '79 to 96 times in a hundred'],
  [{ min: 0.97, max: 0.9999 }, '97 to more than 99 times in a hundred'],
  [{ min: 0.999, max: 0.9999 }, 'more than 99 times in a hundred'],
  [{ min: 0.003, max: 0.45 }, 'at most 45 times in a hundred'],
  [{ min: 1, max: 1 }, '100 times in a hundred'],
])('a chance of %o is %s', (chance, words) => {
  expect(wordChance(chance)).toBe(words)
})

test('the power of the caveat is that of the comparisons of the plan, where it has some', async () => {
  const { plan, caveat } = await sampleReport({ fixtures: 40 })
  const [least] = statePowers(plan, listComparisons(plan))
  const statement = least?.statements[0]
  expect(caveat.find(({ id }) => id === 'power')?.numbers).toMatchObject({
    n: 40,
    alpha: statement?.alpha,
    powerMin: statement?.power.min,
    powerMax: statement?.power.max,
  })
})

test('the power of the caveat of a row alone is that of as many fixtures as the plan has, against another run', async () => {
  const caveat = await caveatOf({ fixtures: 40, subjects: [sampleSubject('alone')], conditions: ['C1'] })
  const { power, neededN } = statePower(40)
  expect(caveat.get('power')?.numbers).toMatchObject({
    n: 40,
    powerMin: power.min,
    powerMax: power.max,
    neededMin: neededN.min,
    neededMax: neededN.max,
  })
})

test('where a comparison of the plan is decided, the caveat says what may be claimed of it and that no more may', async () => {
  const claimsOf = async (passes: number) => {
    const { caveat } = await sampleReport({
      fixtures: 40,
      conditions: ['C1'],
      subjects: [sampleSubject('one'), sampleSubject('two')],
      outcome: ({ subject, fixture }) =>
        judged({ kind: subject === 'one' && fixture >= passes ? 'timeout' : 'passed' }),
    })
    return caveat.find(({ id }) => id === 'claims')
  }
  const decided = await claimsOf(20)
  expect(decided?.text).toContain('1 of the 1 of the plan')
  expect(decided?.text).toContain('May not: any other order of the rows')
  expect(decided?.numbers).toMatchObject({ comparisons: 1, decided: 1 })
  const open = await claimsOf(38)
  expect(open?.text).toContain('May not: that one subject or harness is better than another')
})

test('a family counts as one problem', () => {
  const plan = samplePlan({ fixtures: 6 })
  const related = {
    ...plan,
    fixtures: plan.fixtures.map((fixture, index) => ({ ...fixture, family: index < 4 ? 'sorting' : null })),
  }
  const caveat = buildCaveat({
    plan: related,
    registration: null,
    rows: [],
    comparisons: [],
    attempts: [],
    engine: PREFLIGHT.engine,
    sandbox: PREFLIGHT.sandbox,
    endedBecause: null,
  })
  expect(caveat[0]?.numbers.n).toBe(3)
  expect(caveat[0]?.text).toContain('3 independent problems')
  expect(caveat.find(({ id }) => id === 'families')?.text).toContain('3 families')
})

test('the power statement comes first, and what may be claimed second', async () => {
  const { caveat } = await sampleReport({ fixtures: 1 })
  expect(caveat.slice(0, 2).map(({ id }) => id)).toEqual(['power', 'claims'])
})

test('every run names the conflict of interest, the origin of the problems and their coverage', async () => {
  const caveat = await caveatOf({ fixtures: 1 })
  expect(caveat.get('conflict')?.text).toContain('MENS')
  expect(caveat.get('origin')?.text).toContain('may be inflated')
  expect(caveat.get('coverage')?.text).toContain('not Vox as a whole')
})

test('recorded answers say how and when they were obtained, and whether rows compare', async () => {
  const { caveat } = await sampleReport({ fixtures: 1 })
  const [batched, single] = caveat.filter(({ id }) => id === 'recording')
  expect(batched?.text).toContain('on 2026-11-29')
  expect(batched?.text).toContain('do not compare')
  expect(single?.text).toContain('a request of its own')
})

test('answers from a script are no recording of a model, and are told as what they are', async () => {
  const recording = { obtained: SCRIPT_RECORDING, date: null, isBatched: null }
  const report = await sampleReport({ fixtures: 1, subjects: [sampleSubject('m', { endpoint: null, recording })] })
  expect(report.caveat.some(({ id }) => id === 'recording')).toBe(false)
  expect(report.caveat.find(({ id }) => id === 'script')?.text).toBe(
    'The answers of m were written by hand in a script: they rehearse a run and say nothing of any model.',
  )
  for (const output of [renderHtml(report), renderSummary(report)]) {
    expect(output).toContain('Scripted answers')
    expect(output).not.toContain('recorded answers')
  }
})

test('the embedded engine is named once', async () => {
  const engine = (await caveatOf({ fixtures: 1 })).get('engine')?.text ?? ''
  expect(engine.split('embedded engine of this tool')).toHaveLength(2)
})

test('unknown cutoffs are named and are not clean', async () => {
  const caveat = await caveatOf({ fixtures: 1 })
  expect(caveat.get('cutoff')?.text).toContain('1 of 2 subjects is unknown (general-purpose-model)')
  expect(caveat.get('cutoff')?.text).toContain('unknown does not mean clean')
})

test('a cutoff after the problems is named; one before them needs no word', async () => {
  const late = await caveatOf({
    fixtures: 3,
    subjects: [sampleSubject('model', { cutoff: { date: '2027-01-01', source: 'declared' } })],
  })
  expect(late.get('cutoff')?.text).toContain('Only 0 of 3 problems')
  const early = await caveatOf({ fixtures: 3, subjects: [sampleSubject('model')] })
  expect(early.has('cutoff')).toBe(false)
})

test.each(['demo', 'smoke'] as const)('the purpose %s is told', async (purpose) => {
  expect((await caveatOf({ fixtures: 1, purpose })).get('purpose')?.numbers).toEqual({ purpose })
})

test('a plain run on held-out problems has nothing to say of purpose or split', async () => {
  const caveat = await caveatOf({ fixtures: 1 })
  expect(caveat.has('purpose') || caveat.has('split') || caveat.has('incomplete')).toBe(false)
})

test('another split than held-out is told', async () => {
  const caveat = await caveatOf({ fixtures: 2, split: 'training-eligible' })
  expect(caveat.get('split')?.text).toContain('may have been trained on 2 of these 2 problems')
})

test('an official engine needs no word, an unofficial one and its gaps do', () => {
  const plan = samplePlan({ fixtures: 1 })
  const ids = (engine: typeof PREFLIGHT.engine) =>
    buildCaveat({
      plan,
      registration: null,
      rows: [],
      comparisons: [],
      attempts: [],
      engine,
      sandbox: null,
      endedBecause: null,
    }).map(({ id }) => id)
  expect(ids(PREFLIGHT.engine)).toContain('engine')
  expect(ids({ ...PREFLIGHT.engine, kind: 'process', version: 'vox 0.6.0', official: true })).not.toContain('engine')
})

test('an incomplete run says why and how many headlines are withheld', async () => {
  const caveat = await caveatOf({
    fixtures: 1,
    conditions: ['C0'],
    outcome: () => ({
      completion: { kind: 'infra-error', class: 'rate', message: 'slow down', requests: 3 },
      verification: null,
    }),
  })
  expect(caveat.get('incomplete')?.text).toContain('2 of 2 attempts have no verdict')
  expect(caveat.get('incomplete')?.text).toContain('withheld')
})

test('findings in the corpus are counted, the first one named', () => {
  const plan = samplePlan({ fixtures: 1 })
  const warnings = [
    { fixture: '001', field: 'prompt', message: 'has a twin' },
    { fixture: '002', field: 'id', message: 'is odd' },
  ]
  const caveat = buildCaveat({
    plan: { ...plan, corpus: { ...plan.corpus, warnings } },
    registration: null,
    rows: [],
    comparisons: [],
    attempts: [],
    engine: PREFLIGHT.engine,
    sandbox: PREFLIGHT.sandbox,
    endedBecause: null,
  })
  expect(caveat.find(({ id }) => id === 'findings')?.text).toContain(
    '2 findings to look into, the first: 001, prompt: has a twin',
  )
})

test('problems that were left out are named, since what is left was chosen by the engine', () => {
  const plan = { ...samplePlan({ fixtures: 3 }), excluded: [{ fixture: '017', reason: 'check-failed' }] }
  const caveat = buildCaveat({
    plan,
    registration: null,
    rows: [],
    comparisons: [],
    attempts: [],
    engine: PREFLIGHT.engine,
    sandbox: PREFLIGHT.sandbox,
    endedBecause: null,
  })
  const excluded = caveat.find(({ id }) => id === 'excluded')
  expect(excluded?.text).toContain('1 problem of 4 was left out')
  expect(excluded?.text).toContain('017')
})

test('a sandbox says what it left open, and nothing when all is closed', () => {
  const plan = samplePlan({ fixtures: 1 })
  const textOf = (sandbox: typeof PREFLIGHT.sandbox) =>
    buildCaveat({
      plan,
      registration: null,
      rows: [],
      comparisons: [],
      attempts: [],
      engine: PREFLIGHT.engine,
      sandbox,
      endedBecause: null,
    }).find(({ id }) => id === 'sandbox')?.text
  expect(textOf(PREFLIGHT.sandbox)).toBeUndefined()
  const landlock = {
    ...PREFLIGHT.sandbox,
    level: 'landlock' as const,
    closed: { ...PREFLIGHT.sandbox.closed, udp: false },
  }
  expect(textOf(landlock)).toContain('the network by UDP')
  expect(textOf(landlock)).not.toContain('TCP')
})
