import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type SubjectOptions, type SweepConfig, sweepFileSchema } from '../../src/config/sweep-config.ts'
import type { Subject } from '../../src/generate/plan.ts'
import { readSnapshot } from '../../src/models/load-catalogue.ts'
import { pinCatalogue, withCatalogue } from '../../src/sweep/pin-catalogue.ts'
import { samplePlan, samplePrice, sampleSubject } from '../score/sample-run.ts'

const snapshot = path.resolve(import.meta.dirname, '../models/small-catalogue.json')
const catalogue = await readSnapshot(snapshot)

function configOf(options: SubjectOptions, more: Partial<SweepConfig> = {}): SweepConfig {
  return { ...sweepFileSchema.parse({ subjects: [options] }), ...more }
}

/** One subject as it is before the catalogue, and what comes of it. */
function pin(model: string, options: Partial<SubjectOptions> = {}, subject: Partial<Subject> = {}, known = true) {
  const unpriced = { model, price: null, cutoff: { date: null, source: 'not declared' }, contextTokens: null }
  const { contestants, warnings } = pinCatalogue(
    [{ subject: sampleSubject(model, { ...unpriced, ...subject }) }],
    configOf({ model, ...options }),
    known ? catalogue : null,
  )
  return { subject: contestants[0]?.subject as Subject, warnings }
}

describe('the price', () => {
  test('of a subject at OpenRouter that declares none is the listed one, and says so', () => {
    expect(pin('orchard/quince-2').subject.price).toEqual({
      promptUsdPerM: 0.15,
      completionUsdPerM: 0.6,
      cachedPromptUsdPerM: 0.075,
      cacheWriteUsdPerM: 0.1875,
      requestUsd: null,
      source: 'catalogue of 2026-11-28',
    })
  })

  test('of thinking, where it is dearer, counts for all of an answer', () => {
    const { price } = pin('orchard/medlar-think').subject
    expect(price).toMatchObject({ completionUsdPerM: 6, requestUsd: 0.002 })
    expect(price?.source).toContain('(without: $4.00)')
  })

  test('as declared wins over the listed one, and both are shown where they differ', () => {
    const declared = samplePrice({ promptUsdPerM: 0.15, completionUsdPerM: 0.5 })
    const { subject, warnings } = pin('orchard/quince-2', {}, { price: declared })
    expect(subject.price).toMatchObject({ promptUsdPerM: 0.15, completionUsdPerM: 0.5, cachedPromptUsdPerM: null })
    expect(subject.price?.source).toBe(
      'declared by the user; the catalogue of 2026-11-28 differs: completion $0.50 declared, $0.60 listed',
    )
    expect(warnings).toEqual([expect.stringContaining('completion $0.50 declared, $0.60 listed')])
  })

  test('as declared within one per cent of the listed one is no difference', () => {
    const declared = samplePrice({ promptUsdPerM: 0.1495, completionUsdPerM: 0.6 })
    expect(pin('orchard/quince-2', {}, { price: declared })).toMatchObject({
      subject: { price: declared },
      warnings: [],
    })
  })

  test('that varies stays unknown', () => {
    expect(pin('orchard/any').subject.price).toBeNull()
  })

  test('and the context of a model elsewhere are not those of its namesake at OpenRouter', () => {
    const { subject } = pin('orchard/quince-2', { 'base-url': 'http://127.0.0.1:9/v1' })
    expect(subject).toMatchObject({ price: null, contextTokens: null })
  })
})

describe('the cutoff', () => {
  test('auto is what the catalogue tells', () => {
    expect(pin('orchard/quince-2', { cutoff: 'auto' }).subject.cutoff).toEqual({
      date: '2026-02-28',
      source: 'catalogue of 2026-11-28',
    })
  })

  test.each([
    ['2026-01-15', '2026-02-28'],
    ['2026-05-01', '2026-05-01'],
  ])('declared as %s and listed as 2026-02-28 is %s, and both are shown', (declared, date) => {
    const { cutoff } = pin('orchard/quince-2', { cutoff: declared }).subject
    expect(cutoff).toEqual({
      date,
      source: `the later of ${declared}, declared by the user, and 2026-02-28, in the catalogue of 2026-11-28`,
    })
  })

  test('auto is unknown where the catalogue does not tell, and where it has no such model', () => {
    expect(pin('orchard/sloe-mini', { cutoff: 'auto' }).subject.cutoff).toEqual({
      date: null,
      source: 'not told by the catalogue of 2026-11-28',
    })
    expect(pin('orchard/unheard-of', { cutoff: 'auto' }).subject.cutoff).toEqual({
      date: null,
      source: 'not in the catalogue of 2026-11-28',
    })
  })

  test('auto is unknown without a catalogue', () => {
    expect(pin('orchard/quince-2', { cutoff: 'auto' }, {}, false).subject.cutoff.date).toBeNull()
  })

  test('that nobody declared stays so', () => {
    expect(pin('orchard/quince-2').subject.cutoff).toEqual({ date: null, source: 'not declared' })
  })

  test('auto of a recording is that of its model', () => {
    const { subject } = pin('orchard/quince-2', { recording: 'answers', cutoff: 'auto' }, { endpoint: null })
    expect(subject).toMatchObject({ cutoff: { date: '2026-02-28' }, price: null, contextTokens: null })
  })
})

