import { BenchError } from '../bench-error.ts'
import { listIssues } from '../zod-issues.ts'
import { type Report, reportSchema, SCHEMA_VERSION } from './schema.ts'

/**
 * Reads a report that may come from anywhere.
 * @throws BenchError `report/invalid` naming the first fields that are wrong.
 */
export function readReport(file: string, text: string): Report {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(file, (error as Error).message)
  }
  const version = typeof value === 'object' && value !== null && 'schemaVersion' in value ? value.schemaVersion : null
  if (typeof version === 'number' && version !== SCHEMA_VERSION) {
    throw invalid(file, `it has schema version ${version}, and this version of the tool reads ${SCHEMA_VERSION}`)
  }
  const parsed = reportSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(file, listIssues(parsed.error).slice(0, 5).join('; '))
}

function invalid(file: string, problem: string): BenchError {
  return new BenchError({
    code: 'report/invalid',
    message: `${file} is not a report of this tool: ${problem}.`,
    hint: 'Give the report.json that a run wrote; its schema is schema/report.v1.schema.json.',
  })
}
