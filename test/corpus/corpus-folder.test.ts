import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inspectCorpus, loadCorpus } from '../../src/corpus/load-corpus.ts'
import { edit, upstreamCorpus, withCorpus } from './upstream-shape.ts'

const TESTS = 'problems/041-tag-with-41/tests.vox'

test('a folder that is not there', async () => {
  await expect(loadCorpus('/no/such/corpus')).rejects.toMatchObject({
    code: 'corpus/not-found',
    message: expect.stringContaining('/no/such/corpus'),
    hint: expect.stringContaining('--corpus DIR'),
  })
})

test('a file instead of a folder', async () => {
  await withCorpus(new Map([['corpus.yaml', 'fixtures: []']]), async (dir) => {
    await expect(loadCorpus(path.join(dir, 'corpus.yaml'))).rejects.toMatchObject({ code: 'corpus/not-a-folder' })
  })
})

test('a folder without manifest', async () => {
  await withCorpus(new Map([['notes.txt', 'x']]), async (dir) => {
    await expect(inspectCorpus(dir)).rejects.toMatchObject({
      code: 'corpus/no-manifest',
      message: expect.stringContaining('manifest.v1.yaml does not exist'),
    })
  })
})

test('a symbolic link that leads out of the corpus is not followed', async () => {
  const outside = await mkdtemp(path.join(tmpdir(), 'outside-'))
  await writeFile(path.join(outside, 'tests.vox'), 'secret')
  const problems = await withCorpus(upstreamCorpus([41]), async (dir) => {
    await rm(path.join(dir, TESTS))
    await symlink(path.join(outside, 'tests.vox'), path.join(dir, TESTS))
    return (await inspectCorpus(dir)).problems
  })
  await rm(outside, { recursive: true })

  expect(problems).toEqual([
    {
      fixture: '041',
      field: 'files.tests',
      message: `${TESTS} leads outside the corpus folder through a symbolic link`,
    },
  ])
})

test('a symbolic link within the corpus, and one to it, are fine', async () => {
  await withCorpus(upstreamCorpus([41]), async (dir) => {
    await writeFile(path.join(dir, 'shared.vox'), await readFile(path.join(dir, TESTS)))
    await rm(path.join(dir, TESTS))
    await symlink(path.join(dir, 'shared.vox'), path.join(dir, TESTS))
    const link = `${dir}-link`
    await symlink(dir, link)
    const corpus = await loadCorpus(link)
    await rm(link)
    expect(corpus.fixtures).toHaveLength(1)
  })
})

test('a file that is no UTF-8', async () => {
  await withCorpus(upstreamCorpus([41]), async (dir) => {
    await writeFile(path.join(dir, TESTS), Buffer.from([0x66, 0xff, 0xfe]))
    expect((await inspectCorpus(dir)).problems).toEqual([
      { fixture: '041', field: 'files.tests', message: `${TESTS} is not UTF-8 text` },
    ])
  })
})

test('a file of more than a megabyte', async () => {
  await withCorpus(upstreamCorpus([41]), async (dir) => {
    await writeFile(path.join(dir, TESTS), `${'// x\n'.repeat(300_000)}`)
    expect((await inspectCorpus(dir)).problems).toMatchObject([
      { message: expect.stringMatching(/more than the 1048576/) },
    ])
  })
})

test('byte order marks and CRLF are fine everywhere', async () => {
  const files = upstreamCorpus([1, 41])
  for (const [name, text] of files) files.set(name, `\uFEFF${text.replaceAll('\n', '\r\n')}`)

  const { problems, warnings } = await withCorpus(files, inspectCorpus)

  expect([...problems, ...warnings]).toEqual([])
})

test('an id without quotes keeps its zeros', async () => {
  const files = upstreamCorpus([7, 41])
  edit(files, 'manifest.v1.yaml', 'id: "007"', 'id: 007')

  expect((await withCorpus(files, loadCorpus)).fixtures.map(({ id }) => id)).toEqual(['007', '041'])
})

test('a corpus without a name takes that of its folder', async () => {
  const files = upstreamCorpus([41])
  edit(files, 'manifest.v1.yaml', '  id: humaneval-vox\n', '')

  await withCorpus(files, async (dir) => expect((await loadCorpus(dir)).name).toBe(path.basename(dir)))
})

test('a manifest of nested aliases is refused, not expanded', async () => {
  const rows = Array.from(
    { length: 12 },
    (_, n) =>
      `l${n}: &l${n} [${
        n === 0
          ? 'x'
          : Array(12)
              .fill(`*l${n - 1}`)
              .join(', ')
      }]`,
  )
  await withCorpus(new Map([['manifest.v1.yaml', rows.join('\n')]]), async (dir) => {
    const { problems } = await inspectCorpus(dir)
    expect(problems).toMatchObject([{ fixture: 'manifest', message: expect.stringMatching(/alias/i) }])
  })
})
