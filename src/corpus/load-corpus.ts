import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { openCorpusFolder } from './corpus-files.ts'
import { hashCorpus } from './corpus-hash.ts'
import type { Corpus, CorpusProblem, Fixture } from './fixture.ts'
import { buildFixture } from './fixture-builder.ts'
import type { Manifest, ManifestEntry } from './manifest.ts'
import { readManifest } from './manifest.ts'
import { findTwins } from './twins.ts'

/** What is known of a corpus, sound or not. */
export interface CorpusInspection {
  /** Entries of the manifest's `fixtures:`, counted, whatever else is wrong with them. */
  readonly fixtures: number
  readonly heldOut: number
  readonly trainingEligible: number
  /** Null when some file could not be read. */
  readonly hash: string | null
  /** What makes the corpus unusable. */
  readonly problems: readonly CorpusProblem[]
  /** Findings that do not stop a run: stale declared counts, twins, odd titles. */
  readonly warnings: readonly CorpusProblem[]
}

/** What `corpus audit --json` prints; an audit counts warnings as problems. */
export type AuditReport = Omit<CorpusInspection, 'warnings'>

/**
 * Reads a corpus in the layout of docs/corpus.md. Throws one BenchError that lists every problem, a line each, when
 * the folder, the manifest or any fixture is not sound.
 */
export async function loadCorpus(dir: string): Promise<Corpus> {
  const { inspection, name, origin, loaded } = await readCorpus(dir)
  const { problems, warnings, hash } = inspection
  if (problems.length > 0 || hash === null) throw corpusError(dir, problems)
  return { name, origin, hash, fixtures: loaded, warnings }
}

/**
 * Everything that is right and wrong with a corpus. Throws a BenchError only when `dir` is missing, no folder, or has
 * no readable manifest.
 */
export async function inspectCorpus(dir: string): Promise<CorpusInspection> {
  return (await readCorpus(dir)).inspection
}

/** The audit's view of an inspection: one list of findings, errors first. */
export function auditReport(inspection: CorpusInspection): AuditReport {
  const { problems, warnings, ...counts } = inspection
  return { ...counts, problems: [...problems, ...warnings] }
}

/** One finding as a line of text. */
export function describeProblem({ fixture, field, message }: CorpusProblem): string {
  return `${fixture}: ${field}: ${message}`
}

interface ReadCorpus {
  readonly inspection: CorpusInspection
  readonly name: string
  readonly origin: string
  readonly loaded: readonly Fixture[]
}

async function readCorpus(dir: string): Promise<ReadCorpus> {
  const folder = await openCorpusFolder(dir)
  const manifest = readManifest(folder.manifest)
  const problems: CorpusProblem[] = [...manifest.problems]
  const warnings: CorpusProblem[] = []
  const loaded: Fixture[] = []
  const hashed: Parameters<typeof hashCorpus>[0][number][] = []
  // One fixture after the other: the number of open files stays small for corpora of any size.
  for (const entry of manifest.entries) {
    const built = await buildFixture(folder.root, entry)
    problems.push(...built.problems)
    warnings.push(...built.warnings)
    if (built.fixture !== null) loaded.push(built.fixture)
    const { id, trainingEligible, addedAt } = entry
    if (built.hash !== null && id !== null && trainingEligible !== null && addedAt !== null) {
      hashed.push({ id, trainingEligible, addedAt, hash: built.hash })
    }
  }
  const isHashed = hashed.length > 0 && hashed.length === manifest.entries.length
  const inspection: CorpusInspection = {
    ...countEntries(manifest.entries),
    hash: isHashed ? hashCorpus(hashed) : null,
    problems,
    warnings: [...checkDeclaredCounts(manifest), ...warnings, ...findTwins(loaded)],
  }
  return {
    inspection,
    name: manifest.name ?? path.basename(folder.root),
    origin: manifest.origin ?? 'the manifest does not say who wrote the problems',
    loaded,
  }
}

function countEntries(entries: readonly ManifestEntry[]) {
  return {
    fixtures: entries.length,
    heldOut: entries.filter((entry) => entry.trainingEligible === false).length,
    trainingEligible: entries.filter((entry) => entry.trainingEligible === true).length,
  }
}

function checkDeclaredCounts({ declared, entries }: Manifest): readonly CorpusProblem[] {
  const counted = countEntries(entries)
  const compare = (field: string, claim: unknown, count: number): readonly CorpusProblem[] =>
    claim === undefined || claim === null || claim === count
      ? []
      : [{ fixture: 'manifest', field, message: `declares ${String(claim)}, but \`fixtures\` holds ${count}` }]
  return [
    ...compare('corpus.count_current', declared.total, counted.fixtures),
    ...compare('corpus.held_out_current', declared.heldOut, counted.heldOut),
  ]
}

function corpusError(dir: string, problems: readonly CorpusProblem[]): BenchError {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  return new BenchError({
    code: 'corpus/invalid',
    message: [`The corpus ${dir} has ${count}:`, ...problems.map((problem) => `  ${describeProblem(problem)}`)].join(
      '\n',
    ),
    hint: `Mend the files named above, then run: vox-efficacy corpus audit --corpus ${dir}`,
  })
}
