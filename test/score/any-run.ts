import fc from 'fast-check'
import { infraClasses } from '../../src/models/provider.ts'
import type { Verdict } from '../../src/verify/verdict.ts'
import { answer, type Outcome, type SampleOptions, sampleSubject, usageOf, verified } from './sample-run.ts'

const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constantFrom<Verdict>(
    { kind: 'passed' },
    { kind: 'passed' },
    { kind: 'truncated' },
    { kind: 'check-timeout' },
    { kind: 'timeout' },
    { kind: 'output-limit' },
    { kind: 'no-code', why: 'refused' },
    { kind: 'wrong-answer', where: 'fresh inputs', detail: 'f(1)' },
    { kind: 'budget', resource: 'depth' },
  ),
  fc.string().map((rule): Verdict => ({ kind: 'policy', rule, detail: rule })),
  fc.string().map((how): Verdict => ({ kind: 'cheated', how })),
  fc.string().map((signal): Verdict => ({ kind: 'crashed', signal })),
  fc.string().map((reason): Verdict => ({ kind: 'unsupported', reason })),
  fc.string().map((name): Verdict => ({ kind: 'runtime-error', class: name, detail: name })),
  fc.tuple(fc.string(), fc.maxSafeNat(), fc.maxSafeNat()).map(
    ([message, line, column]): Verdict => ({
      kind: 'check-failed',
      class: message,
      diagnostics: [{ severity: 'error', code: null, message, line, column }],
    }),
  ),
)

const completed = fc
  .record({
    text: fc.option(fc.string()),
    latencyMs: fc.option(fc.nat()),
    costUsd: fc.option(fc.double({ min: 0, max: 10, noNaN: true })),
    promptTokens: fc.option(fc.nat()),
    completionTokens: fc.option(fc.nat()),
  })
  .map(({ text, latencyMs, costUsd, promptTokens, completionTokens }) =>
    answer({
      text,
      latencyMs,
      costUsd,
      usage: usageOf({ promptTokens, completionTokens }),
    }),
  )

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc
    .tuple(completed, verdict, fc.option(fc.string()))
    .map(([completion, verdict, code]) => ({ completion, verification: verified(verdict, code) })),
  completed.map((completion) => ({ completion, verification: null })),
  fc.constantFrom(...infraClasses).map((name) => ({
    completion: { kind: 'infra-error' as const, class: name, message: 'x', requests: 1 },
    verification: null,
  })),
  fc
    .constantFrom(
      'no-answer-file' as const,
      'spend-cap' as const,
      'cancelled' as const,
      'deadline' as const,
      'context' as const,
      'subject-stopped' as const,
    )
    .map((why) => ({ completion: { kind: 'not-attempted' as const, why, message: 'x' }, verification: null })),
)

/** A small sweep in which anything may have become of each attempt. */
export const anySweep: fc.Arbitrary<SampleOptions> = fc
  .record({
    fixtures: fc.integer({ min: 1, max: 4 }),
    samples: fc.integer({ min: 1, max: 3 }),
    conditions: fc.constantFrom(['C0'], ['C0', 'C1@50', 'C1'], ['C1', 'file:help.md']),
    cutoff: fc.constantFrom(null, '2026-01-01', '2026-11-29'),
    outcomes: fc.array(outcome, { minLength: 1, maxLength: 12 }),
  })
  .map(({ fixtures, samples, conditions, cutoff, outcomes }) => ({
    fixtures,
    samples,
    conditions,
    k: samples > 1 ? [1, samples] : [1],
    subjects: [sampleSubject('first', { cutoff: { date: cutoff, source: 'declared' } }), sampleSubject('second')],
    outcome: ({ subject, fixture, sample }) => outcomes[(subject.length + 3 * fixture + 5 * sample) % outcomes.length]!,
  }))
