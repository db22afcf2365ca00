import type { Document } from 'yaml'
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Table } from './field-reader.ts'
import { isTable, readFields } from './field-reader.ts'
import type { CorpusProblem } from './fixture.ts'
import { isIsoDate } from './iso-date.ts'

/** One entry of the manifest's `fixtures:`; a field that is missing or wrong was reported and is null. */
export interface ManifestEntry {
  /** The id, or `entry N` where it has none. */
  readonly label: string
  readonly id: string | null
  readonly slug: string | null
  readonly title: string | null
  readonly trainingEligible: boolean | null
  /** ISO date. */
  readonly addedAt: string | null
  readonly provenance: string | null
  /** Paths as written. */
  readonly files: { readonly spec: string | null; readonly reference: string | null; readonly tests: string | null }
}

export interface Manifest {
  /** `corpus.id`; null where the manifest has none. */
  readonly name: string | null
  /** `corpus.origin`: who wrote the problems and how; null where the manifest does not say. */
  readonly origin: string | null
  /** `corpus.canary`: what no training data should hold; null where the corpus declares none. */
  readonly canary: string | null
  /** The declared counts, which go stale: only `entries` counts. */
  readonly declared: { readonly total: unknown; readonly heldOut: unknown }
  readonly entries: readonly ManifestEntry[]
  readonly problems: readonly CorpusProblem[]
}

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/

/** Reads manifest.v1.yaml; every problem of it is listed, a syntax error with its line and column. */
export function readManifest(text: string): Manifest {
  const problems: CorpusProblem[] = []
  const report = (field: string, message: string) => problems.push({ fixture: 'manifest', field, message })
  const lines = new LineCounter()
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines })
  for (const error of document.errors) {
    const { line, col } = lines.linePos(error.pos[0])
    report('manifest.v1.yaml', `line ${line}, column ${col}: ${error.message}`)
  }
  const none: Manifest = {
    name: null,
    origin: null,
    canary: null,
    declared: { total: undefined, heldOut: undefined },
    entries: [],
    problems,
  }
  if (problems.length > 0) return none
  let root: unknown
  try {
    root = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    report('manifest.v1.yaml', error instanceof Error ? error.message : String(error))
    return none
  }
  if (!isTable(root)) {
    report('manifest.v1.yaml', 'must be a table with the list `fixtures`')
    return none
  }
  const corpus = isTable(root.corpus) ? root.corpus : {}
  const entries = readEntries(document, root, lines, problems)
  return {
    name: typeof corpus.id === 'string' ? corpus.id : null,
    origin: typeof corpus.origin === 'string' ? corpus.origin.trim() : null,
    canary: typeof corpus.canary === 'string' ? corpus.canary.trim() : null,
    declared: { total: corpus.count_current, heldOut: corpus.held_out_current },
    entries,
    problems,
  }
}

function readEntries(document: Document, root: Table, lines: LineCounter, problems: CorpusProblem[]): ManifestEntry[] {
  const items: unknown = root.fixtures
  if (!Array.isArray(items)) {
    const message = items === undefined || items === null ? 'is missing, so the corpus is empty' : 'must be a list'
    problems.push({ fixture: 'manifest', field: 'fixtures', message })
    return []
  }
  if (items.length === 0)
    problems.push({ fixture: 'manifest', field: 'fixtures', message: 'is empty: the corpus has no fixture' })
  const nodes = document.get('fixtures')
  const seen = new Set<string>()
  return items.map((item: unknown, index) => {
    const node = isSeq(nodes) ? nodes.items[index] : undefined
    const id = isTable(item) ? readId(item.id, node) : undefined
    const line = isMap(node) && node.range ? ` (line ${lines.linePos(node.range[0]).line})` : ''
    const label = id !== undefined && ID.test(id) ? id : `entry ${index + 1}`
    const report = (field: string, message: string) =>
      problems.push({ fixture: label, field, message: `${message}${line}` })
    if (id === undefined) report('id', 'is missing')
    else if (label !== id)
      report('id', `\`${id}\` is no fixture id: use up to 64 lower-case letters, digits and hyphens`)
    else if (seen.has(id)) report('id', `is used by an earlier entry too`)
    seen.add(label)
    return readEntry(isTable(item) ? item : {}, label, label === id ? id : null, report)
  })
}

/** An id as written: YAML would read a bare `007` as the number 7. */
function readId(value: unknown, node: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !isMap(node)) return undefined
  const scalar: unknown = node.get('id', true)
  return isScalar(scalar) && typeof scalar.source === 'string' ? scalar.source : undefined
}

function readEntry(
  item: Table,
  label: string,
  id: string | null,
  report: (field: string, message: string) => void,
): ManifestEntry {
  const fields = readFields(item, '', report)
  const addedAt = fields.text('added_at')
  if (addedAt !== null && !isIsoDate(addedAt)) report('added_at', `\`${addedAt}\` is no date of the form YYYY-MM-DD`)
  const files = fields.table('files')
  const paths = files === null ? null : readFields(files, 'files.', report)
  return {
    label,
    id,
    slug: fields.text('slug'),
    title: fields.text('title'),
    trainingEligible: fields.flag('training_eligible'),
    addedAt: addedAt !== null && isIsoDate(addedAt) ? addedAt : null,
    provenance: fields.text('provenance'),
    files: {
      spec: paths?.text('spec') ?? null,
      reference: paths?.text('reference') ?? null,
      tests: paths?.text('tests') ?? null,
    },
  }
}
