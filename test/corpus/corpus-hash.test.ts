import { expect, test } from 'vitest'
import { inspectCorpus } from '../../src/corpus/load-corpus.ts'
import { type CorpusFiles, edit, upstreamCorpus, withCorpus } from './upstream-shape.ts'

const IDS = [1, 41, 42]
const MANIFEST = 'manifest.v1.yaml'

async function hashOf(files: CorpusFiles): Promise<string | null> {
  return (await withCorpus(files, inspectCorpus)).hash
}

function change(name: string, from: string | RegExp, to: string): CorpusFiles {
  const files = upstreamCorpus(IDS)
  edit(files, name, from, to)
  return files
}

test.for([
  ['a byte of a prompt', change('problems/041-tag-with-41.spec.toml', 'Do what', 'Do That')],
  ['a comment of a reference', change('problems/041-tag-with-41/reference.vox', /$/, '// x\n')],
  ['an expectation', change('problems/041-tag-with-41/tests.vox', '[]) == []', '[]) == ["a"]')],
  ['line endings', change('problems/041-tag-with-41/tests.vox', /\n/g, '\r\n')],
  ['a byte order mark', change('problems/041-tag-with-41/reference.vox', /^/, '\uFEFF')],
  ['the split of a fixture', change(MANIFEST, 'training_eligible: false', 'training_eligible: true')],
  ['the date of a fixture', change(MANIFEST, '2026-05-26', '2026-05-28')],
  ['the number of fixtures', upstreamCorpus([...IDS, 43])],
] as const)('%s changes the hash', async ([, files]) => {
  expect(await hashOf(files)).not.toBe(await hashOf(upstreamCorpus(IDS)))
})

test.for([
  ['the order of the manifest', upstreamCorpus([42, 1, 41])],
  ['header prose', change(MANIFEST, '120 training-eligible', '20 training-eligible')],
  ['declared counts', change(MANIFEST, 'count_target: 164', 'count_target: 200')],
  ['another list', change(MANIFEST, 'id: ast-mutation', 'id: mutation')],
] as const)('%s does not', async ([, files]) => {
  expect(await hashOf(files)).toBe(await hashOf(upstreamCorpus(IDS)))
})

test('the path of a file does not', async () => {
  const files = upstreamCorpus(IDS)
  const name = 'problems/041-tag-with-41/tests.vox'
  files.set('problems/041.vox', files.get(name) ?? '')
  files.delete(name)
  edit(files, MANIFEST, name, 'problems/041.vox')

  expect(await hashOf(files)).toBe(await hashOf(upstreamCorpus(IDS)))
})

test('a corpus with a file missing has no hash', async () => {
  const files = upstreamCorpus(IDS)
  files.delete('problems/041-tag-with-41/tests.vox')

  expect(await hashOf(files)).toBeNull()
})
