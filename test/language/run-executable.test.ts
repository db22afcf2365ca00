import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildEntry } from '../engine/built-worker.ts'

let executable = ''
let folder = ''

beforeAll(async () => {
  executable = await buildEntry('cli/vox-embedded.ts')
  folder = mkdtempSync(path.join(tmpdir(), 'vox-embedded-'))
})
afterAll(() => {
  rmSync(path.dirname(executable), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

function programFile(source: string | Uint8Array): string {
  const file = path.join(folder, 'program.vox')
  writeFileSync(file, source)
  return file
}

/** Runs the command with the arguments in front of a file that holds `source`. */
function call(args: readonly string[], source: string | Uint8Array) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...args, programFile(source)], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const RUN = ['run', '--mode', 'interp']

describe('run', () => {
  test('prints the value of main and exits 0', () => {
    expect(call(RUN, 'fn main() to str { print("é🙂", 1)\n return "ok" }')).toEqual({
      status: 0,
      stdout: 'é🙂 1\nok\n',
      stderr: '',
    })
  })

  test('a failed assertion exits 1, with what was printed before', () => {
    expect(call(RUN, 'fn main() { print("a")\n assert(false, "why") }')).toEqual({
      status: 1,
      stdout: 'a\n',
      stderr: 'assertion failed: why\nError: Eval failed: AssertionFailed("assert failed")\n',
    })
  })

  test('a program that needs a larger stack prints once what it printed before', () => {
    const deep = `fn down(n: int) to int {
    if n is 0 { return 0 }
    return [1].map(fn(x: int) x + down(n - 1)).sum()
}
fn main() to str {
    for i in range(20000) { print("line {i}") }
    print(down(500))
    print(down(2000))
    return "never"
}`
    const { status, stdout, stderr } = call([...RUN, '--max-steps', '100000000'], deep)
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join('')
    expect(stdout).toBe(`${lines}500\n`)
    expect(status).toBe(78)
    expect(stderr).toContain('execution budget exceeded')
  })

  test('does not type check', () => {
    expect(call(RUN, 'fn main() { let x: int = "s"\n print(x) }')).toMatchObject({ status: 0, stdout: 's\n' })
  })

  test('a source that does not parse exits 1', () => {
    const { status, stdout, stderr } = call(RUN, 'fn main( {')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Error: Parse failed: \[ParseError \{ message: /)
  })

  test.each([
    ['steps', ['--max-steps', '100'], 'fn main() { while true { } }', 78],
    ['depth', ['--max-depth=10'], 'fn f(n: int) to int { return f(n) }\nfn main() { f(1) }', 78],
    ['memory', ['--max-memory', '1000000'], 'fn main() { print(range(100000)) }', 79],
    ['memory without a limit', [], 'fn main() { print("x".repeat(4000000000)) }', 79],
    ['capabilities', ['--caps', 'env:ro', '--caps', 'time:real'], 'fn main() { process.exit(0) }', 77],
    ['an exit of its own', [], 'fn main() { process.exit(5) }', 5],
    ['a panic of vox', [], 'fn main() { print("x".repeat(-1)) }', 101],
    ['a malformed capability', ['--caps', 'nonsense'], 'fn main() { }', 1],
    ['a capability for a folder that is not there', ['--caps', 'fs:ro=/no/such/folder'], 'fn main() { }', 1],
  ])('%s: the exit code is vox’s', (_what, args, source, status) => {
    expect(call([...RUN, ...args], source).status).toBe(status)
  })

  test('what lies outside the slice exits 64 and says so on the last line', () => {
    const { status, stderr } = call(RUN, 'fn main() { print("a")\n print(fs.read("x")) }')
    expect([status, stderr]).toEqual([64, 'vox-embedded: unsupported: `fs.read` needs a host\n'])
  })

  test('calls nest as deep as vox allows, with expressions as deep as the parser follows', () => {
    const open = '(1 + '.repeat(180)
    const source = `fn d(n: int) to int { if n == 0 { return 0 }\n return ${open}d(n - 1)${')'.repeat(180)} }\nfn main() { print(d(1023)) }`
    expect(call(RUN, source)).toMatchObject({ status: 0, stdout: `${180 * 1023}\n` })
    expect(call(RUN, source.replace('1023', '1024'))).toMatchObject({ status: 78 })
  })

  test('output of any size arrives whole', () => {
    const { status, stdout } = call(RUN, 'fn main() { for i in range(20000) { print(i, "some more text") } }')
    expect([status, stdout.split('\n').length]).toEqual([0, 20001])
    expect(stdout.endsWith('\n19999 some more text\n')).toBe(true)
  })

  test('a reader that goes away ends the run', async () => {
    const child = spawn(process.execPath, [executable, ...RUN, programFile('fn main() { while true { print("y") } }')])
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect(code).toBe(101)
  })

  test('a file that is missing or no UTF-8 is a start error', () => {
    const missing = spawnSync(process.execPath, [executable, ...RUN, path.join(folder, 'none.vox')], {
      encoding: 'utf8',
    })
    expect([missing.status, missing.stderr.split('\n')[0]]).toEqual([1, 'Error: Failed to read file'])
    expect(call(RUN, new Uint8Array([0x66, 0xff, 0xfe])).status).toBe(1)
  })
})

describe('check', () => {
  test('accepts with the number of warnings', () => {
    expect(call(['check'], 'fn main() to str { return "ok" }')).toEqual({
      status: 0,
      stdout: 'Check passed with 0 warning(s)\n',
      stderr: '',
    })
  })

  test('rejects on stderr, with ordinals for codes', () => {
    const { status, stdout, stderr } = call(['check'], 'fn main() {\n  print(x)\n  print(y)\n}\n')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `error[E0001]: Undefined variable: x at ${folder}/program.vox:2:9
error[E0002]: Undefined variable: y at ${folder}/program.vox:3:9
Error: Check failed with 2 error(s) and 0 warning(s)
`,
    )
  })

  test('JSON stands on stdout as an array, in front of the closing sentence', () => {
    const { status, stdout, stderr } = call(['check', '--output-format', 'json'], 'fn main() {\n  print(x)\n}\n')
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({
        severity: 'Error',
        error_code: 'vox/types/undefined-variable',
        message: 'Undefined variable: x',
        span: { start_line: 2, start_col: 9, end_line: 2, end_col: 10 },
        missing_cases: [],
      }),
    ])
    expect([status, stderr]).toEqual([1, 'Error: Check failed with 1 error(s) and 0 warning(s)\n'])
    const passed = call(['check', '--json'], 'fn main() { }')
    expect([passed.status, passed.stdout]).toEqual([0, '[]\nCheck passed with 0 warning(s)\n'])
  })

  test('a parse error has its own shape', () => {
    const { status, stderr } = call(['check'], 'fn main() {\n  let = 1\n}\n')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^error\[parse\] .+\n --> .*program\.vox:2:7\n/)
  })

  test('warnings fail it only when asked to', () => {
    const source = 'fn main() { print(1 == 1) }'
    expect([call(['check'], source).status, call(['check', '--strict'], source).status]).toEqual([0, 1])
  })
})

test('the version names it apart from vox', () => {
  const { status, stdout } = spawnSync(process.execPath, [executable, '--version'], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^vox-embedded \d+\.\d+\.\d+\n$/)])
})

test.each([
  [[]],
  [['frobnicate', 'x.vox']],
  [['run', '--max-steps', 'many', 'x.vox']],
  [['run', '--nonsense', 'x.vox']],
  [['check', '--format', 'xml', 'x']],
])('arguments %j are a usage error', (args) => {
  const { status, stderr } = spawnSync(process.execPath, [executable, ...args], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, expect.stringContaining('usage: vox-embedded')])
})
