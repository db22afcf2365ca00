import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFolderProvider } from '../../src/models/folder-provider.ts'
import { extract } from '../../src/verify/extract.ts'
import { never, requestWith } from './sample-request.ts'
import { folderWith } from './temp-folder.ts'

const program = 'fn twice(n: int) to int {\n    return n * 2\n}\n'

async function answerIn(folder: string, sample = 0) {
  return createFolderProvider(folder).complete(requestWith({ sample }), never)
}

test('a program is given as the answer of a model, in a fence', async () => {
  expect(await answerIn(folderWith({ '001.vox': program }))).toEqual({
    kind: 'answered',
    text: `\`\`\`vox\n${program}\`\`\`\n`,
    finishReason: null,
    usage: null,
    costUsd: null,
    latencyMs: null,
    modelReturned: null,
    providerReturned: null,
    requests: 0,
  })
})

test.each(['.md', '.txt'])('a raw answer (%s) is taken as it is', async (ending) => {
  const raw = `Here it is:\r\n\`\`\`vox\n${program}\`\`\`\nDone.`
  expect(await answerIn(folderWith({ [`001${ending}`]: raw }))).toMatchObject({ text: raw })
})

test('a program goes before a raw answer, and .md before .txt', async () => {
  const all = { '001.vox': 'V\n', '001.md': 'M', '001.txt': 'T' }
  expect(await answerIn(folderWith(all))).toMatchObject({ text: '```vox\nV\n```\n' })
  expect(await answerIn(folderWith({ '001.md': 'M', '001.txt': 'T' }))).toMatchObject({ text: 'M' })
})

test('samples after the first have files of their own', async () => {
  const folder = folderWith({ '001.md': 'zero', '001.1.md': 'one' })
  expect(await answerIn(folder, 1)).toMatchObject({ text: 'one' })
  expect(await answerIn(folder, 2)).toMatchObject({
    kind: 'not-attempted',
    why: 'no-answer-file',
    message: expect.stringContaining('001.2.vox'),
  })
})

test('an empty file is an empty answer, not a missing one', async () => {
  expect(await answerIn(folderWith({ '001.md': '' }))).toMatchObject({ kind: 'answered', text: '' })
})

test('the fence is longer than any run of backticks in the program', async () => {
  const text = `${program}// a line of its own:\n\`\`\`\n// and \`\`\`\`\n`
  const fence = '`'.repeat(5)
  expect(await answerIn(folderWith({ '001.vox': text }))).toMatchObject({ text: `${fence}vox\n${text}${fence}\n` })
})

test('whatever backticks a program has, extraction gives it back whole', async () => {
  const body = fc.array(fc.constantFrom('`', '```', '````', '\n', 'vox', ' x', '"', '// '), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(body, async (parts) => {
      const text = `${program}// ${parts.join('').replaceAll('\n', '\n// ')}\n`
      const folder = folderWith({ '001.vox': text })
      const answer = await createFolderProvider(folder).read('001', 0)
      expect(extract(answer?.text ?? '', 'twice')).toMatchObject({ code: text.slice(0, -1) })
    }),
    { numRuns: 60 },
  )
})

test('an answer of more than 1 MiB is cut and counts as one that hit its limit', async () => {
  const folder = folderWith({ '001.md': 'x'.repeat(1024 * 1024 + 1), '002.md': 'x'.repeat(1024 * 1024) })
  const provider = createFolderProvider(folder)
  expect(await provider.complete(requestWith(), never)).toMatchObject({ finishReason: 'length' })
  expect((await provider.read('001', 0))?.text.length).toBe(1024 * 1024)
  expect(await provider.read('002', 0)).toMatchObject({ isCut: false })
})

test('a link is not followed', async () => {
  const folder = folderWith({ secret: 'outside' })
  symlinkSync(path.join(folder, 'secret'), path.join(folder, '001.md'))
  expect(await answerIn(folder)).toMatchObject({ kind: 'not-attempted' })
})

test('a pipe or a folder in place of an answer is no answer, and nothing waits for it', async () => {
  const folder = folderWith({})
  execFileSync('mkfifo', [path.join(folder, '001.vox')])
  mkdirSync(path.join(folder, '001.md'))
  expect(await answerIn(folder)).toMatchObject({ kind: 'not-attempted', why: 'no-answer-file' })
})
