import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BenchError } from '../../src/bench-error.ts'
import { parseConfig } from '../../src/config/parse-config.ts'
import type { GivenOptions } from '../../src/config/read-flags.ts'
import { conditionProblem } from '../../src/generate/condition.ts'

const nameOption = (name: string) => `--${name}`

function parse(given: GivenOptions, text?: string) {
  return parseConfig({
    given,
    file: text === undefined ? null : { path: 'sweep.yml', text },
    nameOption,
    conditionProblem,
  })
}

function problemsOf(given: GivenOptions, text?: string): string {
  try {
    parse(given, text)
  } catch (error) {
    if (error instanceof BenchError) return error.message
    throw error
  }
  throw new Error('no problem was found')
}

describe('flags alone', () => {
  test('a model gives one subject with the documented defaults', () => {
    const { config } = parse({ model: 'a/b' })
    expect(config).toMatchObject({ subjects: [{ model: 'a/b' }], condition: ['C1'], n: 1, k: [1], split: 'held-out' })
  })

  test('lists are split at commas', () => {
    expect(parse({ model: 'm', condition: 'C0, C1@50', n: '10', k: '1,5', temperature: '0.8' }).config).toMatchObject({
      condition: ['C0', 'C1@50'],
      k: [1, 5],
    })
  })

  test('smoke fixes condition, samples, temperature and cap', () => {
    const { config } = parse({
      model: 'm',
      smoke: true,
      'prompt-usd-per-m': '1',
      'completion-usd-per-m': '1',
      condition: 'C3',
      n: '5',
    })
    expect(config).toMatchObject({
      condition: ['C1'],
      n: 1,
      k: [1],
      'max-spend-usd': 2,
      subjects: [{ temperature: 0 }],
    })
  })
})

describe('a sweep file', () => {
  test('flags win over it', () => {
    const { config } = parse({ n: '2' }, 'n: 1\nsubjects:\n  - model: m\n')
    expect(config.n).toBe(2)
  })

  test('several subjects keep their own settings', () => {
    const { config } = parse({}, 'subjects:\n  - model: a\n    temperature: 0.7\n  - from-dir: answers\n')
    expect(config.subjects).toMatchObject([{ model: 'a', temperature: 0.7 }, { 'from-dir': resolve('answers') }])
  })

  test('broken YAML is told with line and column', () => {
    expect(problemsOf({}, 'n: 1\nsubjects: [\n')).toMatch(/sweep\.yml:3:1/)
  })

  test('a wrong value is told with line and column', () => {
    expect(problemsOf({}, 'subjects:\n  - model: m\nn: many\n')).toMatch(/sweep\.yml:3:4: n/)
  })

  test('an unknown key is told', () => {
    expect(problemsOf({}, 'subjects:\n  - model: m\n    temprature: 1\n')).toMatch(/temprature/)
  })
})

test('a single value stands for a list of it', () => {
  const { config } = parse({}, 'condition: C0\nk: 2\nn: 2\nsubjects:\n  - from-dir: answers\n')
  expect(config).toMatchObject({ condition: ['C0'], k: [2] })
})

describe('a list in a file', () => {
  const SCRIPT = 'subjects:\n  - script: s.yml\n'

  test('is split at commas as that of a flag is', () => {
    const text = `condition: C0, C1@50\nk: 1,5\nn: 5\nfixtures: 001,002\nsubjects:\n  - model: m\n    provider: one, two\n    condition: C2,C3\n`
    expect(parse({}, text).config).toMatchObject({
      condition: ['C0', 'C1@50'],
      k: [1, 5],
      fixtures: ['001', '002'],
      subjects: [{ provider: ['one', 'two'], condition: ['C2', 'C3'] }],
    })
  })

  test('that is written as a list is taken as it is', () => {
    expect(parse({}, `condition: ["file:a,b.md"]\n${SCRIPT}`).config.condition).toEqual(['file:a,b.md'])
  })

  test.each(['k: 1,,5', 'k: "1,"', 'condition: C0, ,C1'])('with an empty item is refused: %s', (line) => {
    expect(problemsOf({}, `${line}\n${SCRIPT}`)).toMatch(/sweep\.yml:1:\d+: \w+: ".*" has an empty item/)
  })

  test.each(['1,x', '1,2.5', 'x', '1e1'])('of numbers takes nothing else: k: %s', (k) => {
    expect(problemsOf({}, `k: ${k === '1e1' ? '"1e1"' : k}\n${SCRIPT}`)).toMatch(/sweep\.yml:1:\d+: k\.\d: must be a/)
  })

  test('is the same when a flag gives it', () => {
    expect(problemsOf({ script: 's.yml', k: '1,x' })).toContain('--k: must be a number, got "x"')
    expect(problemsOf({ script: 's.yml', condition: 'C0,' })).toContain('--condition: "C0," has an empty item')
  })

  test('of ids that YAML would read as one number is told how to be written', () => {
    expect(problemsOf({}, `fixtures: 001\n${SCRIPT}`)).toContain('stands in quotes')
  })
})

