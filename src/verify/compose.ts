/** Version of the program text around a candidate. */
export const COMPOSITION_VERSION = 2

/** Denies every gated namespace; it counts only as the very first line. */
const CAPS_LINE = '// vox:caps none'
/** Lines in front of the candidate in a composed program. */
export const LINES_BEFORE_CANDIDATE = 1

/** `source` alone, denied what a composed program is denied. */
export function withoutCapabilities(source: string): string {
  return `${CAPS_LINE}\n${source}\n`
}

/**
 * A whole program: the capability directive, `source`, then a `main` that runs `statements` and returns the nonce. Only a `main` that
 * reached its end shows the nonce as the last line of the output. The nonce is worth nothing without the directive: a candidate that
 * may read its own source finds it there.
 */
export function compose(source: string, statements: readonly string[], nonce: string): string {
  const body = [...statements, `return "${nonce}"`].map((statement) => `    ${statement}\n`).join('')
  return `${withoutCapabilities(source)}\nfn main() to str {\n${body}}\n`
}

/** The statement that a call gives a literal. */
export function assertEqual(call: string, expected: string): string {
  return `assert(${call} == ${expected})`
}
