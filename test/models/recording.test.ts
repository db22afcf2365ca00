import { expect, test } from 'vitest'
import { loadRecording, type RecordedAnswer } from '../../src/models/recording.ts'
import { folderWith } from './temp-folder.ts'

const description = `model: some/model
harness: vox-harness
obtained: by hand
date: 2026-11-29
batched: false
sampling: { temperature: 0, topP: null, maxTokens: null, reasoningEffort: null }
`

function line(more: Partial<Record<keyof RecordedAnswer, unknown>> = {}): string {
  const answer = {
    condition: 'C1',
    fixture: '001',
    sample: 0,
    promptHash: 'h',
    finishReason: null,
    usage: null,
    latencyMs: null,
    ...more,
  }
  return `${JSON.stringify(answer)}\n`
}

function problemsOf(files: Record<string, string>): Promise<unknown> {
  return loadRecording(folderWith(files)).then(
    () => null,
    (error: unknown) => error,
  )
}

test('a recording has its description and each raw answer, untouched', async () => {
  const folder = folderWith({
    'recording.yaml': description,
    'answers.jsonl': line() + line({ condition: 'C1@50', sample: 2, latencyMs: 12 }),
    'C1/001.md': ' raw\r\n',
    'C1@50/001.2.md': 'third',
  })
  const { description: read, answers } = await loadRecording(folder)
  expect(read).toMatchObject({ model: 'some/model', date: '2026-11-29', batched: false })
  expect(answers.map(({ condition, sample, text, latencyMs }) => [condition, sample, text, latencyMs])).toEqual([
    ['C1', 0, ' raw\r\n', null],
    ['C1@50', 2, 'third', 12],
  ])
})

test.each<[string, Record<string, string>, string]>([
  ['no description', { 'answers.jsonl': line() }, 'recording.yaml cannot be read (ENOENT)'],
  ['a description that is no YAML', { 'recording.yaml': 'model: [', 'answers.jsonl': '' }, 'recording.yaml'],
  ['an empty description', { 'recording.yaml': '', 'answers.jsonl': '' }, 'recording.yaml'],
  ['a wrong date', { 'recording.yaml': description.replace('11-29', '13-29'), 'answers.jsonl': '' }, 'date'],
  ['no index', { 'recording.yaml': description }, 'answers.jsonl cannot be read (ENOENT)'],
  [
    'a line that is no JSON',
    { 'recording.yaml': description, 'answers.jsonl': '\n{"condition":\n' },
    'answers.jsonl:1',
  ],
  ['no raw answer', { 'recording.yaml': description, 'answers.jsonl': line() }, 'C1/001.md cannot be read (ENOENT)'],
  [
    'the same answer twice',
    { 'recording.yaml': description, 'answers.jsonl': line() + line(), 'C1/001.md': 'x' },
    'C1/001.md stands twice',
  ],
])('%s is refused', async (_name, files, expected) => {
  expect(await problemsOf(files)).toMatchObject({
    code: 'recording/invalid',
    message: expect.stringContaining(expected),
  })
})

test.each([
  { condition: '../..' },
  { condition: 'a/b' },
  { fixture: '../secret' },
  { fixture: '/etc/passwd' },
  { fixture: '..' },
  { sample: -1 },
])('a line with %j, which would leave the folder, is refused', async (more) => {
  const files = { 'recording.yaml': description, 'answers.jsonl': line(more), 'secret.md': 'x' }
  expect(await problemsOf(files)).toMatchObject({
    code: 'recording/invalid',
    message: expect.stringContaining(Object.keys(more)[0] ?? ''),
  })
})

test('all that is wrong is told at once', async () => {
  const error = await problemsOf({
    'recording.yaml': description.replace('batched: false', 'batched: maybe'),
    'answers.jsonl': line({ sample: 'one' }) + line(),
  })
  const { message } = error as Error
  for (const part of ['batched', 'answers.jsonl:1: sample', 'answers.jsonl:2']) expect(message).toContain(part)
})