describe('a condition that there is not', () => {
  test('is told with its place, beside every other problem', () => {
    const text =
      'condition: [C0, C9]\nk: 2\nsubjects:\n  - script: s.yml\n  - script: t.yml\n    condition: C1-stings,C1@0\n'
    const message = problemsOf({}, text)
    expect(message).toMatch(
      /sweep\.yml:1:17: condition\.1: there is no condition "C9": it is none of the known forms; use C0/,
    )
    expect(message).toMatch(/sweep\.yml:6:16: subject 2: condition: 0: .*C1 has no section "stings"; it has: .*strings/)
    expect(message).toMatch(/sweep\.yml:6:16: subject 2: condition: 1: .*a rung is C1@P/)
    expect(message).toContain('pass@2 needs k <= n')
  })

  test('of a flag is told as of that flag', () => {
    expect(problemsOf({ script: 's.yml', condition: 'c1' })).toContain('--condition: there is no condition "c1"')
  })

  test('may still be a file that only the run reads', () => {
    expect(parse({ script: 's.yml', condition: 'file:none.md' }).config.condition).toEqual(['file:none.md'])
  })
})

test('what only the tool itself writes is no option of a file', () => {
  expect(problemsOf({}, 'purpose: demo\nsubjects:\n  - model: m\n')).toContain('there is no option "purpose"')
})

test('an id that YAML reads as a number is told how to be written', () => {
  expect(problemsOf({}, 'fixtures: [001]\nsubjects:\n  - model: m\n')).toContain('stands in quotes')
})

test('a typing error in a key is told with the key that was meant', () => {
  expect(problemsOf({}, 'subjects:\n  - modle: m\n')).toContain('there is no option "modle". Did you mean model?')
})

test('a folder of answers stands for one condition', () => {
  const message = problemsOf({ 'from-dir': 'answers', condition: 'C0,C1' })
  expect(message).toContain('were made with one amount of help')
})

describe('every problem is told at once', () => {
  test('of flags', () => {
    const message = problemsOf({ model: 'm', n: 'x', 'max-spend-usd': '', seed: '1.5' })
    expect(message).toContain('--n: "x" is not a whole number')
    expect(message).toContain('--max-spend-usd: is present but empty')
    expect(message).toContain('--seed: "1.5" is not a whole number')
  })

  test('of a file', () => {
    const message = problemsOf({}, 'subjects:\n  - model: m\nn: 0\nsplit: mine\n')
    expect(message).toMatch(/sweep\.yml:3:4: n/)
    expect(message).toMatch(/sweep\.yml:4:8: split/)
  })
})

/** A model whose price no catalogue tells. */
const elsewhere = { model: 'm', 'base-url': 'http://127.0.0.1:9/v1' }

test('at OpenRouter a cap needs no price, since the catalogue may tell it', () => {
  const { config } = parse({ model: 'm', 'max-spend-usd': '2', cutoff: 'auto' })
  expect(config).toMatchObject({ catalogue: 'auto', subjects: [{ cutoff: 'auto' }] })
})

test('a snapshot that a file names lies beside it, and the words for none are no paths', () => {
  const file = (word: string) => parse({}, `subjects:\n  - model: m\ncatalogue: ${word}\n`).config.catalogue
  expect([file('models.json'), file('auto'), file('"off"')]).toEqual([resolve('models.json'), 'auto', 'off'])
})

