import { checkModule } from './checker/module.ts'
import type { CheckResult } from './parse-result.ts'
import { parse } from './parser/parser.ts'

/** Parses and type checks a program as `vox check` does: errors reject it, warnings do not. Never throws. */
export function check(source: string): CheckResult {
  const parsed = parse(source)
  if (parsed.kind === 'failed') return { kind: 'rejected', diagnostics: parsed.diagnostics }
  if (parsed.kind === 'unsupported') return parsed
  const { unsupported, inference, diagnostics } = checkModule(parsed.module)
  if (unsupported !== null) return { kind: 'unsupported', ...unsupported }
  if (inference.isExhausted) return { kind: 'unsupported', reason: 'types too large', span: { start: 0, end: 0 } }
  const all = [...diagnostics, ...parsed.warnings]
  if (diagnostics.some((each) => each.severity === 'error')) return { kind: 'rejected', diagnostics: all }
  return { kind: 'accepted', warnings: all }
}
