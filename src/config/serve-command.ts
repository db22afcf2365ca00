import { suggestion } from './nearest.ts'

/** What stands in a command that serves a checkpoint for what is known only when it is started. */
export const placeholders = ['path', 'port', 'model', 'checkpoint'] as const
export type Placeholder = (typeof placeholders)[number]

export type ServeCommand =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'problem'; readonly message: string }

/** What a shell would obey where it stands as a word of its own. */
const SHELL_WORDS = new Set(['&&', '||', '|', ';', '&', '>', '>>', '<', '2>', '2>&1', '&>'])

/**
 * The words of a command template: separated by blanks, but for those in single or double quotes; a backslash takes the
 * character after it as it is, in double quotes only a quote or another backslash. Nothing else has a meaning: no shell is run.
 */
export function readServeCommand(template: string): ServeCommand {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let at = 0; at < template.length; at++) {
    const character = template[at] ?? ''
    const next = template[at + 1]
    if (character === '\\' && quote !== "'" && (quote === '' || next === '"' || next === '\\')) {
      if (next === undefined) return { kind: 'problem', message: 'ends in a backslash' }
      word = (word ?? '') + next
      at += 1
    } else if (quote === '' && (character === '"' || character === "'")) {
      word ??= ''
      quote = character
    } else if (character === quote) quote = ''
    else if (quote === '' && /\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + character
  }
  if (quote !== '') return { kind: 'problem', message: `has an open quote (${quote})` }
  if (word !== null) words.push(word)
  const message = problemOf(words)
  return message === null ? { kind: 'words', words } : { kind: 'problem', message }
}

/** The command that a template comes to; what is put in stays within its word, whatever characters it has. */
export function fillServeCommand(words: readonly string[], values: Readonly<Record<Placeholder, string>>): string[] {
  return words.map((word) =>
    word.replace(/\{(path|port|model|checkpoint)\}/g, (_whole, name: Placeholder) => values[name]),
  )
}

function problemOf(words: readonly string[]): string | null {
  if (words.length === 0) return 'must not be empty'
  const shell = words.find((word) => SHELL_WORDS.has(word))
  if (shell !== undefined) return `has "${shell}", but no shell is run; put what needs one into a script`
  const names = words.flatMap((word) => [...word.matchAll(/\{([A-Za-z_-]+)\}/g)].map(([, name = '']) => name))
  const unknown = names.find((name) => !(placeholders as readonly string[]).includes(name))
  if (unknown !== undefined) {
    const meant = suggestion(unknown, placeholders, (name) => `{${name}}`)
    return `has no meaning for {${unknown}}; there are {${placeholders.join('}, {')}}.${meant}`
  }
  return names.includes('port') ? null : 'must say with {port} where the server gets the port that it listens on'
}
