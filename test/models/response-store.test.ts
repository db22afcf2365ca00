import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Completion, CompletionRequest } from '../../src/models/provider.ts'
import { type StoreOptions, storing } from '../../src/models/response-store.ts'
import { never, requestWith } from './sample-request.ts'
import { folderWith } from './temp-folder.ts'

function answered(text: string): Completion {
  return {
    ...{ kind: 'answered', text, finishReason: 'stop', usage: null, costUsd: 0.5, latencyMs: 70 },
    ...{ modelReturned: 'm', providerReturned: 'p', requests: 2, failedRequests: ['rate'] },
  }
}

/** A provider behind a store in `folder` that says how often it was asked. */
function stand(folder: string, changes: Partial<StoreOptions> = {}, outcome = answered) {
  const warnings: string[] = []
  const asked: CompletionRequest[] = []
  const provider = storing(
    {
      async complete(request) {
        asked.push(request)
        return outcome(`answer ${asked.length}`)
      },
    },
    {
      ...{ folder, baseUrl: 'https://x.test/v1', model: 'm', checkpoint: null, isFresh: false },
      warn: (text) => warnings.push(text),
      ...changes,
    },
  )
  return {
    ask: (more: Partial<CompletionRequest> = {}) => provider.complete(requestWith(more), never),
    asked,
    warnings,
  }
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.map((name) => path.join(folder, name)).filter((name) => statSync(name).isFile())
}

test('an identical request of a later run is answered from the store, at no cost and with its latency', async () => {
  const folder = folderWith({})
  expect(await stand(folder).ask()).toEqual(answered('answer 1'))
  const later = stand(folder)
  const { failedRequests: _none, ...rest } = answered('answer 1') as Extract<Completion, { kind: 'answered' }>
  expect(await later.ask()).toEqual({ ...rest, costUsd: null, requests: 0, stored: true })
  expect([later.asked, later.warnings]).toEqual([[], []])
})

test('five samples are five requests with five keys; a rerun makes none and reads the same five', async () => {
  const folder = folderWith({})
  const samples = [0, 1, 2, 3, 4]
  for (const withSeeds of [true, false]) {
    const askAll = ({ ask }: ReturnType<typeof stand>) =>
      Promise.all(samples.map((sample) => ask({ sample, seed: withSeeds ? 100 + sample : null })))
    const [first, second] = [stand(folder), stand(folder)]
    const texts = (completions: Completion[]) => completions.map((each) => each.kind === 'answered' && each.text)
    const before = texts(await askAll(first))
    expect(new Set(before).size).toBe(5)
    expect(texts(await askAll(second))).toEqual(before)
    expect([first.asked.length, second.asked.length]).toEqual([5, 0])
  }
  expect(filesIn(folder)).toHaveLength(10)
})

const sampling = requestWith().sampling
test.each<[string, Partial<CompletionRequest>, Partial<StoreOptions>]>([
  ['prompt', { messages: [{ role: 'user', content: 'Write thrice.' }] }, {}],
  ['temperature', { sampling: { ...sampling, temperature: 0.5 } }, {}],
  ['top_p', { sampling: { ...sampling, topP: 0.5 } }, {}],
  ['bound of tokens', { sampling: { ...sampling, maxTokens: 7 } }, {}],
  ['reasoning effort', { sampling: { ...sampling, reasoningEffort: 'low' } }, {}],
  ['field of that bound', { sampling: { ...sampling, maxTokensField: 'max_completion_tokens' } }, {}],
  ['bound of thinking', { sampling: { ...sampling, reasoningMaxTokens: 7 } }, {}],
  ['provider', { sampling: { ...sampling, providers: ['a'] } }, {}],
  ['further field', { sampling: { ...sampling, extraBody: { top_k: 20 } } }, {}],
  ['seed', { seed: 4 }, {}],
  ['model', {}, { model: 'n' }],
  ['checkpoint', {}, { checkpoint: '1200' }],
  ['endpoint', {}, { baseUrl: 'https://x.test/v2' }],
])('another %s is another request', async (_, more, changes) => {
  const folder = folderWith({})
  await stand(folder).ask()
  const other = stand(folder, changes)
  await other.ask(more)
  expect(other.asked).toHaveLength(1)
})

test('two samples of one seed are two requests', async () => {
  const folder = folderWith({})
  await stand(folder).ask({ seed: 4, sample: 0 })
  const other = stand(folder)
  await other.ask({ seed: 4, sample: 1 })
  expect(other.asked).toHaveLength(1)
})

test('a fresh run asks anew, and its answer replaces the stored one', async () => {
  const folder = folderWith({})
  await stand(folder).ask()
  const fresh = stand(folder, { isFresh: true }, () => answered('newer'))
  await fresh.ask()
  expect(fresh.asked).toHaveLength(1)
  expect(await stand(folder).ask()).toMatchObject({ text: 'newer', stored: true })
})

test('failures are not stored', async () => {
  const folder = folderWith({})
  const failing = stand(folder, {}, () => ({ kind: 'infra-error', class: 'server', message: 'no', requests: 1 }))
  await failing.ask()
  await failing.ask()
  expect(failing.asked).toHaveLength(2)
  expect(filesIn(folder)).toEqual([])
})

test.each<[string, (text: string) => string]>([
  ['cut', (text) => text.slice(0, 40)],
  ['of another shape', (text) => text.replace('"answered"', '"rumoured"')],
  ['far too long', (text) => text + ' '.repeat(9 * 1024 * 1024)],
])('a stored answer that is %s is asked for anew with a warning, and replaced', async (_, damage) => {
  const folder = folderWith({})
  await stand(folder).ask()
  const [file = ''] = filesIn(folder)
  writeFileSync(file, damage(readFileSync(file, 'utf8')))
  const later = stand(folder, {}, () => answered('anew'))
  expect(await later.ask()).toEqual(answered('anew'))
  expect(later.warnings).toEqual([expect.stringContaining(file)])
  expect(await stand(folder).ask()).toMatchObject({ text: 'anew', stored: true })
})

test('an answer under the name of another request is not taken', async () => {
  const folder = folderWith({})
  await stand(folder).ask({ seed: 1 })
  const [first = ''] = filesIn(folder)
  await stand(folder).ask({ seed: 2 })
  const second = filesIn(folder).find((file) => file !== first) ?? ''
  renameSync(first, second)
  const later = stand(folder)
  await later.ask({ seed: 2 })
  expect(later.asked).toHaveLength(1)
  expect(later.warnings[0]).toContain('belongs to another request')
})

test('a folder that cannot be written is one warning, and the answers still come', async () => {
  const folder = path.join(folderWith({ taken: '' }), 'taken')
  const { ask, warnings } = stand(folder)
  expect(await ask()).toEqual(answered('answer 1'))
  await ask({ seed: 2 })
  expect(warnings).toEqual([expect.stringContaining('cannot be kept')])
})

test('what is stored is for its user alone', async () => {
  const folder = folderWith({})
  await stand(folder).ask()
  for (const file of filesIn(folder)) expect(statSync(file).mode & 0o077).toBe(0)
})
