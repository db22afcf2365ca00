import { lex, normalise } from '../language/lexer.ts'
import type { TestsParts } from './assertions.ts'
import { parseTests } from './assertions.ts'
import { readListedFile } from './corpus-files.ts'
import { hashFixture } from './corpus-hash.ts'
import { readDomain } from './domain-table.ts'
import type { Report } from './field-reader.ts'
import type { CorpusProblem, Fixture } from './fixture.ts'
import { fromLiteral } from './literal-reader.ts'
import type { ManifestEntry } from './manifest.ts'
import type { Entry } from './signature.ts'
import { explainEntryMismatch, parseSignature, typeText } from './signature.ts'
import type { Spec } from './spec.ts'
import { readSpec } from './spec.ts'

/** A fixture as far as it could be read, with everything that is wrong with it. */
export interface BuiltFixture {
  /** Null when any problem was found. */
  readonly fixture: Fixture | null
  /** SHA-256 over the three files, hex; null when one could not be read. */
  readonly hash: string | null
  readonly problems: readonly CorpusProblem[]
  /** Oddities that change no verdict. */
  readonly warnings: readonly CorpusProblem[]
}

/** Reads the files of a manifest entry and checks them against each other and the manifest. */
export async function buildFixture(root: string, entry: ManifestEntry): Promise<BuiltFixture> {
  const problems: CorpusProblem[] = []
  const warnings: CorpusProblem[] = []
  const report: Report = (field, message) => problems.push({ fixture: entry.label, field, message })
  const warn: Report = (field, message) => warnings.push({ fixture: entry.label, field, message })
  const [spec, reference, tests] = await Promise.all([
    readFileField(root, entry, 'spec', report),
    readFileField(root, entry, 'reference', report),
    readFileField(root, entry, 'tests', report),
  ])
  const task = spec && readTask(entry, spec, report, warn)
  if (reference) checkReference(entry, reference, task?.entry ?? null, report)
  const parts = tests && checkTests(entry, tests, task?.entry ?? null, report)
  if (parts && reference && !isSameProgram(parts.prelude, reference.text)) {
    warn('tests', `${tests.path}: what stands before main is not the reference`)
  }
  const hash =
    spec && reference && tests
      ? hashFixture({ spec: spec.bytes, reference: reference.bytes, tests: tests.bytes })
      : null
  const described = describedEntry(entry)
  const isComplete = task !== null && described !== null && reference !== null && tests !== null && parts !== null
  if (problems.length > 0 || !isComplete || hash === null) return { fixture: null, hash, problems, warnings }
  const fixture: Fixture = {
    ...described,
    ...task,
    reference: reference.text,
    tests: tests.text,
    assertions: parts.assertions.length,
    hash,
  }
  return { fixture, hash, problems, warnings }
}

/** The manifest's part of a fixture; null when some field is missing. */
function describedEntry({ id, slug, title, trainingEligible, addedAt, provenance }: ManifestEntry) {
  if (id === null || slug === null || title === null) return null
  if (trainingEligible === null || addedAt === null || provenance === null) return null
  return { id, slug, title, trainingEligible, addedAt, provenance }
}

/** The spec's part of a fixture; null when it has no prompt or no signature that parses. */
function readTask(entry: ManifestEntry, file: ListedFile, report: Report, warn: Report) {
  const inFile: Report = (field, message) => report(field, `${file.path}: ${message}`)
  const spec = readSpec(file.text, inFile)
  if (spec === null) return null
  compareSpec(entry, spec, report, warn)
  const { prompt, signature, difficulty, tags, family } = spec
  const parsed = signature === null ? null : parseSignature(signature)
  if (parsed?.kind === 'malformed') inFile('spec.signature', `the signature ${parsed.message}`)
  if (parsed?.kind !== 'parsed' || signature === null) return null
  const domain = spec.domain && readDomain(spec.domain, parsed.entry.params, inFile)
  return prompt === null ? null : { prompt, signature, entry: parsed.entry, difficulty, tags, family, domain }
}

interface ListedFile {
  readonly path: string
  readonly text: string
  readonly bytes: Uint8Array
}

async function readFileField(
  root: string,
  entry: ManifestEntry,
  name: 'spec' | 'reference' | 'tests',
  report: Report,
): Promise<ListedFile | null> {
  const path = entry.files[name]
  if (path === null) return null
  const file = await readListedFile(root, path)
  if (file.kind === 'read') return { path, text: file.text, bytes: file.bytes }
  report(`files.${name}`, file.message)
  return null
}

function compareSpec(entry: ManifestEntry, spec: Spec, report: Report, warn: Report): void {
  const compare = (field: string, ours: unknown, theirs: unknown, tell: Report) => {
    if (ours === null || theirs === null || ours === theirs) return
    tell(field, `the manifest says \`${ours}\`, ${entry.files.spec} says \`${theirs}\``)
  }
  compare('id', entry.id, spec.id, report)
  compare('training_eligible', entry.trainingEligible, spec.trainingEligible, report)
  compare('provenance', entry.provenance, spec.provenance, report)
  compare('title', entry.title, spec.title, warn)
}

const MARKER = /^\/\/\s*training_eligible:\s*(\w+)\s*$/

/** Held-out sources must say so on their first line, where a collector of training data looks. */
function checkMarker(entry: ManifestEntry, file: ListedFile, report: Report): void {
  if (entry.trainingEligible === null) return
  const [firstLine = ''] = normalise(file.text).split('\n', 1)
  const marker = MARKER.exec(firstLine)?.[1]
  const expected = String(entry.trainingEligible)
  if (marker === undefined) {
    if (!entry.trainingEligible)
      report('training_eligible', `${file.path}: its first line must be \`// training_eligible: false\``)
  } else if (marker !== expected) {
    report('training_eligible', `${file.path}: its marker says training_eligible: ${marker}, the manifest ${expected}`)
  }
}

function checkReference(entry: ManifestEntry, file: ListedFile, callable: Entry | null, report: Report): void {
  checkMarker(entry, file, report)
  const mismatch = callable && explainEntryMismatch(file.text, callable)
  if (mismatch !== null) report('reference', `${file.path}: ${mismatch}`)
}

function checkTests(entry: ManifestEntry, file: ListedFile, callable: Entry | null, report: Report): TestsParts | null {
  checkMarker(entry, file, report)
  const inTests = (message: string) => report('tests', `${file.path}: ${message}`)
  const result = parseTests(file.text)
  if (result.kind === 'malformed') {
    for (const problem of result.problems) inTests(problem)
    return null
  }
  if (callable === null) return result.tests
  const { name, result: type } = callable
  for (const { call, callee, expected } of result.tests.assertions) {
    if (callee !== name) inTests(`\`${call}\` does not call the entry function \`${name}\``)
    else if (fromLiteral(expected, type) === null) {
      inTests(`\`${expected}\`, expected of \`${call}\`, is no literal of type ${typeText(type)}`)
    }
  }
  return result.tests
}

/** Equal but for layout and comments. */
function isSameProgram(left: string, right: string): boolean {
  const words = (text: string) => lex(text).flatMap((token) => (token.kind === 'newline' ? [] : [token.text]))
  const [a, b] = [words(left), words(right)]
  return a.length === b.length && a.every((word, at) => word === b[at])
}
