/** Characters Rust's debug form writes as `\u{…}`: not printable, or a combining mark. */
const ESCAPED = /[\p{C}\p{Zl}\p{Zp}\p{Grapheme_Extend}]|(?! )\p{Zs}/u

/** A string in Rust's debug form, quotes included. */
export function quoteDebug(text: string): string {
  let out = '"'
  for (const character of text) {
    if (character === '"' || character === '\\') out += `\\${character}`
    else if (character === '\n') out += '\\n'
    else if (character === '\r') out += '\\r'
    else if (character === '\t') out += '\\t'
    else if (character === '\0') out += '\\0'
    else if (ESCAPED.test(character)) out += `\\u{${character.codePointAt(0)?.toString(16)}}`
    else out += character
  }
  return `${out}"`
}