test.each([
  ['k above n', { model: 'm', n: '2', k: '3', temperature: '0.8' }, '--k: pass@3 needs k <= n, but n is 2'],
  ['temperature 0 with k > 1', { model: 'm', n: '5', k: '5', temperature: '0' }, '--temperature: is 0'],
  ['an empty cap', { model: 'm', 'max-spend-usd': ' ' }, '--max-spend-usd: is present but empty'],
  ['a bare cap', { model: 'm', 'max-spend-usd': true }, '--max-spend-usd: is present but empty'],
  ['a cap without a price', { ...elsewhere, 'max-spend-usd': '2' }, 'there is a spend cap but no price'],
  ['half a price', { model: 'm', 'prompt-usd-per-m': '2' }, 'a price has two parts'],
  [
    'a cap of the month without a price',
    { ...elsewhere, 'max-spend-usd-per-month': '2' },
    'there is a spend cap but no price',
  ],
  ['a spend book without a price', { ...elsewhere, 'spend-file': 'spend.jsonl' }, 'there is a spend cap but no price'],
  [
    'a cap without a price or a catalogue',
    { model: 'm', 'max-spend-usd': '2', catalogue: 'off' },
    'there is a spend cap but no price',
  ],
  ['a cutoff from no catalogue', { model: 'm', cutoff: 'auto', catalogue: 'off' }, '--cutoff: is "auto"'],
  [
    'a cutoff that is no date',
    { model: 'm', cutoff: 'automatic' },
    '--cutoff: must be a date like 2026-01-31, or auto',
  ],
  ['a cutoff that is no day', { model: 'm', cutoff: '2026-02-30' }, '--cutoff: is not a day of the calendar'],
  [
    'an empty cap of the month',
    { model: 'm', 'max-spend-usd-per-month': '' },
    '--max-spend-usd-per-month: is present but empty',
  ],
  ['a price of cached tokens alone', { model: 'm', 'cached-usd-per-m': '1' }, '--cached-usd-per-m: is a further part'],
  [
    'a price of cache writes alone',
    { model: 'm', 'cache-write-usd-per-m': '1' },
    '--cache-write-usd-per-m: is a further',
  ],
  ['a price of requests alone', { model: 'm', 'request-usd': '1' }, '--request-usd: is a further part'],
  ['a negative price', { model: 'm', 'request-usd': '-1' }, '--request-usd: must not be negative'],
  ['no source of answers', {}, 'nothing says where answers come from'],
  ['two sources of answers', { 'from-dir': 'a', recording: 'b' }, 'give one or the other'],
  ['an endpoint for a folder', { 'from-dir': 'a', 'base-url': 'http://127.0.0.1/v1' }, 'no endpoint is asked'],
  ['a second turn of a folder', { 'from-dir': 'a', fix: true }, '--fix: answers come from "from-dir"'],
  ['a second turn of a recording', { recording: 'a', fix: true }, '--fix: answers come from "recording"'],
  ['a date that does not exist', { model: 'm', cutoff: '2026-02-30' }, '--cutoff: is not a day of the calendar'],
  ['a key instead of its variable', { model: 'm', 'api-key-env': 'sk-123' }, 'not a key'],
  ['a URL of another scheme', { model: 'm', 'base-url': 'file:///etc' }, '--base-url: must be an http or https URL'],
] as const)('%s is refused', (_name, given, message) => {
  expect(problemsOf(given)).toContain(message)
})

test.each(['max-spend-usd', 'max-spend-usd-per-month'])('%s that is present but empty in a file is refused', (name) => {
  expect(problemsOf({}, `${name}:\nsubjects:\n  - from-dir: answers\n`)).toContain(
    `${name}: must be a number, got null`,
  )
})

test('several samples at a low temperature are warned about', () => {
  expect(parse({ model: 'm', n: '5', temperature: '0.2' }).warnings.join()).toContain('hardly differ')
})

const SUBJECT = 'subjects:\n  - from-dir: answers\n    condition: C0\n'

test('a flag for the engine replaces all that the file says of where it comes from', () => {
  const file = `vox-archive: vox.tgz\nvox-sha256: ${'a'.repeat(64)}\nsandbox: require\n${SUBJECT}`
  const { config } = parse({ vox: '/bin/vox' }, file)
  expect(config).toMatchObject({ vox: '/bin/vox', sandbox: 'require' })
  expect(config['vox-archive']).toBeUndefined()
  expect(parse({ engine: 'embedded' }, file).config['vox-archive']).toBeUndefined()
  expect(parse({}, file).config['vox-archive']).toBe(resolve('vox.tgz'))
})

test('an option in the wrong place is told where it belongs', () => {
  expect(problemsOf({}, 'subjects:\n  - model: m\n    sandbox: off\n')).toContain(
    '"sandbox" is of the whole sweep and stands at the top of the file',
  )
  expect(problemsOf({}, `temperature: 0\n${SUBJECT}`)).toContain('"temperature" is of one subject')
})

test('a location in a file is relative to it unless it is a URL', () => {
  expect(parse({}, `vox-source: ../vox\n${SUBJECT}`).config['vox-source']).toBe(resolve('../vox'))
  expect(parse({}, `vox-source: https://git.example/vox.git\n${SUBJECT}`).config['vox-source']).toBe(
    'https://git.example/vox.git',
  )
})
