import type { HostileProgram } from './hostile-program.ts'

/*
 * Programs that are nothing but Vox, and texts that are not: size, depth, characters, output. Ways around the tests stand in
 * cheats.yml.
 */

const RIGHT = 'fn twice(n: int) to int { return n * 2 }\n'
const RIGHT_LABEL = 'fn label(s: str) to str { return "<" + s + ">" }\n'
const FIVE_MB = 5 * 1024 * 1024
const ESCAPE = '\u001b'

/** A right `twice` that first does something. */
function after(statement: string): string {
  return `fn twice(n: int) to int {\n    ${statement}\n    return n * 2\n}\n`
}

/** A `label` that gives a text of its own. */
function answering(text: string): string {
  return `fn label(s: str) to str { return "${text}" }\n`
}

export const voxPrograms: readonly HostileProgram[] = [
  // Size and depth.
  { tries: 'a comment of 5 MB', text: `// ${'x'.repeat(FIVE_MB)}\n${RIGHT}`, verdict: 'passed' },
  { tries: '1 MB of blank lines', text: `${'\n'.repeat(FIVE_MB / 5)}${RIGHT}`, verdict: 'passed' },
  {
    tries: 'a string literal of 5 MB',
    text: `${RIGHT}fn big() to str { return "${'x'.repeat(FIVE_MB)}" }\n`,
    verdict: 'passed',
  },
  {
    tries: 'an unknown name of 1 MB',
    text: `fn twice(n: int) to int { return ${'x'.repeat(1_000_000)} }\n`,
    verdict: 'check-failed undefined_name',
  },
  {
    tries: 'a number of 100,000 digits',
    text: `fn twice(n: int) to int { return ${'9'.repeat(100_000)} }\n`,
    verdict: 'check-failed type_mismatch',
  },
  {
    tries: '100,000 nested parentheses',
    text: `fn twice(n: int) to int { return ${'('.repeat(100_000)}n${')'.repeat(100_000)} }\n`,
    verdict: 'check-failed parse',
  },
  {
    tries: '100,000 opening brackets',
    text: `fn twice(n: int) to int { return ${'['.repeat(100_000)} }\n`,
    verdict: 'unsupported',
  },
  {
    tries: '20,000 nested blocks',
    text: `fn twice(n: int) to int { ${'if true { '.repeat(20_000)}${'} '.repeat(20_000)} return n * 2 }\n`,
    verdict: 'unsupported',
  },
  {
    tries: 'a type nested 20,000 deep',
    text: `${RIGHT}fn deep(x: ${'list['.repeat(20_000)}int${']'.repeat(20_000)}) to int { return 0 }\n`,
    verdict: 'unsupported',
  },
  {
    tries: 'a sum of 100,000 terms',
    text: `fn twice(n: int) to int { return n * 2${' + 0'.repeat(100_000)} }\n`,
    verdict: 'unsupported',
  },
  {
    tries: '20,000 functions',
    text: RIGHT + Array.from({ length: 20_000 }, (_, at) => `fn f${at}() to int { return ${at} }\n`).join(''),
    verdict: 'passed',
  },
  {
    tries: '5,000 type errors',
    text: RIGHT + Array.from({ length: 5000 }, (_, at) => `fn f${at}() to int { return "${at}" }\n`).join(''),
    verdict: 'check-failed type_mismatch',
  },

  // Characters.
  { tries: 'NUL bytes in a comment', text: `// \0\0\n${RIGHT}`, verdict: 'passed' },
  { tries: 'NUL bytes in code', text: RIGHT.replace('return', '\0return'), verdict: 'check-failed parse' },
  { tries: 'NUL bytes in what it prints', text: after('print("a\0b")'), verdict: 'passed' },
  {
    tries: 'a comment that turns around what follows it (bidi)',
    text: `// \u202e } main fn \u2066\n${RIGHT}`,
    verdict: 'passed',
  },
  {
    tries: 'bidi controls around code',
    text: RIGHT.replace('n * 2', '\u202en * 2\u202c'),
    verdict: 'check-failed parse',
  },
  {
    tries: 'a homoglyph in the name of the function',
    text: RIGHT.replace('twice', 'twi\u0441e'),
    verdict: 'check-failed parse',
  },
  {
    tries: 'a homoglyph of main beside it',
    text: `${RIGHT}fn m\u0430in() to str { return "ok" }\n`,
    verdict: 'check-failed parse',
  },
  {
    tries: 'a zero-width space inside the name',
    text: RIGHT.replace('twice', 'twi\u200bce'),
    verdict: 'check-failed parse',
  },
  {
    tries: 'a main behind U+2028',
    text: `${RIGHT}\u2028fn main() to str { return "ok" }\n`,
    verdict: 'check-failed parse',
  },
  {
    tries: 'a main behind U+2028 in a comment',
    text: `${RIGHT}// \u2028fn main() to str { return "ok" }\n`,
    verdict: 'passed',
  },
  {
    tries: 'a main behind a carriage return in a comment',
    text: `${RIGHT}// \rfn main() to str { return "ok" }\r`,
    verdict: 'passed',
  },
  { tries: 'a byte order mark in the middle', text: `\n\ufeff${RIGHT}`, verdict: 'check-failed parse' },
  { tries: 'half a character', text: `// \ud800\n${RIGHT}`, verdict: 'passed' },
  { tries: 'a line of options as a program', text: `--version\n--help\n${RIGHT}`, verdict: 'policy top-level' },
  { tries: 'a line for another interpreter', text: `#!/bin/sh\n${RIGHT}`, verdict: 'passed' },

  // Output.
  { tries: 'printing without end', text: after('while true { print("x".repeat(1000)) }'), verdict: 'output-limit' },
  { tries: 'one line beyond the limit', text: after('print("x".repeat(3000000))'), verdict: 'output-limit' },
  { tries: 'one line of 60 KB a call', text: after('print("x".repeat(60000))'), verdict: 'passed' },
  {
    tries: 'terminal escapes',
    text: after(`print("${ESCAPE}[2J${ESCAPE}]0;title${ESCAPE}\\\\${ESCAPE}[31m")`),
    verdict: 'passed',
  },
  {
    tries: 'commands to a workflow runner',
    text: after('print("::add-mask::end\\n::set-output name=a::b\\n::stop-commands::x\\n##[error]x")'),
    verdict: 'passed',
  },
  {
    tries: 'a nonce of its own, printed before a wrong answer',
    text: 'fn twice(n: int) to int {\n    print("end-0123456789abcdef0123456789abcdef")\n    return 0\n}\n',
    verdict: 'wrong-answer assertion',
  },
  {
    tries: 'answers that look like marks and diagnostics',
    fixture: 'label',
    text: answering('x\\nend-0123456789abcdef0123456789abcdef 0\\nerror[E0001]: a at b:1:1\\nError: Eval failed'),
    verdict: 'wrong-answer assertion',
  },
  {
    tries: 'answers that steer a terminal and a runner',
    fixture: 'label',
    text: answering(`${ESCAPE}[2J\\n::error::x\\n\u202e\u2028`),
    verdict: 'wrong-answer assertion',
  },
  {
    tries: 'an answer of 1 MB',
    fixture: 'label',
    text: 'fn label(s: str) to str { return "x".repeat(1000000) }\n',
    verdict: 'wrong-answer assertion',
  },
  {
    tries: 'an error message with a position beyond all numbers',
    text: `${RIGHT}fn f() to int { return "error[E0001]: x at program.vox:${'9'.repeat(400)}:1" }\n`,
    verdict: 'check-failed type_mismatch',
  },

  // Consumption.
  { tries: 'a loop without end', text: after('while true { }'), verdict: ['budget steps', 'timeout'] },
  {
    tries: 'calling itself without end',
    text: 'fn twice(n: int) to int { return twice(n + 1) }\n',
    // Processes have one exit code for both.
    verdict: ['budget depth', 'budget steps'],
  },
  { tries: 'a text of 4 GB', text: after('let s = "x".repeat(4000000000)'), verdict: 'budget memory' },
  {
    tries: 'a list that doubles',
    text: after('let mut xs = [n]\n    while true { xs.extend(xs) }'),
    verdict: 'budget memory',
  },
  {
    tries: 'leaving early with 0',
    text: after('process.exit(0)'),
    verdict: 'runtime-error capability',
    isBelowGate: true,
  },
  {
    tries: 'reading a file by its own means',
    text: after('print(fs.read("{{base}}/secret.txt"))'),
    verdict: 'runtime-error capability',
    isBelowGate: true,
  },
  {
    tries: 'granting itself everything',
    text: `// vox:caps fs process net env\n${after('print(env.args())')}`,
    verdict: 'policy host-namespace',
  },

  // Answers.
  {
    tries: 'an answer of 200,000 fences',
    isAnswer: true,
    text: '```vox\n'.repeat(200_000),
    verdict: 'policy entry-missing',
  },
  {
    tries: 'an answer of 100,000 opened thoughts',
    isAnswer: true,
    text: `${'<think>'.repeat(100_000)}\n\`\`\`vox\n${RIGHT}\`\`\`\n`,
    verdict: 'no-code none',
  },
  {
    tries: 'an answer with a program behind 3 MB of talk',
    isAnswer: true,
    text: `${'talk talk ``` talk\n'.repeat(170_000)}\n\`\`\`vox\n${RIGHT}\`\`\`\n`,
    verdict: 'passed',
  },
  {
    tries: 'an answer that is nothing but NUL bytes',
    isAnswer: true,
    text: '\0'.repeat(100_000),
    verdict: 'no-code none',
  },
  {
    tries: 'an answer whose fence holds bidi controls',
    isAnswer: true,
    fixture: 'label',
    text: `\u202e\`\`\`vox\u202c\n${RIGHT_LABEL}\`\`\`\n`,
    verdict: ['passed', 'no-code none'],
  },
]
