import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { listIssues } from '../zod-issues.ts'
import { type Completion, type CompletionRequest, completionSchema, type Provider } from './provider.ts'

export interface StoreOptions {
  /** Made when missing. */
  readonly folder: string
  readonly baseUrl: string
  readonly model: string
  /** Endpoints serve one checkpoint after the other under one name. */
  readonly checkpoint: string | null
  /** Asks even where an answer is stored, which is then replaced. */
  readonly isFresh: boolean
  warn(text: string): void
}

const VERSION = 2

/** An answer is at most a MiB of text, which JSON can make six times as long. */
const MAX_BYTES = 8 * 1024 * 1024

const entrySchema = z.strictObject({
  version: z.literal(VERSION),
  key: z.string(),
  at: z.iso.datetime(),
  completion: completionSchema.options[0],
})
type Entry = z.infer<typeof entrySchema>

/**
 * A provider that asks each request once over all runs that share a folder: an answer to an identical one is read from
 * there, `stored` and at no cost. Failures are not stored. Trouble with the folder is a warning; the request is then
 * made.
 */
export function storing(provider: Provider, options: StoreOptions): Provider {
  const { folder, isFresh, warn } = options
  let isWritable = true

  async function keep(file: string, entry: Entry): Promise<void> {
    const part = `${file}.${randomUUID()}.part`
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      await writeFile(part, JSON.stringify(entry), { flag: 'wx', mode: 0o600 })
      await rename(part, file)
    } catch (error) {
      await rm(part, { force: true }).catch(() => {})
      if (isWritable) warn(`answers cannot be kept in the response store ${folder}: ${(error as Error).message}`)
      isWritable = false
    }
  }

  return {
    async complete(request, signal) {
      const key = keyOf(request, options)
      const file = path.join(folder, key.slice(0, 2), `${key}.json`)
      const entry = isFresh ? null : await readEntry(file, key)
      if (typeof entry === 'string') warn(`the stored answer ${file} is damaged and asked for anew: ${entry}`)
      else if (entry !== null) return asStored(entry.completion)
      const completion = await provider.complete(request, signal)
      if (completion.kind === 'answered')
        await keep(file, { version: VERSION, key, at: new Date().toISOString(), completion })
      return completion
    },
  }
}

/** Everything that an answer may depend on: whatever of it changes, the answer to before is not found. */
function keyOf({ messages, sampling, seed, sample }: CompletionRequest, { baseUrl, model, checkpoint }: StoreOptions) {
  // Samples are to differ even where they are equal requests: without a seed, or by a seed that two of them got.
  const request = { version: VERSION, baseUrl, model, checkpoint, messages, sampling, seed, sample }
  return createHash('sha256').update(JSON.stringify(request, sortKeys)).digest('hex')
}

function sortKeys(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** What it took to get the answer is as it was; this run pays nothing and sends nothing. */
function asStored({ failedRequests: _failed, ...answer }: Entry['completion']): Completion {
  return { ...answer, costUsd: null, requests: 0, stored: true }
}

/** Null when there is none; text says what is wrong with it. */
async function readEntry(file: string, key: string): Promise<Entry | string | null> {
  try {
    const { size } = await stat(file)
    if (size > MAX_BYTES) return `it has ${size} bytes`
    const parsed = entrySchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (!parsed.success) return listIssues(parsed.error).slice(0, 3).join('; ')
    return parsed.data.key === key ? parsed.data : 'it belongs to another request'
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : message
  }
}
