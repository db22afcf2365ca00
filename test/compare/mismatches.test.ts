import { expect, test } from 'vitest'
import { compareReports } from '../../src/compare/compare-reports.ts'
import type { Plan } from '../../src/generate/plan.ts'
import { FOLDER_SUBJECT, PREFLIGHT } from '../score/sample-run.ts'
import { baseReport, type Changes, HEAD, headReport, OPTIONS } from './sample-pair.ts'

/** HEAD's plan with something changed. */
function plan(change: (plan: Plan) => Partial<Plan>): Changes {
  return { plan: (before) => ({ ...before, ...change(before) }) }
}

function subject(changes: Partial<typeof HEAD>): Changes {
  return plan(({ subjects }) => ({ subjects: subjects.map((each) => ({ ...each, ...changes })) }))
}

const { engine } = PREFLIGHT
const changed: readonly (readonly [string, string, string, Changes])[] = [
  ['corpus hash', '', 'other', plan(({ corpus }) => ({ corpus: { ...corpus, hash: 'other' } }))],
  ['version extraction', '1', '2', plan(({ versions }) => ({ versions: { ...versions, extraction: 2 } }))],
  ['version policy', '1', '2', plan(({ versions }) => ({ versions: { ...versions, policy: 2 } }))],
  ['version composition', '1', '2', plan(({ versions }) => ({ versions: { ...versions, composition: 2 } }))],
  ['version template', '1', '2', plan(({ versions }) => ({ versions: { ...versions, template: 2 } }))],
  ['sampling temperature', '0', '0.7', subject({ sampling: { ...HEAD.sampling, temperature: 0.7 } })],
  ['sampling maxTokens', '4096', '100', subject({ sampling: { ...HEAD.sampling, maxTokens: 100 } })],
  ['sampling extraBody', 'none', '{"min_p":1}', subject({ sampling: { ...HEAD.sampling, extraBody: { min_p: 1 } } })],
  ['harness', 'vox-harness', 'other', subject({ harness: 'other' })],
  ['second turn', 'false', 'true', subject({ hasFixTurn: true })],
  [
    'how answers were obtained',
    'requested',
    'read from a folder of answers',
    subject({ recording: FOLDER_SUBJECT.recording }),
  ],
  ['engine kind', 'embedded', 'process', { preflight: { engine: { ...engine, kind: 'process' } } }],
  ['engine sha256', 'none', 'abc', { preflight: { engine: { ...engine, sha256: 'abc' } } }],
  ['engine profile', 'none', 'dev', { preflight: { engine: { ...engine, profile: 'dev' } } }],
  ['engine ability steps', 'none', 'true', { preflight: { engine: { ...engine, abilities: { steps: true } } } }],
  [
    'problem 003',
    '',
    'other',
    plan(({ fixtures }) => ({
      fixtures: fixtures.map((each) => (each.id === '003' ? { ...each, hash: 'other' } : each)),
    })),
  ],
  [
    'prompt of 004',
    '',
    'other',
    plan(({ prompts }) => ({
      prompts: prompts.map((each) => (each.fixture === '004' ? { ...each, hash: 'other' } : each)),
    })),
  ],
  [
    'condition hash',
    '',
    'other',
    plan(({ conditions }) => ({ conditions: conditions.map((each) => ({ ...each, hash: 'other' })) })),
  ],
]

test.each(changed)('another %s is refused by its name, with both values', async (field, base, head, changes) => {
  const comparison = compareReports(await baseReport(), await headReport({}, changes), OPTIONS)
  expect(comparison).toMatchObject({ outcome: 'blocked', passes: false, decision: null, regressions: [], cost: null })
  const found = comparison.mismatches.find((mismatch) => mismatch.field === field)
  expect(found).toMatchObject({ base: expect.stringContaining(base), head })
})

test('another number of samples, and another split, are refused', async () => {
  const samples = compareReports(await baseReport(), await headReport({ samples: 2 }), OPTIONS)
  expect(samples.mismatches).toEqual([{ field: 'samples', base: '1', head: '2' }])
  const split = compareReports(await baseReport(), await headReport({ split: 'all' }), OPTIONS)
  expect(split.mismatches).toContainEqual({ field: 'split', base: 'held-out', head: 'all' })
})

test('all fields that differ are named at once', async () => {
  const changes = plan(({ versions, corpus }) => ({
    versions: { ...versions, policy: 3 },
    corpus: { ...corpus, hash: 'other' },
  }))
  const { mismatches } = compareReports(await baseReport(), await headReport({ samples: 2 }, changes), OPTIONS)
  expect(mismatches.map(({ field }) => field)).toEqual(['corpus hash', 'samples', 'version policy'])
})

test.each([
  ['seed', plan(() => ({ seed: 99 }))],
  ['cap', plan(() => ({ caps: { runUsd: 9, monthUsd: null } }))],
  ['endpoint', subject({ endpoint: 'https://elsewhere.example' })],
  ['price', subject({ price: null })],
  ['place the engine came from', { preflight: { engine: { ...engine, provenance: 'archive' as const } } }],
  ['version of feedback without a second turn', plan(({ versions }) => ({ versions: { ...versions, feedback: 2 } }))],
])('another %s is compared all the same', async (_, changes) => {
  expect(compareReports(await baseReport(), await headReport({}, changes), OPTIONS)).toMatchObject({
    outcome: 'cannot-tell',
    mismatches: [],
  })
})

test('another version of feedback is refused where there is a second turn', async () => {
  const fix = { hasFixTurn: true }
  const later: Changes = {
    plan: (before) => ({
      ...before,
      subjects: before.subjects.map((each) => ({ ...each, ...fix })),
      versions: { ...before.versions, feedback: 2 },
    }),
  }
  expect(compareReports(await baseReport({}, subject(fix)), await headReport({}, later), OPTIONS).mismatches).toEqual([
    { field: 'version of feedback', base: '1', head: '2' },
  ])
})

test('the embedded engines of two versions of the tool are two engines', async () => {
  const older = await baseReport()
  const base = { ...older, tool: { ...older.tool, version: '0.0.9' } }
  expect(compareReports(base, await headReport(), OPTIONS).mismatches).toEqual([
    { field: 'engine, by the version of the tool', base: '0.0.9', head: '0.1.0' },
  ])
})
