import { escapeLog } from '../report/escape.ts'

/** Text as one line of a terminal or a log: nothing in it moves the cursor, ends the line or commands a runner. */
export function plainText(text: string): string {
  return escapeLog(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}
