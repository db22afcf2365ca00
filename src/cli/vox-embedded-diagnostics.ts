import type { Diagnostic } from '../language/diagnostic.ts'
import { positionAt } from '../language/span.ts'

/** The array of `vox check --output-format json`, pretty-printed; `source` is the normalised text the spans point into. */
export function diagnosticsAsJson(source: string, file: string, diagnostics: readonly Diagnostic[]): string {
  const entries = diagnostics.map(({ severity, code, message, span, missingCases }) => {
    const start = positionAt(source, span.start)
    const end = positionAt(source, span.end)
    return {
      error_code: code,
      severity: severity === 'error' ? 'Error' : 'Warning',
      message,
      file_path: file,
      span: { start_line: start.line, start_col: start.column, end_line: end.line, end_col: end.column },
      ast_node_kind: null,
      missing_cases: missingCases ?? [],
      expected_type: null,
      found_type: null,
      correction_hints: [],
      suggested_fixes: [],
      related_spans: [],
    }
  })
  return JSON.stringify(entries, null, 2)
}

/** The text form of `vox check`. The number of a type error is its place among them; a parse error has its own shape. */
export function describeDiagnostics(source: string, file: string, diagnostics: readonly Diagnostic[]): string {
  let ordinal = 0
  const lines = diagnostics.map(({ severity, code, message, span }) => {
    const { line, column } = positionAt(source, span.start)
    if (code === 'E0001') return `${severity}[parse] ${message}\n --> ${file}:${line}:${column}\n`
    ordinal += 1
    return `${severity}[E${String(ordinal).padStart(4, '0')}]: ${message} at ${file}:${line}:${column}\n`
  })
  return lines.join('')
}
