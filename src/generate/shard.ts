import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Plan } from './plan.ts'

/** As many jobs as one matrix may have. */
export const MAX_SHARDS = 256

/** One part of a run that several machines share. */
export const shardSchema = z
  .object({
    /** From 1. */
    index: z.number().int().min(1),
    count: z.number().int().min(1).max(MAX_SHARDS),
  })
  .refine(({ index, count }) => index <= count, 'its index is above its count')
export type Shard = z.infer<typeof shardSchema>

/** `2/5` is the second of five. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`
}

/** The shard of a text like `2/5`; null when it is none. */
export function parseShard(text: string): Shard | null {
  const [, index, count] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []
  const parsed = shardSchema.safeParse({ index: Number(index), count: Number(count) })
  return parsed.success ? parsed.data : null
}

/**
 * Which of `count` shards makes the attempts of a cell on a fixture, from 1. It follows from the two names alone, so that
 * every machine finds the same; all samples stay together.
 */
export function shardOf(cell: string, fixture: string, count: number): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([cell, fixture]))
    .digest()
  return (digest.readUIntBE(0, 6) % count) + 1
}

/** Whether a shard makes the attempts of a cell on a fixture; a run that is not shared makes all. */
export function isOfShard(shard: Shard | null, cell: string, fixture: string): boolean {
  return shard === null || shardOf(cell, fixture, shard.count) === shard.index
}

/** The attempts that a shard makes, in the order they have among all. */
export function* attemptsOfShard<Attempt extends { readonly cell: { readonly id: string }; readonly fixture: string }>(
  attempts: Iterable<Attempt>,
  shard: Shard | null,
): Generator<Attempt, undefined> {
  for (const attempt of attempts) if (isOfShard(shard, attempt.cell.id, attempt.fixture)) yield attempt
}

/** How many attempts a shard makes, by cell of the plan. */
export function countAttempts(plan: Plan, shard: Shard | null): ReadonlyMap<string, number> {
  return new Map(
    plan.cells.map(({ id }) => [
      id,
      plan.samples * plan.fixtures.filter((fixture) => isOfShard(shard, id, fixture.id)).length,
    ]),
  )
}

/**
 * What a shard may spend of a cap in USD. All have equal parts, which never come to more than the cap together, however
 * they are summed: each is smaller than a share by more than the sum of all can be rounded up.
 */
export function capOf(capUsd: number | null, shard: Shard | null): number | null {
  if (capUsd === null || shard === null || shard.count === 1) return capUsd
  return (capUsd / shard.count) * (1 - shard.count * Number.EPSILON)
}

/** The matrix of a workflow that has one job for each shard. */
export interface ShardMatrix {
  readonly include: readonly { readonly shard: string }[]
}

/** @param count from 1 to `MAX_SHARDS` */
export function listShards(count: number): ShardMatrix {
  return { include: Array.from({ length: count }, (_, index) => ({ shard: shardText({ index: index + 1, count }) })) }
}
