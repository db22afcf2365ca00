import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs'
import { z } from 'zod'
import { BenchError } from '../bench-error.ts'
import { completionSchema } from '../models/provider.ts'
import { planSchema } from './plan.ts'

/** `<cell> / <fixture> / <sample>`: names one attempt, unique in a run. */
export function attemptId(cell: string, fixture: string, sample: number): string {
  return `${cell} / ${fixture} / ${sample}`
}

export const plannedLineSchema = z.object({ kind: z.literal('planned'), at: z.string(), plan: planSchema })
export const reservedLineSchema = z.object({ kind: z.literal('reserved'), attempt: z.string(), usd: z.number() })
export const answeredLineSchema = z.object({
  kind: z.literal('answered'),
  at: z.string(),
  attempt: z.string(),
  cell: z.string(),
  fixture: z.string(),
  sample: z.number().int(),
  promptHash: z.string(),
  seed: z.number().nullable(),
  completion: completionSchema,
})
export type AnsweredLine = z.infer<typeof answeredLineSchema>

/** The last line of a run that was not killed. */
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

/** Opens a journal for appending; it is made when missing. */
export function openJournal(path: string): Journal {
  const file = openSync(path, 'a')
  let isTorn = false
  return {
    append(line, durability) {
      // Half a line of a failed write must not swallow the next one.
      const start = isTorn ? '\n' : ''
      isTorn = true
      write(path, () => appendFileSync(file, `${start}${JSON.stringify(line)}\n`))
      isTorn = false
      if (durability === 'sync') write(path, () => fsyncSync(file))
    },
    close: () => closeSync(file),
  }
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
