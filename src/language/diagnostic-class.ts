import type { Diagnostic } from './diagnostic.ts'

/** Why a program was refused or failed, as far as its diagnostics tell. `other` is everything without a rule. */
export const FAILURE_CLASSES = [
  'parse',
  'foreign_syntax',
  'undefined_name',
  'unknown_method',
  'unknown_field',
  'arity',
  'option_misuse',
  'type_mismatch',
  'immutable_assign',
  'non_exhaustive',
  'effect',
  'wrong_answer',
  'runtime_type',
  'runtime_arith',
  'runtime_match',
  'budget',
  'capability',
  'crash',
  'other',
] as const

export type FailureClass = (typeof FAILURE_CLASSES)[number]

/** Words of other languages that are plain names in Vox, so that a statement made of them parses. */
const FOREIGN_WORDS =
  'const|var|let|struct|class|enum|trait|impl|interface|function|def|func|lambda|elif|switch|case|try|catch|except|finally|throw|raise|await|yield'

interface Rule {
  readonly is: FailureClass
  /** Tried on each line of a text, and on the first line of each diagnostic. */
  readonly text: RegExp
  readonly code?: RegExp
}

/** In order of precedence: a cause stands before what usually follows from it. */
const RULES: readonly Rule[] = [
  {
    is: 'parse',
    text: /error\[parse\]|Parse failed|Parsing failed/,
    code: /^(E0001|E091|vox\/(lexer|decorator)\/.*)$/,
  },
  {
    is: 'foreign_syntax',
    text: new RegExp(`Undefined variable: (${FOREIGN_WORDS})\\b|UndefinedVariable\\("(${FOREIGN_WORDS})"\\)`),
  },
  { is: 'undefined_name', text: /Undefined variable|UndefinedVariable\(/, code: /\/undefined-variable$/ },
  { is: 'unknown_method', text: /Method .* not found/, code: /\/method-not-found$/ },
  { is: 'unknown_field', text: /Field .* not found on|Cannot access field/, code: /\/field-not-found$/ },
  { is: 'arity', text: /Argument count mismatch|ArityMismatch/, code: /\/arg-count-mismatch$/ },
  { is: 'option_misuse', text: /(Cannot unify|Invalid operands).*\bOption\b|`\?` (operator on|can only be used)/ },
  {
    is: 'type_mismatch',
    text: /([Tt]ype|size|pattern) mismatch|Cannot unify|Invalid operands|Not a function|Cannot destructure|Type inference requires/,
    code: /\/(type-mismatch|arg-type-mismatch)$/,
  },
  { is: 'immutable_assign', text: /Cannot assign to immutable variable/ },
  { is: 'non_exhaustive', text: /Non-exhaustive match/, code: /^E0301$/ },
  { is: 'effect', text: /effect_violation/ },
  { is: 'wrong_answer', text: /assert failed/ },
  { is: 'runtime_type', text: /TypeError|unsupported (binary|unary) op|not supported by the interpreter/ },
  { is: 'runtime_arith', text: /integer (overflow|underflow|division|modulo)/ },
  {
    is: 'runtime_match',
    text: /No match arm found|Matched .* on |Pattern match literal mismatched|called `(Option|Result)\.|(Option|Result)\.expect:/,
  },
  { is: 'budget', text: /execution budget exceeded|memory limit exceeded|StepLimitExceeded/ },
  { is: 'capability', text: /capability denied/i },
  { is: 'crash', text: /panicked at|capacity overflow|has overflowed its stack|fatal runtime error/ },
]

/**
 * What a line is about stands near its start. A program can make its own messages as long as it likes, and rules with
 * two fixed words would take time with the square of their length.
 */
const LINE_CHARACTERS = 4096

/** Class of what a checker said: that of the highest rule any of its errors meets. Warnings do not count. */
export function classifyDiagnostics(diagnostics: readonly Diagnostic[]): FailureClass {
  const errors = diagnostics
    .filter((each) => each.severity === 'error')
    .map(({ code, message }) => ({ code: code ?? '', line: linesOf(message)[0] ?? '' }))
  const rule = RULES.find(({ text, code }) => errors.some((error) => code?.test(error.code) || text.test(error.line)))
  return rule?.is ?? 'other'
}

/**
 * Class of the error text of the vox binary, from `check` or from `run`.
 * The numbers in `error[E0001]` of its type errors count diagnostics and say nothing; exit codes are not looked at.
 */
export function classifyText(text: string): FailureClass {
  const lines = linesOf(text)
  return RULES.find((rule) => lines.some((line) => rule.text.test(line)))?.is ?? 'other'
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.slice(0, LINE_CHARACTERS))
}
