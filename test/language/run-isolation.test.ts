import { describe, expect, test } from 'vitest'
import { observe, outputOf } from './run-program.ts'

/** Names that mean something on every JavaScript object. */
const NAMES = [
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'prototype',
  '__defineGetter__',
  'length',
  'at',
]

describe.each(NAMES)('the name %s', (name) => {
  test('is an ordinary key', () => {
    const source = `fn main() { let mut m: Map[str, int] = {}
 print(m["${name}"], m.get("${name}"), m.contains_key("${name}"))
 m["${name}"] = 1
 m.insert("${name}", 2)
 print(m, m.keys(), m.${name})
 m.remove("${name}")
 print(m) }`
    expect(outputOf(source)).toBe(`None None false\n{${name}: 2} [${name}] 2\n{}\n`)
  })

  test('is an ordinary key of a large map', () => {
    const source = `fn main() { let mut m: Map[str, int] = {}
 for i in range(20) { m["k" + i] = i }
 print(m["${name}"])
 m["${name}"] = 1
 print(m["${name}"], m.len()) }`
    expect(outputOf(source)).toBe('None\nSome(1) 21\n')
  })

  test('is an ordinary variable, parameter and function', () => {
    expect(outputOf(`fn main() { let ${name} = 3\n print(${name} + 1) }`)).toBe('4\n')
    expect(outputOf(`fn ${name}(${name}: int) to int { return ${name} }\nfn main() { print(${name}(5)) }`)).toBe('5\n')
  })

  test('is undefined where nobody defined it', () => {
    const error = `Error: Eval failed: UndefinedVariable("${name}")\n`
    expect(observe(`fn main() { print(${name}) }`).result).toMatchObject({ exit: 1, stderr: error })
    expect(observe(`fn main() { ${name}(1) }`).result).toMatchObject({ exit: 1, stderr: error })
  })

  test('is no field of an object', () => {
    const { result } = observe(`fn main() { let o = {a: 1}\n print(o.${name}) }`)
    expect(result).toMatchObject({
      exit: 1,
      stderr: `Error: Eval failed: AssertionFailed("Field ${name} not found on object")\n`,
    })
  })
})

const METHODS = NAMES.filter((name) => name !== 'length' && name !== 'at')
const RECEIVERS = ['1', '1.5', '"a"', 'true', 'null', '[1]', '(1, 2)', 'Some(1)', 'Ok(1)', 'None', 'fn(x) x', '{a: 1}']

test.each(METHODS)('no value has a method %s', (name) => {
  for (const receiver of RECEIVERS) {
    const { result } = observe(`fn main() { let v = ${receiver}\n v.${name}() }`)
    expect(result).toMatchObject({
      exit: 1,
      stderr: `Error: Eval failed: AssertionFailed("Method ${name} not found")\n`,
    })
  }
})

test.each([
  'globalThis',
  'require',
  'module',
  'Function',
  'eval',
  'console',
  'Buffer',
  'import_meta',
  'self',
  'arguments',
])('nothing of the host answers to %s', (name) => {
  const error = `Error: Eval failed: UndefinedVariable("${name}")\n`
  expect(observe(`fn main() { print(${name}) }`).result).toMatchObject({ exit: 1, stderr: error })
})

test('the fields of a map do not become properties of anything', () => {
  outputOf('fn main() { let mut m = {}\n m["__proto__"] = {polluted: 1}\n let o = {constructor: m}\n print(o) }')
  expect('polluted' in {}).toBe(false)
})

describe('capabilities', () => {
  const CALLS = [
    'fs.read("x")',
    'io.open("x")',
    'process.run("sh", [])',
    'process.exit(0)',
    'env.get("HOME")',
    'env.args()',
    'secrets.get("x")',
  ]
  const MORE = [
    'time.now_ms()',
    'crypto.hash_fast("x")',
    'std.fs.exists("/")',
    'std.http.get_text("x")',
    'std.agentos.go()',
  ]

  test.each([...CALLS, ...MORE])('%s is denied under `// vox:caps none`, and nothing runs behind it', (call) => {
    const { result, stdout } = observe(`// vox:caps none\nfn main() { print("a")\n ${call}\n print("b") }`)
    const named = call.replace('std.', '').replace(/\(.*/, '')
    const stderr = `vox: capability denied: ${named} — grant with --caps <token> (see isolation.md)\n`
    expect([result, stdout]).toEqual([expect.objectContaining({ exit: 77, stderr }), 'a\n'])
  })

  test.each(CALLS.filter((call) => call !== 'process.exit(0)'))('%s is refused where it would be allowed', (call) => {
    expect(observe(`fn main() { ${call} }`).result.kind).toBe('unsupported')
  })

  test.each([
    [0, 0],
    [3, 3],
    [256, 0],
    [-1, 255],
  ])('process.exit(%i) ends with exit %i where it is allowed', (code, exit) => {
    expect(observe(`fn main() { print("a")\n process.exit(${code})\n print("b") }`)).toMatchObject({
      result: { exit, stderr: '' },
      stdout: 'a\n',
    })
  })

  test.each([
    ['the directive behind a blank line', '\n// vox:caps none', [], 0],
    ['the directive without the blank', '// vox:caps', [], 0],
    ['the directive behind a byte order mark', '\uFEFF// vox:caps none', [], 0],
    ['a word for the namespace', '// vox:caps net subprocess', [], 0],
    ['a flag that grants', '// vox:caps none', ['process:allow'], 0],
    ['a flag that does not, against the directive', '// vox:caps process', ['env:ro'], 77],
  ])('%s decides over process.exit', (_case, firstLine, caps, exit) => {
    expect(observe(`${firstLine}\nfn main() { process.exit(0) }`, {}, caps).result).toMatchObject({ exit })
  })

  test.each(['fs', 'env:maybe', 'time:frozen=x', 'io:ro', 'nonsense:allow', 'constructor:allow', 'net:__proto__'])(
    'the token %s is a start error',
    (token) => {
      const { result } = observe('fn main() { print(1) }', {}, [token])
      expect(result).toMatchObject({ exit: 1, stderr: expect.stringContaining(`invalid --caps token "${token}"`) })
    },
  )

  test('an object that passes for a namespace is gated like one', () => {
    const { result } = observe('// vox:caps none\nfn main() { {"__namespace__": "fs"}.read("/etc/passwd") }')
    expect(result).toMatchObject({ exit: 77 })
  })
})
