import { expect, test } from 'vitest'
import { type Plan, planSchema } from '../../src/generate/plan.ts'
import { listIssues } from '../../src/zod-issues.ts'
import { samplePlan } from '../score/sample-run.ts'

const plan = samplePlan({ fixtures: 2, conditions: ['C0', 'C1'] })

function twice<Item>(items: readonly Item[]): Item[] {
  return [...items, ...items.slice(0, 1)]
}

function issuesOf(changes: Partial<Plan>): string[] {
  const parsed = planSchema.safeParse({ ...plan, ...changes })
  return parsed.success ? [] : listIssues(parsed.error)
}

test('a plan as runs make it is taken as it is', () => {
  expect(planSchema.parse(plan)).toEqual(plan)
})

test.each<[string, Partial<Plan>, string]>([
  ['problems', { fixtures: twice(plan.fixtures) }, 'fixtures.2: a second one with the id "001"'],
  ['subjects', { subjects: twice(plan.subjects) }, 'subjects.2: a second one with the id "general-purpose-model"'],
  ['conditions', { conditions: twice(plan.conditions) }, 'conditions.2: a second one with the name "C0"'],
  ['cells', { cells: twice(plan.cells) }, 'cells.4: a second one with the id "general-purpose-model C0"'],
])('two equal %s are refused', (_, changes, issue) => {
  expect(issuesOf(changes)).toEqual([issue])
})

test('a cell of an unknown subject or condition is refused', () => {
  expect(issuesOf({ cells: [{ id: 'z', subject: 'nobody', condition: 'C9' }] })).toEqual([
    'cells.0.subject: there is no subject "nobody" in the plan',
    'cells.0.condition: there is no condition "C9" in the plan',
  ])
})

test('more samples than a run may have are refused', () => {
  expect(issuesOf({ samples: 1000 })).toEqual([])
  expect(issuesOf({ samples: 1001 })).toEqual([expect.stringContaining('samples: ')])
})
