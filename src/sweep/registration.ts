import { createHash, randomUUID } from 'node:crypto'
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import type { Registration } from '../generate/journal.ts'
import { type Plan, planSchema } from '../generate/plan.ts'
import { listIssues } from '../zod-issues.ts'
import { listPlanDifferences } from './plan-differences.ts'

const registeredPlanSchema = z.object({
  kind: z.literal('vox-efficacy registered plan'),
  /** See `hashPlan`. */
  hash: z.string(),
  registeredAt: z.iso.datetime(),
  plan: planSchema,
})
export type RegisteredPlan = z.infer<typeof registeredPlanSchema>

const MAX_BYTES = 256 * 1024 * 1024

/** SHA-256 of the plan without the version of the tool, as JSON whose keys are sorted. */
export function hashPlan({ tool, ...plan }: Plan): string {
  return createHash('sha256').update(JSON.stringify(plan, sortKeys)).digest('hex')
}

/**
 * Writes a plan with its hash to a new file, which is to be published before there are results.
 * @throws BenchError `registration/unwritable`, also when the file is there already: a registered plan stays as it is.
 */
export async function registerPlan(file: string, plan: Plan, now: Date): Promise<RegisteredPlan> {
  const registered: RegisteredPlan = {
    kind: 'vox-efficacy registered plan',
    hash: hashPlan(plan),
    registeredAt: now.toISOString(),
    plan,
  }
  const part = `${file}.${randomUUID()}.part`
  try {
    await writeFile(part, `${JSON.stringify(registered, null, 2)}\n`, { flag: 'wx' })
    // Whole or not at all, and unlike a renaming never in place of another.
    await link(part, file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BenchError({
      code: 'registration/unwritable',
      message: `The plan cannot be registered in ${file}: ${code === 'EEXIST' ? 'there is such a file already, and a registered plan stays as it is' : message}.`,
      hint: 'Give --register the path of a new file.',
      cause: error,
    })
  } finally {
    await rm(part, { force: true })
  }
  return registered
}

/**
 * A plan that was registered before.
 * @throws BenchError `registration/unreadable` or `registration/invalid`; the latter also when its hash is another's.
 */
export async function readRegisteredPlan(file: string): Promise<RegisteredPlan> {
  const invalid = (what: string) =>
    new BenchError({
      code: 'registration/invalid',
      message: `${file} is no registered plan: ${what}.`,
      hint: 'Give --registered the file that "plan --register FILE" wrote, unchanged.',
    })
  let text: string
  try {
    const { size } = await stat(file)
    if (size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES / 1024 / 1024} MiB`)
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BenchError({
      code: 'registration/unreadable',
      message: `The registered plan ${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`,
      hint: 'Give --registered the file that "plan --register FILE" wrote.',
      cause: error,
    })
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw invalid('it is not JSON')
  }
  const parsed = registeredPlanSchema.safeParse(json)
  if (!parsed.success) throw invalid(listIssues(parsed.error).slice(0, 3).join('; '))
  // As it stands in the file: fields that a plan did not have yet when it was registered are no change of it.
  if (hashPlan((json as RegisteredPlan).plan) !== parsed.data.hash)
    throw invalid('its plan was changed after it was registered')
  return parsed.data
}

/** What a run records of the plan that was registered for it. */
export function compareWithRegistered({ hash, registeredAt, plan }: RegisteredPlan, actual: Plan): Registration {
  return { hash, at: registeredAt, differences: listPlanDifferences(plan, actual) }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
