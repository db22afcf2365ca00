import { expect, test } from 'vitest'
import { captureOf } from '../../src/engine/captured-text.ts'
import { verdictOfCheck, verdictOfRun } from '../../src/verify/run-verdict.ts'
import { describeKind } from '../../src/verify/verdict-text.ts'

const NONCE = 'end-1'

function kindOf(code: number, stdout: string, stderr = ''): string {
  const outcome = { kind: 'exited', code, stdout: captureOf(stdout), stderr: captureOf(stderr), elapsedMs: 1 } as const
  return describeKind(verdictOfRun(outcome, NONCE))
}

test.each([
  [0, 'end-1\n', '', 'passed'],
  [0, 'noise\nend-1\n\n', '', 'passed'],
  [0, 'Str("end-1")\n', '', 'passed'],
  [0, 'end-1\nok\n', '', 'cheated'],
  [0, 'xend-1\n', '', 'cheated'],
  [0, '', '', 'cheated'],
  [
    1,
    'end-1\n',
    'assertion failed: x\nError: Eval failed: AssertionFailed("assert failed")\n',
    'wrong-answer assertion',
  ],
  [1, '', 'Error: Eval failed calling main: AssertionFailed("assert failed")\n', 'wrong-answer assertion'],
  [
    1,
    '',
    'Error: Eval failed: AssertionFailed("integer overflow: 1 + 2")\nnote: more\n',
    'runtime-error runtime_arith',
  ],
  [1, '', 'Error: Eval failed: AssertionFailed("Method foo not found")\n', 'runtime-error unknown_method'],
  [1, '', '', 'runtime-error other'],
  [77, '', 'vox: capability denied: fs.read — grant it\n', 'runtime-error capability'],
  [78, '', 'vox: execution budget exceeded\n', 'budget steps'],
  [79, '', 'vox: memory limit exceeded\n', 'budget memory'],
  [101, '', 'panicked\n', 'crashed'],
  [3, 'end-1\n', '', 'crashed'],
])('exit %d with %j and %j is %s', (code, stdout, stderr, expected) => {
  expect(kindOf(code, stdout, stderr)).toBe(expected)
})

test('an allocation that was refused is a matter of memory, any other abort a crash', () => {
  const aborted = (stderr: string) =>
    describeKind(verdictOfRun({ kind: 'crashed', signal: 'SIGABRT', stderr: captureOf(stderr) }, NONCE))
  expect(aborted('memory allocation of 4000000000 bytes failed\n')).toBe('budget memory')
  expect(aborted('stack overflow\n')).toBe('crashed')
})

test('a rejected check keeps errors only, by the lines of the candidate', () => {
  const at = (line: number) =>
    ({ severity: 'error', code: null, message: `Undefined variable: a${line}`, line, column: 3 }) as const
  const warning = { severity: 'warning', code: null, message: 'w', line: 9, column: 1 } as const
  const outcome = { kind: 'rejected', diagnostics: [warning, at(1), at(5)], text: '' } as const
  expect(verdictOfCheck(outcome, true)).toEqual({
    kind: 'check-failed',
    class: 'undefined_name',
    diagnostics: [
      { ...at(1), line: 1 },
      { ...at(5), line: 4 },
    ],
  })
  expect(verdictOfCheck(outcome, false)).toMatchObject({ diagnostics: [{ line: 1 }, { line: 5 }] })
})

test('a rejected check without readable diagnostics is classified by its text', () => {
  expect(
    verdictOfCheck({ kind: 'rejected', diagnostics: [], text: 'Error: Parsing failed with 2 error(s)' }, true),
  ).toEqual({
    kind: 'check-failed',
    class: 'parse',
    diagnostics: [],
  })
})
