import { escapeLog } from './escape.ts'

/** What a terminal or a runner would obey in the text of a JSON value. */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|#(?=#\[)/g

/** A value as JSON whose text is the same value and steers nothing. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    OBEYED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Text as one line of a terminal or a log: nothing in it moves the cursor, ends the line or commands a runner. */
export function plainText(text: string): string {
  return escapeLog(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}
