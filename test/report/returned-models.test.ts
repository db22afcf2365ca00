import { expect, test } from 'vitest'
import { describeNames, listReturnedModels } from '../../src/report/returned-models.ts'
import { FAILURES, judged, sampleSubject } from '../score/sample-run.ts'
import { sampleReport } from './sample-report.ts'

const wrong = FAILURES[0] as (typeof FAILURES)[number]

async function reportOf(asked: string, returned: readonly (string | null)[], changes = {}) {
  const subject = { ...sampleSubject('row'), model: asked, ...changes }
  return sampleReport({
    fixtures: returned.length,
    conditions: ['C1'],
    subjects: [subject],
    outcome: ({ fixture }) => judged(wrong, { modelReturned: returned[fixture] ?? null }),
  })
}

async function namesOf(asked: string, returned: readonly (string | null)[], changes = {}) {
  const { plan, attempts } = await reportOf(asked, returned, changes)
  return listReturnedModels(plan, attempts)
}

test('an endpoint that names what was asked for, or nothing, is not worth a word', async () => {
  expect(await namesOf('a/nova', ['a/nova', null, 'a/nova'])).toEqual([])
})

test.each([
  'nova',
  'vendor/nova',
  'Vendor/Nova',
  'vendor/nova-2026-01-01',
  'nova-20260101',
  'nova-0613',
  'nova:free',
  'nova-latest',
])('%s is another name for a/nova: told as a fact, not as a caveat', async (name) => {
  expect(await namesOf('a/nova', ['a/nova', 'a/nova', name])).toEqual([
    {
      subject: 'row',
      asked: 'a/nova',
      names: [
        { name: 'a/nova', answers: 2, isOther: false },
        { name, answers: 1, isOther: false },
      ],
    },
  ])
  const report = await reportOf('a/nova', [name])
  expect(report.caveat.map(({ id }) => id)).not.toContain('model')
})

test.each(['a/nova-mini', 'a/supernova', 'a/nova-2', 'gpt', ''])(
  '"%s" may be another model than a/nova',
  async (name) => {
    const report = await reportOf('a/nova', ['a/nova', name])
    expect(report.caveat.find(({ id }) => id === 'model')).toMatchObject({
      text: expect.stringContaining('row was asked for as a/nova, but the endpoint gives another name for 1 answer'),
      numbers: { subject: 'row', answers: 1 },
    })
  },
)

test('a recording is not asked for by the name of its row', async () => {
  const recording = { obtained: 'somehow', date: null, isBatched: null }
  expect(await namesOf('a/nova', ['other'], { recording, endpoint: null })).toEqual([])
})

test('many long names are cut and counted', async () => {
  const names = Array.from({ length: 5 }, (_, index) => `${index}${'x'.repeat(500)}\nx`)
  const [returned] = await namesOf('a/nova', names)
  const text = describeNames(returned?.names ?? [])
  expect(text).toContain('and 2 more names')
  expect(text).not.toContain('\n')
  expect(text.length).toBeLessThan(400)
})
