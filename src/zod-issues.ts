import type { z } from 'zod'

/** What a schema has against a value, as `path.of.field: message` each. */
export function listIssues({ issues }: z.ZodError): string[] {
  return issues.map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
}
