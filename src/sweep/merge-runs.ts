import { renameSync, rmSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { BenchError } from '../bench-error.ts'
import { openJournal } from '../generate/journal.ts'
import type { Plan } from '../generate/plan.ts'
import { type Shard, shardText } from '../generate/shard.ts'
import { groupBy } from '../report/group-by.ts'
import { type JoinedRun, joinRecords } from '../score/join-records.ts'
import { listDisagreements, preflightFields } from '../score/shard-agreement.ts'
import type { OutputFolder } from './output-folder.ts'
import { listPlanDifferences } from './plan-differences.ts'
import { hashPlan } from './registration.ts'
import { linesOf } from './report-files.ts'

/** A shard whose journal was found to be in order. */
interface FoundShard {
  /** `shard 2/5 (DIR)`, for messages. */
  readonly name: string
  readonly folder: string
  readonly journal: string
  readonly shard: Shard
  readonly planned: JoinedRun['planned']
  readonly fields: ReadonlyMap<string, string>
}

/** Of one shard; a report of all could not be read by `compare` long before. */
const MAX_BYTES = 1024 * 1024 * 1024

/** More problems than this are counted, not listed. */
const PROBLEMS_SHOWN = 40

/**
 * Joins the journals of all shards of a run, one in each of `folders`, into the journal of `output`, from which the
 * report is made as from any other. An incomplete shard is merged, and the whole is incomplete.
 * @throws BenchError `merge/refused` before anything is written, listing every journal that cannot be read, every shard
 *   that is missing or there twice, and every field on which the shards differ.
 */
export async function mergeRuns(
  folders: readonly string[],
  output: Pick<OutputFolder, 'folder' | 'startJournal'>,
): Promise<void> {
  const problems: string[] = []
  const found: FoundShard[] = []
  for (const folder of folders) {
    const shard = await findShard(folder, output.folder)
    if (typeof shard === 'string') problems.push(`${folder}: ${shard}`)
    else found.push(shard)
  }
  const shards = found.sort((a, b) => a.shard.index - b.shard.index)
  problems.push(...listGaps(shards), ...listDifferences(shards))
  const [first] = shards
  if (first === undefined || problems.length > 0) throw refused(problems)
  await writeMerged(output.startJournal(), first.planned, shards)
}

/** The shard in a folder, or what is wrong with it. */
async function findShard(folder: string, outputFolder: string): Promise<FoundShard | string> {
  const journal = path.join(folder, 'attempts.jsonl')
  try {
    const bytes = (await stat(journal).catch(() => null))?.size ?? 0
    if (bytes > MAX_BYTES) return `its journal has ${bytes} bytes, and a shard may have ${MAX_BYTES}`
    const { planned, shards, preflight } = await joinRecords(linesOf(journal))
    if (shards.length > 0) return 'it is merged already; give the folders of the shards'
    if (planned.shard === null) return 'it is a run of its own, not a shard of one'
    if ((await realpath(folder)) === (await realpath(outputFolder).catch(() => outputFolder)))
      return 'it is the folder for the merged run as well'
    const { plan, registration, shard } = planned
    const fields = new Map([
      ['the number of shards', String(shard.count)],
      ['the version of the tool', plan.tool.version],
      ['the registered plan', registration?.hash ?? 'none'],
      ...(preflight === null ? [] : preflightFields(preflight)),
    ])
    return { name: `shard ${shardText(shard)} (${folder})`, folder, journal, shard, planned, fields }
  } catch (error) {
    if (error instanceof BenchError) return error.message
    throw error
  }
}

/** Shards that are missing, as far as their number is known, and shards that are there more than once. */
function listGaps(shards: readonly FoundShard[]): string[] {
  const byIndex = groupBy(shards, ({ shard }) => shardText(shard))
  const counts = new Set(shards.map(({ shard }) => shard.count))
  const [count = 0] = counts.size === 1 ? counts : []
  const all = Array.from({ length: count }, (_, index) => shardText({ index: index + 1, count }))
  const missing = all.filter((name) => !byIndex.has(name))
  return [
    ...(missing.length === 0
      ? []
      : [
          `there is no shard ${missing.slice(0, 8).join(', ')}${missing.length > 8 ? ` and ${missing.length - 8} more` : ''}`,
        ]),
    ...[...byIndex].flatMap(([name, each]) =>
      each.length === 1
        ? []
        : [`shard ${name} is there ${each.length} times: ${each.map(({ folder }) => folder).join(', ')}`],
    ),
  ]
}

function listDifferences(shards: readonly FoundShard[]): string[] {
  const [first, ...others] = shards
  if (first === undefined) return []
  return [
    ...listDisagreements(shards),
    ...others.flatMap(({ name, planned }) =>
      describePlanDifferences(first.planned.plan, planned.plan).map(
        (line) => `${name} has another plan than ${first.name}: ${line}`,
      ),
    ),
  ]
}

/** Empty for plans of one hash, and for those that differ only in who told what they agree on. */
function describePlanDifferences(before: Plan, now: Plan): string[] {
  if (hashPlan(before) === hashPlan(now)) return []
  const differences = listPlanDifferences(before, now)
  if (differences.length > 0 || isDeepStrictEqual(orderOf(before), orderOf(now))) return differences
  return ['its problems, subjects or rows stand in another order']
}

function orderOf({ fixtures, subjects, conditions, cells, prompts }: Plan): readonly string[][] {
  return [
    fixtures.map(({ id }) => id),
    subjects.map(({ id }) => id),
    conditions.map(({ name }) => name),
    cells.map(({ id }) => id),
    prompts.map(({ hash }) => hash),
  ]
}

/** The merged journal appears whole or not at all. */
async function writeMerged(
  journal: string,
  { plan, registration }: JoinedRun['planned'],
  shards: readonly FoundShard[],
): Promise<void> {
  const part = `${journal}.part`
  rmSync(part, { force: true })
  const merged = openJournal(part)
  try {
    const [at] = shards.map(({ planned }) => planned.at).sort()
    merged.append({ kind: 'planned', at, plan, registration, shard: null })
    for (const { shard, planned, journal: source } of shards) {
      merged.append({ kind: 'shard', shard, at: planned.at })
      for await (const line of linesOf(source)) {
        const { kind } = line as { readonly kind: string }
        if (kind !== 'planned') merged.append(line as { readonly kind: string })
      }
    }
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  } finally {
    merged.close()
  }
  renameSync(part, journal)
}

function refused(problems: readonly string[]): BenchError {
  const more = problems.length > PROBLEMS_SHOWN ? [`and ${problems.length - PROBLEMS_SHOWN} more`] : []
  const lines = [...problems.slice(0, PROBLEMS_SHOWN), ...more].map(
    (problem) => `  ${problem.replaceAll('\n', '\n  ')}`,
  )
  return new BenchError({
    code: 'merge/refused',
    message: `These are not all shards of one run, each once:\n${lines.join('\n')}`,
    hint: 'Give the folder of every shard of one "run --shard I/N", made with the same options, corpus, tool and engine.',
  })
}
