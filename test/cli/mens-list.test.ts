import path from 'node:path'
import { expect, test } from 'vitest'
import type { Invocation } from '../../src/cli/command.ts'
import { mensList } from '../../src/cli/commands/mens-list.ts'
import { folderWith } from '../models/temp-folder.ts'

async function list(options: Invocation['options']) {
  const out: string[] = []
  const notes: string[] = []
  const code = await mensList.run({
    options,
    positionals: [],
    terminal: {
      out: (text) => void out.push(text),
      note: (text) => void notes.push(text),
      live: () => {},
      isInteractive: false,
    },
    signal: new AbortController().signal,
    finishOnSignal: () => {},
  })
  return { code, out, notes }
}

const runs = () =>
  folderWith({
    'nova/checkpoint-900/model.gguf': 'x'.repeat(1536),
    'nova/checkpoint-1200/model.gguf': 'x',
    'nova/final/model.gguf': 'xy',
    'evil\u001b[2J/final/model.gguf': 'x',
  })

test('every checkpoint is listed in the order of training with its row id and size', async () => {
  const { code, out } = await list({ 'mens-runs': runs() })
  expect(code).toBe(0)
  expect(out).toEqual([
    'mens/nova  3 checkpoints',
    '  checkpoint-900     1.5 KiB  mens/nova@checkpoint-900',
    '  checkpoint-1200        1 B  mens/nova@checkpoint-1200',
    '  final                  2 B  mens/nova@final',
  ])
})

test('what is left out is told, and a name steers no terminal', async () => {
  const { notes } = await list({ 'mens-runs': runs() })
  expect(notes).toEqual([expect.stringMatching(/^left out: evil\\u\{1b\}\[2J has another name than /)])
})

test('--json has the same', async () => {
  const folder = runs()
  const { out } = await list({ 'mens-runs': folder, json: true })
  expect(JSON.parse(out.join('\n'))).toMatchObject({
    folder,
    runs: [{ model: 'mens/nova', checkpoints: [{ id: 'mens/nova@checkpoint-900', bytes: 1536 }, {}, {}] }],
    leftOut: [{ reason: expect.any(String) }],
  })
})

test('without any run it says so', async () => {
  const folder = folderWith({ 'notes.txt': '' })
  expect((await list({ 'mens-runs': folder })).out).toEqual([`There is no training run in ${folder}.`])
})

test('a folder that is missing is an error', async () => {
  await expect(list({ 'mens-runs': path.join(folderWith({}), 'none') })).rejects.toMatchObject({ code: 'mens/no-runs' })
})
