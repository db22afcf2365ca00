import type { Token } from '../language/lexer.ts'

/** The closing bracket of each opening one. */
export const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Index of the bracket that closes the one at `open`, or -1 when brackets do not pair up from there. */
export function closingIndex(tokens: readonly Token[], open: number): number {
  const expected: string[] = []
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind !== 'symbol') continue
    const closer = CLOSERS[token.text]
    if (closer !== undefined) expected.push(closer)
    else if (token.text === ')' || token.text === ']' || token.text === '}') {
      if (expected.pop() !== token.text) return -1
      if (expected.length === 0) return at
    }
  }
  return -1
}
