import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { listIssues } from '../zod-issues.ts'
import { samplingSchema, usageSchema } from './provider.ts'

const isoDate = z.iso.date('must be a date like 2026-01-31')

/** `recording.yaml`: how the answers of a folder were obtained. */
const descriptionSchema = z.strictObject({
  model: z.string().min(1),
  harness: z.string().min(1),
  obtained: z.string().min(1),
  date: isoDate,
  /** Many problems were answered in one sitting, so rows do not compare with per-request rows. */
  batched: z.boolean(),
  sampling: samplingSchema,
})

/** One line of `answers.jsonl`; the raw answer lies untouched in `<condition>/<fixture>[.<sample>].md`. */
const recordedAnswerSchema = z.strictObject({
  // Both become parts of a path.
  condition: z.string().regex(/^[A-Za-z0-9@_-]+$/, 'must be a condition such as C1 or C1@50'),
  fixture: z.string().regex(/^[A-Za-z0-9_-]+$/, 'must be the id of a fixture'),
  sample: z.number().int().nonnegative(),
  /** Of the prompt that was answered; an answer to another prompt is never replayed. */
  promptHash: z.string(),
  finishReason: z.string().nullable(),
  usage: usageSchema.nullable(),
  latencyMs: z.number().nullable(),
})
export type RecordedAnswer = z.infer<typeof recordedAnswerSchema>

export interface Recording {
  readonly description: z.infer<typeof descriptionSchema>
  readonly answers: readonly (RecordedAnswer & { readonly text: string })[]
}

/** Where the raw answer of an index line lies below the recording's folder. */
export function answerPath(answer: Pick<RecordedAnswer, 'condition' | 'fixture' | 'sample'>): string {
  return join(answer.condition, answer.sample === 0 ? `${answer.fixture}.md` : `${answer.fixture}.${answer.sample}.md`)
}

/**
 * Reads a folder of recorded answers.
 * @throws BenchError `recording/invalid` naming the file and every field that is wrong, in all lines at once.
 */
export async function loadRecording(folder: string): Promise<Recording> {
  const description = check('recording.yaml', descriptionSchema, parseYaml(await readText(folder, 'recording.yaml')))
  const lines = (await readText(folder, 'answers.jsonl')).split('\n').filter((line) => line.trim() !== '')
  const read: (Recording['answers'][number] | string)[] = []
  // One after the other: a long recording has more answers than a process may open files.
  for (const [index, line] of lines.entries()) read.push(await readAnswer(folder, `answers.jsonl:${index + 1}`, line))
  const answers = read.filter((answer) => typeof answer !== 'string')
  const seen = new Set<string>()
  const repeated = answers.map(answerPath).filter((path) => seen.size === seen.add(path).size)
  const problems = [
    ...(typeof description === 'string' ? [description] : []),
    ...read.filter((answer) => typeof answer === 'string'),
    ...repeated.map((path) => `answers.jsonl: ${path} stands twice`),
  ]
  if (typeof description === 'string' || problems.length > 0) throw invalid(folder, problems.join('\n  '))
  return { description, answers }
}

/** An answer with its text, or what is wrong with it. */
async function readAnswer(folder: string, where: string, line: string): Promise<Recording['answers'][number] | string> {
  const answer = check(where, recordedAnswerSchema, parseJson(line))
  if (typeof answer === 'string') return answer
  try {
    return { ...answer, text: await readFile(join(folder, answerPath(answer)), 'utf8') }
  } catch (error) {
    return `${where}: ${answerPath(answer)} cannot be read (${(error as NodeJS.ErrnoException).code})`
  }
}

/** The value of a text; what is no YAML or JSON becomes undefined, which no schema takes. */
function parseYaml(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The value, or what is wrong with it. */
function check<Shape>(where: string, schema: z.ZodType<Shape>, value: unknown): Shape | string {
  if (value === undefined) return `${where} cannot be parsed`
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  return `${where}: ${listIssues(parsed.error).join('; ')}`
}

async function readText(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (error) {
    throw invalid(folder, `${name} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function invalid(folder: string, problem: string): BenchError {
  return new BenchError({
    code: 'recording/invalid',
    message: `The recording ${folder} cannot be used: ${problem}.`,
    hint: 'A recording is a folder with recording.yaml, answers.jsonl and the raw answers; docs/recordings.md describes it.',
  })
}
