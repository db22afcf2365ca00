import { expect, test } from 'vitest'
import { type ArtifactPart, artifactName, findNewest } from '../../src/action/artifact.ts'

const names = { base: 'vox-efficacy', runId: '12', attempt: 2 }

test('each part of a run has a name of its own, and only that of a whole sweep ends in the attempt', () => {
  const parts: ArtifactPart[] = [
    { kind: 'whole' },
    { kind: 'plan' },
    { kind: 'compare' },
    { kind: 'shard', shard: '2/5' },
  ]
  expect(parts.map((part) => artifactName(names, part))).toEqual([
    'vox-efficacy-12-2',
    'vox-efficacy-12-2-plan',
    'vox-efficacy-12-2-compare',
    'vox-efficacy-12-2-shard-2-of-5',
  ])
})

test('the newest attempt of a part is found, and not one after this', () => {
  const artifacts = ['vox-efficacy-12-1', 'vox-efficacy-12-2-compare', 'vox-efficacy-12-3'].map((name, id) => ({
    id,
    name,
  }))
  expect(findNewest(artifacts, names, { kind: 'whole' })?.name).toBe('vox-efficacy-12-1')
  expect(findNewest(artifacts, names, { kind: 'plan' })).toBeNull()
})
