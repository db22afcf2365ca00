import { expect, test } from 'vitest'
import type { CorpusProblem } from '../../src/corpus/fixture.ts'
import { inspectCorpus, loadCorpus } from '../../src/corpus/load-corpus.ts'
import { DEFECTS, FINDINGS, soundCorpus } from './defects.ts'
import { type CorpusFiles, withCorpus } from './upstream-shape.ts'

test('the corpus without a defect has none', async () => {
  expect(await inspect(soundCorpus())).toEqual({ problems: [], warnings: [] })
})

test.for(DEFECTS)('$name', async ({ plant, fixture, field, message }) => {
  const files = soundCorpus()
  plant(files)

  const { problems } = await inspect(files)

  expect(problems).toContainEqual({ fixture, field, message: expect.stringMatching(message) })
})

test('all defects are listed at once, one a line', async () => {
  const files = soundCorpus()
  for (const { plant } of DEFECTS.filter(({ name }) =>
    ['added_at missing', 'an empty file', 'no prompt', 'zero assertions'].includes(name),
  ))
    plant(files)

  const error = await withCorpus(files, (dir) => loadCorpus(dir).catch((thrown: unknown) => thrown))

  expect(error).toMatchObject({
    name: 'BenchError',
    code: 'corpus/invalid',
    hint: expect.stringContaining('corpus audit'),
  })
  expect(String(error)).toMatch(/has 4 problems:\n(.*\n){3}.*$/)
  for (const part of ['041: added_at: is missing', '041: files.reference: ', '041: spec.prompt: ', '041: tests: ']) {
    expect(String(error)).toContain(part)
  }
})

test.for(FINDINGS)('$name is a finding that does not stop a run', async ({ plant, fixture, field, message }) => {
  const files = soundCorpus()
  plant(files)

  const { problems, warnings } = await inspect(files)

  expect(problems).toEqual([])
  expect(warnings).toEqual([{ fixture, field, message: expect.stringMatching(message) }])
})

async function inspect(
  files: CorpusFiles,
): Promise<{ problems: readonly CorpusProblem[]; warnings: readonly CorpusProblem[] }> {
  const { problems, warnings } = await withCorpus(files, inspectCorpus)
  return { problems, warnings }
}
