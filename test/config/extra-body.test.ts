import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BenchError } from '../../src/bench-error.ts'
import { extraBodySchema } from '../../src/config/extra-body.ts'
import { parseConfig } from '../../src/config/parse-config.ts'
import { conditionProblem } from '../../src/generate/condition.ts'

function parse(text: string) {
  return parseConfig({
    given: {},
    file: { path: 'sweep.yml', text },
    nameOption: (name) => `--${name}`,
    conditionProblem,
  })
}

function problemsOf(text: string): string[] {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof BenchError) return error.message.split('\n').slice(1)
    throw error
  }
  return []
}

test('further fields stay JSON, in one order whatever the order in the file', () => {
  const { config } = parse(
    'subjects:\n  - model: m\n    extra-body:\n      top_k: 20\n      chat_template_kwargs: { enable_thinking: false, a: [2, 1, null] }\n',
  )
  expect(JSON.stringify(config.subjects[0]?.['extra-body'])).toBe(
    '{"chat_template_kwargs":{"a":[2,1,null],"enable_thinking":false},"top_k":20}',
  )
})

test('all reserved fields are told at once, each with line and column and the option in its place', () => {
  const problems = problemsOf(
    'subjects:\n  - model: m\n    extra-body:\n      temperature: 1\n      top_k: 20\n      stream: true\n      max_completion_tokens: 5\n',
  )
  expect(problems).toEqual([
    '  sweep.yml:4:20: subject 1: extra-body: temperature: is set by the tool; see the option "temperature"',
    '  sweep.yml:6:15: subject 1: extra-body: stream: would change what is asked, what comes back or what it costs; leave it out',
    '  sweep.yml:7:30: subject 1: extra-body: max_completion_tokens: is set by the tool; see the option "max-tokens-field"',
  ])
})

test.each([
  ...['model', 'messages', 'n', 'stream', 'max_tokens', 'seed', 'top_p', 'reasoning_effort', 'reasoning', 'provider'],
  ...['tools', 'models', 'plugins', 'chat_template', 'documents', 'extra_body', 'num_return_sequences', 'thinking'],
  ...['n_predict', 'max_new_tokens', 'max_output_tokens', 'maxOutputTokens', 'min_tokens', 'thinking_budget'],
])('the field %s is refused', (name) => {
  expect(problemsOf(`subjects:\n  - model: m\n    extra-body: { ${name}: 1 }\n`)).toEqual([
    expect.stringMatching(/is set by the tool|would change what is asked/),
  ])
})

test('a field that objects lose is told with the others rather than dropped', () => {
  expect(problemsOf('subjects:\n  - model: m\n    extra-body: { __proto__: { a: 1 }, n: 2 }\n')).toEqual([
    '  sweep.yml:3:43: subject 1: extra-body: n: is set by the tool; see the option "n"',
    '  sweep.yml:3:30: subject 1: extra-body: __proto__: cannot be sent; leave it out',
  ])
})

test.each(['{ a: { __proto__: 1 } }', '{ a: [{ __proto__: 1 }] }'])('%s is refused as well', (body) => {
  expect(problemsOf(`subjects:\n  - model: m\n    extra-body: ${body}\n`)).toEqual([
    expect.stringContaining('__proto__: cannot be sent'),
  ])
})

test.each(['[1]', 'text', '7'])('%s is told to be no object', (body) => {
  expect(problemsOf(`subjects:\n  - model: m\n    extra-body: ${body}\n`)).toHaveLength(1)
})

test.each([
  'api_key: x',
  'apiKey: x',
  'x-api-key: x',
  'Authorization: x',
  'token: x',
  'hf_token: x',
  'client_secret: x',
  'user: sk-0123456789abcdef0123',
  'user: Bearer abc',
  'metadata: { inner: [{ accessToken: x }] }',
  'openai_key: x',
  'openaiKeys: [x]',
  'openai_key_2: x',
  'huggingface_token: x',
  'metadata: { gsk_0123456789abcdef0123: 1 }',
  ...[
    ...['gsk_', 'AIza', 'xai-', 'nvapi-', 'r8_', 'glpat-', 'eyJ', 'sk_live_', 'pplx-'].map(
      (start) => `${start}sk-0123${'a'.repeat(20)}`,
    ),
    ...['https://bob:sk-0123@host', 'redis://:sk-0123@host/0', 'see https://bob:sk-0123@host'],
    ...['my sk-0123456789abcdef0123', '-----BEGIN PRIVATE KEY-----'],
  ].map((value) => `user: "${value}"`),
])('the credential in "%s" is refused without repeating its value', (line) => {
  const [problem, ...more] = problemsOf(`subjects:\n  - model: m\n    extra-body: { ${line} }\n`)
  expect(more).toEqual([])
  expect(problem).toContain('looks like a credential')
  expect(problem).not.toMatch(/sk-0123|gsk_/)
})

test.each([
  'min_p: 0.1',
  'eos_token: "</s>"',
  'ban_eos_token: true',
  'user: https://host:8080/a@b',
  'user: task-0123456789abcdef0123',
  'chat_template_kwargs: { thinking: false }',
  'stop_token_ids: [1]',
  'ignore_eos_token: true',
  'prompt_cache_key: vox',
  'add_special_tokens: false',
  'top_k: 20',
  'stop: [END]',
])('the field in "%s" is taken', (line) => {
  expect(problemsOf(`subjects:\n  - model: m\n    extra-body: { ${line} }\n`)).toEqual([])
})

test('what JSON cannot say is refused', () => {
  expect(problemsOf('subjects:\n  - model: m\n    extra-body: { a: .inf, b: [.nan] }\n')).toHaveLength(2)
})

test('a nest that is too deep is told rather than followed', () => {
  const deep = `${'{ a: '.repeat(200)}1${' }'.repeat(200)}`
  expect(problemsOf(`subjects:\n  - model: m\n    extra-body: ${deep}\n`)).toEqual([
    expect.stringContaining('lies more than 16 levels deep'),
  ])
})

test('a body longer than 64 KiB is refused', () => {
  expect(extraBodySchema.safeParse({ a: 'x'.repeat(70_000) }).success).toBe(false)
})

test('at the top of the file it is told to stand in a subject', () => {
  expect(problemsOf('subjects:\n  - model: m\nextra-body: { top_k: 1 }\n')).toEqual([
    expect.stringContaining('"extra-body" is of one subject and stands under "subjects:"'),
  ])
})

/** Objects drop the one that is left out, as the validator does. */
const name = fc.string().filter((text) => text !== '__proto__')

test('what is accepted is the same JSON, and is accepted again as it is', () => {
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue({ maxDepth: 3 })), (fields) => {
      // As from a file: without -0, which JSON has not.
      const given: unknown = JSON.parse(JSON.stringify(fields))
      const read = extraBodySchema.safeParse(given)
      if (!read.success) return
      expect(read.data).toEqual(given)
      expect(JSON.stringify(extraBodySchema.parse(read.data))).toBe(JSON.stringify(read.data))
    }),
  )
})
