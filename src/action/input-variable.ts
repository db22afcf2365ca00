/** The name under which the runner hands an input on. */
export function variableOf(input: string): string {
  return `INPUT_${input.replaceAll(' ', '_').toUpperCase()}`
}