test('the context is pinned', () => {
  expect(pin('orchard/sloe-mini').subject.contextTokens).toBe(2048)
})

test('a model that the catalogue lacks is told, with the entries that could not be read', () => {
  expect(pin('orchard/unheard-of').warnings).toEqual([
    'orchard/unheard-of: the catalogue of 2026-11-28 has no model orchard/unheard-of (4 entries could not be read)',
  ])
})

test('what is asked beyond the limits of a model is told', () => {
  const sampling = { temperature: 0, topP: null, maxTokens: 16_384, reasoningEffort: null }
  expect(pin('orchard/medlar-think', {}, { sampling }).warnings).toEqual([
    'orchard/medlar-think: answers of 16,384 tokens are allowed, but the catalogue of 2026-11-28 has at most 8,192',
    'orchard/medlar-think: the catalogue of 2026-11-28 does not list temperature, seed as supported',
  ])
})

test('every setting that is sent is looked for, the cap of an answer under either of its names', () => {
  const sampling = {
    temperature: null,
    topP: 0.9,
    maxTokens: 64,
    reasoningEffort: null,
    maxTokensField: 'max_completion_tokens' as const,
    reasoningMaxTokens: 32,
    // The second one is no word of the catalogue.
    extraBody: { top_k: 1, session_label: 'a' },
  }
  expect(pin('orchard/sloe-mini', {}, { sampling }).warnings).toEqual([
    'orchard/sloe-mini: the catalogue of 2026-11-28 does not list top_p, seed, reasoning, top_k as supported',
  ])
  expect(pin('orchard/quince-2', {}, { sampling }).warnings).toEqual([
    'orchard/quince-2: the catalogue of 2026-11-28 does not list reasoning, top_k as supported',
  ])
})

test('a listed price may not be that of the providers that are asked for, and a declared one is', () => {
  const sampling = { temperature: null, topP: null, maxTokens: 64, reasoningEffort: null, providers: ['dear', 'fast'] }
  expect(pin('orchard/quince-2', {}, { sampling }).warnings).toEqual([
    'orchard/quince-2: the price is the one in the catalogue of 2026-11-28, and dear, fast may have another; declare it for a cap to hold',
  ])
  const price = samplePrice({ promptUsdPerM: 0.15, completionUsdPerM: 0.6 })
  expect(pin('orchard/quince-2', {}, { sampling, price }).warnings).toEqual([])
})

describe('for a whole sweep', () => {
  const unpriced = [{ subject: sampleSubject('orchard/any', { price: null }) }]

  test('what was used is named with its hash', async () => {
    const found = await withCatalogue(
      [{ subject: sampleSubject('orchard/quince-2') }],
      configOf({ model: 'orchard/quince-2' }),
      {
        loadCatalogue: async () => ({ catalogue, warnings: ['first'] }),
      },
    )
    expect(found.catalogue).toEqual({
      source: 'https://models.example/api/v1/models',
      fetchedAt: '2026-11-28T09:30:00.000Z',
      sha256: catalogue.sha256,
    })
    expect(found.warnings[0]).toBe('first')
  })

  test.each([
    ['it is off', { model: 'a/b' }, { catalogue: 'off' }],
    ['no subject is at OpenRouter or asks for it', { model: 'a/b', 'base-url': 'http://127.0.0.1:9/v1' }, {}],
    ['answers come from files', { 'from-dir': 'answers' }, {}],
  ])('it is not loaded when %s', async (_what, options, more) => {
    const found = await withCatalogue(unpriced, configOf(options, more), {
      loadCatalogue: () => Promise.reject(new Error('loaded')),
    })
    expect(found).toEqual({ subjects: unpriced, catalogue: null, warnings: [] })
  })

  test('a cap without any price is an error once no catalogue tells one', async () => {
    const config = configOf({ model: 'orchard/any' }, { 'max-spend-usd': 1 })
    for (const found of [catalogue, null]) {
      const pinning = withCatalogue(unpriced, config, {
        loadCatalogue: async () => ({ catalogue: found, warnings: ['It is down.'] }),
      })
      await expect(pinning).rejects.toMatchObject({
        code: 'subject/no-price',
        message: expect.stringMatching(/no price of orchard\/any: .* It is down\.$/),
      })
    }
  })

  test('without a cap a model without a price is no error', async () => {
    const found = await withCatalogue(unpriced, configOf({ model: 'orchard/any' }), {
      loadCatalogue: async () => ({ catalogue: null, warnings: [] }),
    })
    expect(found.subjects).toEqual(unpriced)
  })

  test('a run that is continued keeps what it was told when it began', async () => {
    const begun = sampleSubject('orchard/any', { price: samplePrice(), contextTokens: 77 })
    const pinned = { source: 's', fetchedAt: null, sha256: 'f'.repeat(64) }
    const found = await withCatalogue(unpriced, configOf({ model: 'orchard/any' }, { 'max-spend-usd': 1 }), {
      loadCatalogue: () => Promise.reject(new Error('loaded')),
      earlier: { planned: { plan: { ...samplePlan({ subjects: [begun] }), catalogue: pinned } } },
    })
    expect(found).toMatchObject({ subjects: [{ subject: begun }], catalogue: pinned })
  })
})
