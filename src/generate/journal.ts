import { appendFileSync, closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { completionSchema } from '../models/provider.ts'
import { planSchema } from './plan.ts'
import { shardSchema } from './shard.ts'

/** `<cell> / <fixture> / <sample>`: names one attempt, unique in a run. */
export function attemptId(cell: string, fixture: string, sample: number): string {
  return `${cell} / ${fixture} / ${sample}`
}

/** Names the second turn of an attempt in its lines and in the ledger. */
export function fixTurnId(attempt: string): string {
  return `${attempt} / fix`
}

/** The plan that was published before the run, and where the run's own is another. */
export const registrationSchema = z.object({
  /** SHA-256 of the registered plan. */
  hash: z.string(),
  /** When it was registered, as its file says. */
  at: z.string(),
  /** One sentence each; empty where the run follows it. */
  differences: z.array(z.string()),
})
export type Registration = z.infer<typeof registrationSchema>

export const plannedLineSchema = z.object({
  kind: z.literal('planned'),
  at: z.string(),
  plan: planSchema,
  /** Null when no plan was registered. */
  registration: registrationSchema.nullable().default(null),
  /** The part of the plan that this run makes; null when it makes all of it, and in a journal that was merged. */
  shard: shardSchema.nullable().default(null),
})

/** In a journal that was merged from those of all shards: what follows is one of them, without its plan. */
export const shardLineSchema = z.object({
  kind: z.literal('shard'),
  shard: shardSchema,
  /** When its plan was fixed, so when it began. */
  at: z.string(),
})
export type ShardLine = z.infer<typeof shardLineSchema>

export const reservedLineSchema = z.object({
  kind: z.literal('reserved'),
  attempt: z.string(),
  /** For all requests that may be made. */
  usd: z.number(),
  /** For one of them; lines of older runs lack it. */
  onceUsd: z.number().optional(),
})
export type ReservedLine = z.infer<typeof reservedLineSchema>
export const answeredLineSchema = z.object({
  kind: z.literal('answered'),
  at: z.string(),
  /** Of a second turn the name that `fixTurnId` gives. */
  attempt: z.string(),
  cell: z.string(),
  fixture: z.string(),
  sample: z.number().int(),
  promptHash: z.string(),
  seed: z.number().nullable(),
  /** In a second turn: what the model was told of its first answer. */
  feedback: z.string().optional(),
  completion: completionSchema,
})
export type AnsweredLine = z.infer<typeof answeredLineSchema>

/** From here on the run was continued, after it was killed or had ended incomplete. */
export const resumedLineSchema = z.object({ kind: z.literal('resumed'), at: z.string() })
export type ResumedLine = z.infer<typeof resumedLineSchema>

/** The last line of a run that was not killed, unless it was resumed afterwards. */
export const endedLineSchema = z.object({
  kind: z.literal('ended'),
  at: z.string(),
  /** Why attempts are missing: cancelled, the spend cap, or the deadline; null when every attempt was made. */
  stoppedBecause: z.string().nullable(),
  /** The secret that chose the controls, told only now; verifying again needs it. */
  runKey: z.string(),
  spend: z.object({
    capUsd: z.number().nullable(),
    spentUsd: z.number(),
    overruns: z.array(z.object({ attempt: z.string(), reservedUsd: z.number(), billedUsd: z.number() })),
  }),
})
export type EndedLine = z.infer<typeof endedLineSchema>

/** The append-only truth of a run: one JSON object a line. Stages to the right add kinds of their own. */
export interface Journal {
  /** `sync` waits until the line is on the disk: for promises of money. */
  append<Line extends { readonly kind: string }>(line: Line, durability?: 'sync'): void
  close(): void
}

/** Opens a journal for appending; it is made when missing. Half a line that a killed run left is closed by the next one. */
export function openJournal(path: string): Journal {
  const file = openSync(path, 'a+')
  let isTorn = endsInHalfALine(file)
  return {
    append(line, durability) {
      const text = `${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`
      write(path, () => appendWhole(file, text, () => (isTorn = true)))
      isTorn = false
      if (durability === 'sync') write(path, () => fsyncSync(file))
    },
    close: () => closeSync(file),
  }
}

/** Half a line in the middle would be damage, so what was written of a failed one is cut off; `onTorn` where even that fails. */
function appendWhole(file: number, text: string, onTorn: () => void): void {
  const { size } = fstatSync(file)
  try {
    appendFileSync(file, text)
  } catch (error) {
    try {
      ftruncateSync(file, size)
    } catch {
      onTorn()
    }
    throw error
  }
}

function endsInHalfALine(file: number): boolean {
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n'
}

function write(path: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    throw new BenchError({
      code: 'infra/journal',
      message: `The journal ${path} cannot be written: ${(error as Error).message}.`,
      hint: 'What was answered before is kept. Make room, then run: vox-efficacy report DIR.',
      cause: error,
    })
  }
}
