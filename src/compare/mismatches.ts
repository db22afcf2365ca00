import { isDeepStrictEqual } from 'node:util'
import type { EngineIdentity } from '../engine/engine.ts'
import type { ReportRow } from './pair-rows.ts'

/** A field that must agree and does not; values as text, `none` where there is none. */
export interface Mismatch {
  readonly field: string
  readonly base: string
  readonly head: string
}

type Fields = ReadonlyMap<string, unknown>

/**
 * Everything that must agree before two rows may be compared, and does not. The seed may differ: it chooses the draws
 * and the order of requests, not what is drawn from. So may price, cutoff, endpoint and caps.
 *
 * @param options `samples` false leaves out how many there are
 */
export function listMismatches(
  base: ReportRow,
  head: ReportRow,
  options: { readonly samples: boolean } = { samples: true },
): Mismatch[] {
  const [ours, theirs] = [fieldsOf(base), fieldsOf(head)]
  if (!options.samples) for (const fields of [ours, theirs]) fields.delete('samples')
  return [...differ(ours, theirs), ...differ(...onBoth(hashesOf(base), hashesOf(head)))]
}

function fieldsOf({ report, subject, condition }: ReportRow): Map<string, unknown> {
  const { plan, engine, tool } = report
  const { feedback, ...versions } = plan.versions
  return new Map<string, unknown>([
    ['corpus hash', plan.corpus.hash],
    ['split', plan.corpus.split],
    ...engineFields(engine, tool.version),
    ['condition', condition.name],
    ['condition hash', condition.hash],
    ...prefixed('sampling', subject.sampling),
    ['samples', plan.samples],
    ...prefixed('version', versions),
    ['harness', subject.harness],
    ['second turn', subject.hasFixTurn],
    // Only a second turn is told anything.
    ...(subject.hasFixTurn ? [['version of feedback', feedback] as const] : []),
    ['how answers were obtained', subject.recording?.obtained ?? 'requested'],
    ['answered in batches', subject.recording?.isBatched ?? null],
  ])
}

/** The parts of an identity that decide a verdict; how the file was come by is none of them. */
function engineFields(engine: EngineIdentity | null, toolVersion: string): (readonly [string, unknown])[] {
  if (engine === null) return [['engine', null]]
  const { kind, version, sha256, sourceCommit, toolchain, profile, abilities } = engine
  return [
    ...prefixed('engine', { kind, version, sha256, sourceCommit, toolchain, profile }),
    ...prefixed('engine ability', abilities),
    // The embedded engine is part of the tool and has no version of its own.
    ...(kind === 'embedded' ? [['engine, by the version of the tool', toolVersion] as const] : []),
  ]
}

function prefixed(prefix: string, values: object): (readonly [string, unknown])[] {
  return Object.entries(values).map(([name, value]) => [`${prefix} ${name}`, value] as const)
}

/** Problems and prompts, by name; of problems also what decides how they count, which a hash in a file does not vouch for. */
function hashesOf({ report, condition }: ReportRow): Map<string, unknown> {
  const { fixtures, prompts } = report.plan
  return new Map<string, unknown>([
    ...fixtures.flatMap(({ id, hash, family, addedAt }) => [
      [`problem ${id}`, hash] as const,
      [`family of ${id}`, family] as const,
      [`date of ${id}`, addedAt] as const,
    ]),
    ...prompts
      .filter((prompt) => prompt.condition === condition.name)
      .map(({ fixture, hash }) => [`prompt of ${fixture}`, hash] as const),
  ])
}

/** Which problems there are is not for this to judge. */
function onBoth(base: Fields, head: Fields): [Fields, Fields] {
  const keep = (fields: Fields, other: Fields) => new Map([...fields].filter(([name]) => other.has(name)))
  return [keep(base, head), keep(head, base)]
}

function differ(base: Fields, head: Fields): Mismatch[] {
  return [...new Set([...base.keys(), ...head.keys()])]
    .filter((field) => !isDeepStrictEqual(base.get(field) ?? null, head.get(field) ?? null))
    .map((field) => ({ field, base: textOf(base.get(field)), head: textOf(head.get(field)) }))
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
