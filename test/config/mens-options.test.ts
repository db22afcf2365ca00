import { describe, expect, test } from 'vitest'
import { BenchError } from '../../src/bench-error.ts'
import { parseConfig } from '../../src/config/parse-config.ts'
import { fillServeCommand, readServeCommand } from '../../src/config/serve-command.ts'
import { isAtOpenRouter, isPaid, isServed } from '../../src/config/subject-source.ts'
import { conditionProblem } from '../../src/generate/condition.ts'

function parse(text: string, given = {}) {
  return parseConfig({ given, file: { path: 'sweep.yml', text }, nameOption: (name) => `--${name}`, conditionProblem })
    .config
}

function problemsOf(text: string): string[] {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof BenchError) return error.message.split('\n').slice(1)
    throw error
  }
  throw new Error('no problem was found')
}

const one = (...lines: string[]) => `subjects:\n  - ${lines.join('\n    ')}\n`

describe('a mens/ model', () => {
  test('is served where nothing says that it is at an endpoint, and is never asked for at OpenRouter', () => {
    const [subject = {}] = parse(one('model: mens/nova', 'mens-serve: serve {port}')).subjects
    expect([isServed(subject), isAtOpenRouter(subject), isPaid(subject)]).toEqual([true, false, false])
  })

  test('is asked at its base URL as any other', () => {
    const [subject = {}] = parse(one('model: mens/nova', 'base-url: http://127.0.0.1:1/v1')).subjects
    expect(isServed(subject)).toBe(false)
  })

  test('with neither is a problem that names both ways', () => {
    expect(problemsOf(one('model: mens/nova'))).toEqual([
      '  sweep.yml:2:12: subject 1: model: a mens/ model is at no public endpoint; give "mens-serve", the command that serves its checkpoint, or "base-url", where it is served already',
    ])
  })

  test('is not asked for at OpenRouter even where its URL is given', () => {
    expect(problemsOf(one('model: mens/nova', 'base-url: https://openrouter.ai/api/v1'))).toEqual([
      '  sweep.yml:3:15: subject 1: base-url: a mens/ model is not at OpenRouter; give the endpoint that serves it',
    ])
  })

  test('is described by flags alone', () => {
    const given = { model: 'mens/nova', 'mens-serve': 'serve {port}', 'mens-runs': 'runs', 'mens-ready-s': '5' }
    const { config } = parseConfig({ given, file: null, nameOption: (name) => `--${name}`, conditionProblem })
    expect(config).toMatchObject({
      subjects: [{ model: 'mens/nova', 'mens-serve': 'serve {port}' }],
      'mens-runs': 'runs',
      'mens-ready-s': 5,
    })
  })
})

test('two subjects of one file may be served by different commands', () => {
  const text = `mens-runs: runs\n${one('model: mens/nova', 'mens-serve: serve --fast {port}')}  - model: mens/nova\n    checkpoint: "900"\n    mens-serve: serve {port}\n`
  expect(parse(text).subjects.map((subject) => subject['mens-serve'])).toEqual(['serve --fast {port}', 'serve {port}'])
})

test('every problem of serving is told at once, with its place', () => {
  const text = `subjects:
  - model: a/b
    mens-serve: serve {port}
  - from-dir: answers
    mens-serve: serve {port}
  - model: mens/nova
    base-url: http://127.0.0.1:1/v1
    mens-serve: serve {port}
  - model: mens/nova
    checkpoint: "2"
    api-key-env: KEY
    mens-serve: serve {prt}
`
  expect(problemsOf(text)).toEqual([
    '  sweep.yml:3:17: subject 1: mens-serve: serves a model that is named mens/<run>; leave it out',
    '  sweep.yml:5:17: subject 2: mens-serve: answers come from files, so nothing is served; leave it out',
    '  sweep.yml:8:17: subject 3: mens-serve: the model is at "base-url" already; give one or the other',
    '  sweep.yml:11:18: subject 4: api-key-env: is not for a server that the run starts, which gets no keys; leave it out',
    '  sweep.yml:12:17: subject 4: mens-serve: has no meaning for {prt}; there are {path}, {port}, {model}, {checkpoint}. Did you mean {port}?',
  ])
})

describe('a command template', () => {
  test.each([
    [`serve --port {port}`, ['serve', '--port', '{port}']],
    [`  "my server" 'a "b"' c\\ d  {port} `, ['my server', 'a "b"', 'c d', '{port}']],
    [`serve --json='{"a":1}' --port={port} ""`, ['serve', '--json={"a":1}', '--port={port}', '']],
    [`serve "a\\"b\\n" 'c\\' {port}`, ['serve', 'a"b\\n', 'c\\', '{port}']],
    [`serve\n  $HOME *.x {port}`, ['serve', '$HOME', '*.x', '{port}']],
  ])('%j is split like this', (template, words) => {
    expect(readServeCommand(template)).toEqual({ kind: 'words', words })
  })

  test.each([
    [' ', 'must not be empty'],
    ['serve {path}', 'must say with {port} where the server gets the port that it listens on'],
    ["serve '{port}", "has an open quote (')"],
    ['serve {port} \\', 'ends in a backslash'],
    ['cd x && serve {port}', 'has "&&", but no shell is run; put what needs one into a script'],
  ])('%j is refused: %s', (template, message) => {
    expect(readServeCommand(template)).toEqual({ kind: 'problem', message })
  })

  test('what is put in stays within its word and is not looked at again', () => {
    const values = { path: "/runs/a b'{port}", port: '81', model: 'mens/a', checkpoint: 'final' }
    expect(fillServeCommand(['s', '--m={path}', '{port}{port}', '{model}@{checkpoint}'], values)).toEqual([
      's',
      "--m=/runs/a b'{port}",
      '8181',
      'mens/a@final',
    ])
  })
})
