import { expect, test } from 'vitest'
import { auditReport, inspectCorpus, loadCorpus } from '../../src/corpus/load-corpus.ts'
import { selectSplit } from '../../src/corpus/split.ts'
import { HELD_OUT_IDS, upstreamCorpus, withCorpus } from './upstream-shape.ts'

test('a corpus of upstream’s shape counts its fixtures list only', async () => {
  const files = upstreamCorpus()
  const manifest = files.get('manifest.v1.yaml') ?? ''
  expect(manifest.match(/- id:/g)).toHaveLength(174)
  expect(manifest).toContain('120 training-eligible fixtures and 44 held out')

  const audit = auditReport(await withCorpus(files, inspectCorpus))

  expect(audit.problems).toEqual([])
  expect(audit).toMatchObject({ fixtures: 164, heldOut: 31, trainingEligible: 133 })
  expect(audit.hash).toMatch(/^[0-9a-f]{64}$/)
})

test('it loads with its splits, dates and assertions', async () => {
  const corpus = await withCorpus(upstreamCorpus(), loadCorpus)

  expect(corpus.name).toBe('humaneval-vox')
  expect(corpus.warnings).toEqual([])
  expect(selectSplit(corpus.fixtures, 'held-out').map(({ id }) => id)).toEqual([...HELD_OUT_IDS])
  expect(selectSplit(corpus.fixtures, 'training-eligible')).toHaveLength(133)
  expect(selectSplit(corpus.fixtures, 'all')).toHaveLength(164)
  expect(corpus.fixtures.find(({ id }) => id === '141')).toMatchObject({
    slug: 'tag-with-141',
    addedAt: '2026-09-01',
    assertions: 2,
    domain: null,
    difficulty: 'easy',
    tags: [],
    family: null,
    entry: {
      name: 'tag_with_141',
      params: [
        { name: 's', type: { kind: 'str' } },
        { name: 'xs', type: { kind: 'list', item: { kind: 'str' } } },
      ],
      result: { kind: 'list', item: { kind: 'str' } },
    },
  })
})

test('files may be listed from the root of the repository the corpus lies in', async () => {
  const files = upstreamCorpus([1, 2, 3])
  const manifest = files.get('manifest.v1.yaml') ?? ''
  files.set('manifest.v1.yaml', manifest.replaceAll(' problems/', ' contracts/eval/humaneval-vox/problems/'))

  expect((await withCorpus(files, loadCorpus)).fixtures).toHaveLength(3)
})
