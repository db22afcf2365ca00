/**
 * Tokens of each section under the o200k_base encoding, heading and separator included.
 * Kept as data so that no run loads a tokenizer for our own texts; a test recounts them with the tokenizer.
 */
export const sectionTokens: Readonly<Record<string, number>> = {
  shape: 61,
  options: 66,
  operators: 63,
  bindings: 65,
  control: 84,
  match: 43,
  strings: 97,
  lists: 95,
  numbers: 52,
  types: 85,
  maps: 48,
  lambdas: 29,
  example: 331,
  lexical: 184,
  lines: 113,
  precedence: 101,
  functions: 105,
  typing: 111,
  assignment: 130,
  'match-and-option': 191,
  'built-in-functions': 127,
  'number-methods': 84,
  'str-methods': 159,
  'list-methods': 157,
  'map-methods': 81,
}
