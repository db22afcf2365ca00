import type { VerdictKind } from '../verify/verdict.ts'

/** What each kind of failure means, in a line. */
const kindWords: Readonly<Record<Exclude<VerdictKind, 'passed'>, string>> = {
  'no-code':
    'the answer holds no program (none), declines the task (refused), or was held back by the provider (filtered)',
  truncated: 'the answer was cut off at its limit of tokens',
  policy: 'the program breaks the rule that is named, such as an import',
  'check-failed': '`check` refused the program; the class says why',
  'check-timeout': '`check` did not end in time',
  'wrong-answer': 'the program ran and gave a wrong result, on a published assertion or on fresh inputs',
  'runtime-error': 'the program stopped with an error; the class says which',
  budget: 'the program used up its steps, its depth of calls or its memory',
  timeout: 'the program did not end in time',
  'output-limit': 'the program printed more than is allowed',
  cheated:
    'the program seemed to pass without doing so: it ended before the tests did, or did not fail a test that was altered to fail',
  crashed: 'the process that ran the program died',
  unsupported: 'the engine lacks something the program uses, so nobody knows whether it is right',
}

/** What each class of `check-failed` and `runtime-error` means, in a line. */
const classWords: Readonly<Record<string, string>> = {
  parse: 'the text is not Vox by its grammar',
  foreign_syntax: 'a keyword of another language, such as `const`, which Vox takes for a name',
  undefined_name: 'a name that nothing defines',
  unknown_method: 'a method that the value does not have',
  unknown_field: 'a field that the value does not have',
  arity: 'too many or too few arguments',
  option_misuse: 'an Option used as if it were the value in it, or `?` where it cannot stand',
  type_mismatch: 'a value of another type than is needed there',
  immutable_assign: 'assignment to a name that was not declared `mut`',
  non_exhaustive: 'a `match` that leaves cases out',
  effect: 'an effect that is not allowed where it stands',
  wrong_answer: 'an assertion of the program itself failed',
  runtime_type: 'an operation met a value of a type it does not work on, while running',
  runtime_arith: 'integer overflow, or division by zero',
  runtime_match: 'no arm matched, or there was no value to unwrap',
  budget: 'steps or memory used up',
  capability: 'access to the host that is denied',
  crash: 'the engine itself failed',
  other: 'none of these',
}

/** A failure's meaning in a line; null for a kind of a later version. The text is this program's own. */
export function explainFailure(kind: string, name: string | null): string | null {
  const ofKind = Object.hasOwn(kindWords, kind) ? kindWords[kind as keyof typeof kindWords] : null
  const hasClasses = kind === 'check-failed' || kind === 'runtime-error'
  if (!hasClasses || name === null || !Object.hasOwn(classWords, name)) return ofKind
  return classWords[name] ?? ofKind
}
