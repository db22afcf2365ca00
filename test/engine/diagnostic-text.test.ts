import { expect, test } from 'vitest'
import { diagnosticsFromJson, diagnosticsFromText, withoutAnsi } from '../../src/engine/diagnostic-text.ts'

test('JSON diagnostics are cut at the closing bracket of the array', () => {
  const array = JSON.stringify([
    {
      severity: 'Error',
      error_code: 'vox/types/undefined-variable',
      message: 'Undefined variable: a]"b',
      span: { start_line: 3, start_col: 7, end_line: 3, end_col: 8 },
    },
    { severity: 'Warning', error_code: null, message: 'w', span: null },
  ])
  expect(diagnosticsFromJson(`${array}\nError: Check failed with 1 error(s) and 1 warning(s) ]`)).toEqual([
    {
      severity: 'error',
      code: 'vox/types/undefined-variable',
      message: 'Undefined variable: a]"b',
      line: 3,
      column: 7,
    },
    { severity: 'warning', code: null, message: 'w', line: 1, column: 1 },
  ])
})

test.each(['', 'Check passed', '[', '[{"severity": 1}]', '{"a": 1}', '[}'])('%j holds no JSON diagnostics', (text) => {
  expect(diagnosticsFromJson(text)).toBeNull()
})

test('text diagnostics are read with their place; ordinals are no codes', () => {
  const text = [
    'error[E0001]: Undefined variable: foo at a b.vox:2:5',
    'warning[E0002]: something at x.vox:1:1',
    'error[E0301]: Non-exhaustive match at x.vox:4:5',
    '\u001b[31merror[parse]\u001b[0m Expected (, found main',
    '  --> x.vox:3:4',
    'Error: Check failed with 2 error(s) and 1 warning(s)',
  ].join('\n')
  expect(diagnosticsFromText(text)).toEqual([
    { severity: 'error', code: null, message: 'Undefined variable: foo', line: 2, column: 5 },
    { severity: 'warning', code: null, message: 'something', line: 1, column: 1 },
    { severity: 'error', code: 'E0301', message: 'Non-exhaustive match', line: 4, column: 5 },
    { severity: 'error', code: 'E0001', message: 'Expected (, found main', line: 3, column: 4 },
  ])
})

test.each([
  `error[E0001]: x${' at '.repeat(30_000)}`,
  `error[E0001]: x${' at :1:1'.repeat(16_000)} `,
  `  --> ${':1:1'.repeat(30_000)} `,
  'error['.repeat(20_000),
])('a hostile line takes no time (%#)', (line) => {
  const startedMs = performance.now()
  expect(diagnosticsFromText(line)).toEqual([])
  expect(performance.now() - startedMs).toBeLessThan(500)
})

test('colours are removed', () => {
  expect(withoutAnsi('\u001b[1;31mred\u001b[0m')).toBe('red')
})

test('a position too large for a number stays one, so that a journal can hold it', () => {
  const digits = '9'.repeat(400)
  const [typed] = diagnosticsFromText(`error[E0001]: wrong at program.vox:${digits}:${digits}`)
  const [parsed] = diagnosticsFromText(`error[parse] wrong\n --> program.vox:${digits}:${digits}`)
  for (const diagnostic of [typed, parsed]) {
    expect(JSON.parse(JSON.stringify(diagnostic))).toEqual(diagnostic)
    expect(Number.isSafeInteger(diagnostic?.line) && Number.isSafeInteger(diagnostic?.column)).toBe(true)
  }
})
