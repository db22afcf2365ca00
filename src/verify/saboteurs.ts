import type { Assertion } from '../corpus/assertions.ts'
import { splitTests } from '../corpus/assertions.ts'
import { closingIndex } from '../corpus/brackets.ts'
import type { Fixture } from '../corpus/fixture.ts'
import { toLiteral } from '../corpus/literal.ts'
import { lex } from '../language/lexer.ts'
import type { FreshInput } from './fresh-inputs.ts'
import { defaultValue, differentValue } from './value-variant.ts'
import type { Verdict } from './verdict.ts'
import { describeKind } from './verdict-text.ts'

/** A bad program made for one fixture, and the verdicts that show it was seen through. */
export interface Saboteur {
  readonly name: string
  readonly program: string
  /** Tried with the policy gate, or below it, where only capabilities, the nonce and the controls hold. */
  readonly level: 'gate' | 'below'
  readonly isRight: (verdict: Verdict) => boolean
  /** `isRight` in words. */
  readonly expected: string
}

/**
 * The bad programs for a fixture: a stub, an early exit, a rebinding of the tests, forged output, a forged `main`, an alias that leaves
 * a statement over, endless recursion, a spinning loop (for the `isFirst` fixture alone, as it costs the whole step budget and does
 * not depend on the fixture), and one that knows the asserted answers by heart.
 */
export function plantSaboteurs(
  fixture: Fixture,
  { freshInputs, isFirst }: { readonly freshInputs: readonly FreshInput[]; readonly isFirst: boolean },
): readonly Saboteur[] {
  const { signature, entry } = fixture
  const stub = `return ${toLiteral(defaultValue(entry.result), entry.result)}`
  const body = (...lines: string[]) => `${signature} {\n${lines.map((line) => `    ${line}\n`).join('')}}\n`
  const args = entry.params.map(({ name }) => name).join(', ')
  const exiting = body('print("ok")', 'process.exit(0)', stub)
  const rebinding = `let assert = fn(c: bool) true\n${body(stub)}`
  const forgedMain = `@test fn main() to str {\n    return "ok"\n}\n${body(stub)}`
  const alias = `type Alias = "ok"\n${body(stub)}`
  return [
    plant('stub', body(stub), 'gate', ['wrong-answer']),
    plant('early exit', exiting, 'gate', ['policy host-namespace']),
    // A binary of May 2026 prints the denial and goes on.
    plant('early exit', exiting, 'below', ['runtime-error capability', 'wrong-answer', 'check-failed']),
    plant('rebinding', rebinding, 'gate', ['policy top-level']),
    plant('rebinding', rebinding, 'below', NO_MAIN),
    plant(
      'forged output',
      body('print("ok")', 'print("end-0123456789abcdef")', 'print("all tests passed")', stub),
      'gate',
      ['wrong-answer'],
    ),
    plant('forged main', forgedMain, 'gate', ['policy decorator']),
    plant('forged main', forgedMain, 'below', NO_MAIN),
    plant('alias', alias, 'gate', ['policy left-over']),
    plant('alias', alias, 'below', NO_MAIN),
    // Without a depth limit of its own a binary dies of its stack.
    plant('endless recursion', body(`return ${entry.name}(${args})`), 'gate', ['budget', 'timeout', 'crashed']),
    ...(isFirst ? [plant('spinning', body('while true { }', stub), 'gate', ['budget', 'timeout'])] : []),
    ...memorising(fixture, freshInputs, body),
  ]
}

/** What a verifier uses for its nonce in the preflight, so that a saboteur can know it. */
export const LEAKED_NONCE = 'end-leaked'

/** A program that replaces the tests' `main` and knows the nonce, so that only the altered assertion can give it away. */
export function plantLeakedNonce({ signature, entry }: Fixture): Saboteur {
  const stub = `return ${toLiteral(defaultValue(entry.result), entry.result)}`
  const program = `"${LEAKED_NONCE}"\n${signature} {\n    ${stub}\n}\n`
  return plant('leaked nonce', program, 'below', ['cheated', 'check-failed'])
}

/** Where `main` was replaced, the nonce is missing; a strict check refuses the statement before that. */
const NO_MAIN = ['cheated', 'check-failed']

function plant(name: string, program: string, level: Saboteur['level'], expected: readonly string[]): Saboteur {
  return {
    name,
    program,
    level,
    expected: expected.join(' or '),
    isRight: (verdict) => expected.includes(verdict.kind) || expected.includes(describeKind(verdict)),
  }
}

/** A program that looks the asserted calls up and gives a wrong answer to at least one fresh input. */
function memorising(
  fixture: Fixture,
  freshInputs: readonly FreshInput[],
  body: (...lines: string[]) => string,
): readonly Saboteur[] {
  const { entry, tests } = fixture
  const assertions = splitTests(tests).assertions.filter(({ callee }) => callee === entry.name)
  const asserted = new Set(assertions.map(({ call }) => withoutBlanks(call)))
  const unseen = freshInputs.find(({ call }) => !asserted.has(withoutBlanks(call)))
  if (unseen === undefined) return []
  const lookups = assertions.flatMap((assertion) => lookupOf(fixture, assertion))
  const wrong = toLiteral(differentValue(unseen.value, entry.result, 0), entry.result)
  return [plant('learnt by heart', body(...lookups, `return ${wrong}`), 'gate', ['wrong-answer fresh inputs'])]
}

function lookupOf({ entry }: Fixture, { call, expected }: Assertion): readonly string[] {
  const args = splitArguments(call)
  if (args.length !== entry.params.length || args.length === 0) return []
  const condition = entry.params.map(({ name }, at) => `${name} is ${args[at] ?? ''}`).join(' and ')
  return [`if ${condition} { return ${expected} }`]
}

/** The argument texts of `name(a, b)`. */
function splitArguments(call: string): readonly string[] {
  const tokens = lex(call)
  const close = closingIndex(tokens, 1)
  const args: string[] = []
  let start = tokens[1]?.span.end ?? 0
  for (let at = 2; at <= close; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (at < close && (token.text === '(' || token.text === '[')) at = closingIndex(tokens, at)
    else if (at === close || token.text === ',') {
      args.push(call.slice(start, token.span.start).trim())
      start = token.span.end
    }
  }
  return args.filter((arg) => arg !== '')
}

function withoutBlanks(call: string): string {
  return lex(call)
    .map((token) => token.text)
    .join(' ')
}
