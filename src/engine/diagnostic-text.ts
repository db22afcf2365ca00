import { z } from 'zod'
import type { EngineDiagnostic } from './engine.ts'

const ESCAPE = String.fromCharCode(27)
const ANSI_SEQUENCE = new RegExp(`${ESCAPE}\\[[0-9;?]*[ -/]*[@-~]`, 'g')
/** The number in the brackets of a type error is an ordinal, not a code. */
const TYPE_HEAD = /^(error|warning)\[([^\]]*)\]:? /
const PLACE = /:(\d+):(\d+)$/
const PARSE_LINE = /^(error|warning)\[parse\]:? (.*)$/
const ARROW_LINE = /^\s*--> .*:(\d+):(\d+)$/
const DIAGNOSTIC_LIMIT = 100

const jsonDiagnosticsSchema = z.array(
  z.object({
    severity: z.string(),
    error_code: z.string().nullish(),
    message: z.string(),
    span: z.object({ start_line: z.number(), start_col: z.number() }).nullish(),
  }),
)

/** `text` without terminal colour sequences. */
export function withoutAnsi(text: string): string {
  return text.includes(ESCAPE) ? text.replace(ANSI_SEQUENCE, '') : text
}

/**
 * Diagnostics of a `vox check --output-format json`: the array that stands first in `text`, whatever follows it. Null when there is
 * none or it does not have that shape.
 */
export function diagnosticsFromJson(text: string): EngineDiagnostic[] | null {
  const array = leadingArray(text)
  if (array === null) return null
  const parsed = jsonDiagnosticsSchema.safeParse(array)
  if (!parsed.success) return null
  return parsed.data.slice(0, DIAGNOSTIC_LIMIT).map(({ severity, error_code, message, span }) => ({
    severity: severity.toLowerCase() === 'warning' ? 'warning' : 'error',
    code: error_code ?? null,
    message,
    line: span?.start_line ?? 1,
    column: span?.start_col ?? 1,
  }))
}

/** Diagnostics read out of the text form of `vox check`; lines of other shapes are passed over. */
export function diagnosticsFromText(text: string): EngineDiagnostic[] {
  const found: EngineDiagnostic[] = []
  const lines = withoutAnsi(text).split('\n')
  for (const [index, line] of lines.entries()) {
    if (found.length >= DIAGNOSTIC_LIMIT) break
    const parse = PARSE_LINE.exec(line)
    const typed = parse === null ? readTypeLine(line) : null
    if (parse !== null) {
      const arrow = ARROW_LINE.exec(lines[index + 1] ?? '')
      found.push({
        severity: severityOf(parse[1]),
        code: 'E0001',
        message: parse[2] ?? '',
        line: toPosition(arrow?.[1]),
        column: toPosition(arrow?.[2]),
      })
    } else if (typed !== null) {
      found.push(typed)
    }
  }
  return found
}

/** `error[E0001]: MESSAGE at FILE:LINE:COLUMN`; the message may hold ` at ` too. Linear in the length of the line. */
function readTypeLine(line: string): EngineDiagnostic | null {
  const head = TYPE_HEAD.exec(line)
  const place = head === null ? null : PLACE.exec(line)
  if (head === null || place === null) return null
  const [start, end] = [head[0].length, line.lastIndexOf(' at ', place.index)]
  if (end < start) return null
  return {
    severity: severityOf(head[1]),
    code: codeOf(head[2] ?? ''),
    message: line.slice(start, end),
    line: toPosition(place[1]),
    column: toPosition(place[2]),
  }
}

/** Programs end up in messages, and with them anything that looks like a position. */
function toPosition(digits = '1'): number {
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}

function severityOf(word: string | undefined): 'error' | 'warning' {
  return word === 'warning' ? 'warning' : 'error'
}

function codeOf(bracketed: string): string | null {
  return /^E0\d+$/.test(bracketed) && bracketed !== 'E0301' ? null : bracketed
}

function leadingArray(text: string): unknown {
  const start = text.indexOf('[')
  if (start < 0) return null
  let depth = 0
  let isInString = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (isInString) {
      if (char === '\\') at++
      else if (char === '"') isInString = false
    } else if (char === '"') isInString = true
    else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') depth--
    if (depth === 0) return parseJson(text.slice(start, at + 1))
  }
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
