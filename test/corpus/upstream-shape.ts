import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The text files of a corpus by path; a test plants its defect here before they are written. */
export type CorpusFiles = Map<string, string>

/** Ids of the held-out fixtures in a corpus of upstream's size. */
export const HELD_OUT_IDS: ReadonlySet<string> = new Set(
  [span(41, 50), span(65, 75), span(98, 100), [128, 148], span(160, 164)].flat().map(idOf),
)

const REPLACED: ReadonlySet<string> = new Set(['063', '134', '141', '144', '153'])

/** A corpus in upstream's layout: 164 fixtures, stale prose in the header, and two other lists whose entries have ids. */
export function upstreamCorpus(numbers: readonly number[] = span(1, 164)): CorpusFiles {
  const files: CorpusFiles = new Map()
  const ids = numbers.map(idOf)
  files.set(
    'manifest.v1.yaml',
    [HEADER, corpusBlock(ids), 'fixtures:', ...ids.map(manifestEntry), OTHER_LISTS].join('\n'),
  )
  for (const id of ids) {
    const { slug, signature, body, asserts } = problemOf(id)
    const marker = HELD_OUT_IDS.has(id) ? '// training_eligible: false\n' : ''
    const reference = `${marker}${signature} {\n${body}\n}\n`
    const main = `fn main() to str {\n${asserts.map((assert) => `    assert(${assert})`).join('\n')}\n    return "ok"\n}\n`
    files.set(`problems/${id}-${slug}.spec.toml`, specText(id, signature))
    files.set(`problems/${id}-${slug}/reference.vox`, reference)
    files.set(`problems/${id}-${slug}/tests.vox`, `${reference}\n${main}`)
  }
  return files
}

/** Writes the files into a fresh temporary folder and gives it to `use`; the folder is removed afterwards. */
export async function withCorpus<T>(files: CorpusFiles, use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(tmpdir(), 'corpus-'))
  try {
    for (const [name, text] of files) {
      await mkdir(path.dirname(path.join(dir, name)), { recursive: true })
      await writeFile(path.join(dir, name), text)
    }
    return await use(dir)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Replaces `from`, which must be there, in one file. */
export function edit(files: CorpusFiles, name: string, from: string | RegExp, to: string): void {
  const before = files.get(name) ?? ''
  const after = before.replace(from, to)
  if (after === before) throw new Error(`${name} does not hold ${String(from)}`)
  files.set(name, after)
}

function span(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function idOf(number: number): string {
  return String(number).padStart(3, '0')
}

/** Problems with small worlds of their own, so that no two share a body or a signature. */
function problemOf(id: string) {
  const n = Number(id)
  switch (n % 4) {
    case 0:
      return {
        slug: `shift-by-${n}`,
        signature: `fn shift_by_${n}(n: int) to int`,
        body: `    return n + ${n}`,
        asserts: [`shift_by_${n}(0) == ${n}`, `shift_by_${n}(-1) == ${n - 1}`, `shift_by_${n}(${-2 * n}) == -${n}`],
      }
    case 1:
      return {
        slug: `tag-with-${n}`,
        signature: `fn tag_with_${n}(s: str, xs: list[str]) to list[str]`,
        body: `    let mut out: list[str] = []\n    for x in xs {\n        out.push(s + x + "${n}")\n    }\n    return out`,
        asserts: [`tag_with_${n}("a", []) == []`, `tag_with_${n}('{b}', ["=="]) == ['{b}==${n}']`],
      }
    case 2:
      return {
        slug: `widen-by-${n}`,
        signature: `fn widen_by_${n}(x: float) to float`,
        body: `    return x + ${n}.5`,
        asserts: [`widen_by_${n}(0.0) == ${n}.5`, `widen_by_${n}(0.5) == ${n + 1}.0`],
      }
    default:
      return {
        slug: `rows-above-${n}`,
        signature: `fn rows_above_${n}(rows: list[list[int]]) to bool`,
        body: `    return rows.len() > ${n}`,
        asserts: [`rows_above_${n}([]) == false`, `rows_above_${n}([[1, -2], []]) == ${2 > n}`],
      }
  }
}

const HEADER = `x-vox-version: 1
schema_version: 1
# Target: 120 training-eligible fixtures and 44 held out.`

function corpusBlock(ids: readonly string[]): string {
  return `corpus:
  id: humaneval-vox
  schema_version: 1
  status: complete
  bar: { target: 0.80, sub_bar_block_demote: 0.60 }
  count_target: 164
  held_out_target: 30
  count_current: ${ids.length}
  held_out_current: ${ids.filter((id) => HELD_OUT_IDS.has(id)).length}
  corpus_hash: "blake3:00"
  measured_against_panel: "none"`
}

function manifestEntry(id: string): string {
  const { slug } = problemOf(id)
  const addedAt = REPLACED.has(id) ? '2026-09-01' : Number(id) <= 75 ? '2026-05-26' : '2026-05-27'
  return `  - id: "${id}"
    slug: ${slug}
    title: ${slug.replaceAll('-', ' ')}
    training_eligible: ${!HELD_OUT_IDS.has(id)}
    added_at: ${addedAt}
    provenance: original
    files: { spec: problems/${id}-${slug}.spec.toml, reference: problems/${id}-${slug}/reference.vox, tests: problems/${id}-${slug}/tests.vox }`
}

function specText(id: string, signature: string): string {
  const { slug } = problemOf(id)
  return `[problem]
id = "${id}"
title = "${slug.replaceAll('-', ' ')}"
prompt = """
Do what ${slug} says.
"""
signature = "${signature}"
training_eligible = ${!HELD_OUT_IDS.has(id)}
provenance = "original"
difficulty = "easy"
tags = []
`
}

const OTHER_LISTS = `provenance_kinds:
${['examples-golden-lift', 'hand-authored', 'original', 'ast-mutation'].map((id) => `  - id: ${id}\n    training_eligible_default: false\n    rationale: "r"`).join('\n')}
ci:
  minimum_viable: { count: 50, held_out_count: 10 }
  rate_measurement: { temperature: 0.0, seed: 42, attempts_per_fixture: 5, scoring: median }
council_ratification_log:
${span(1, 6)
  .map((n) => `  - id: decision-${n}\n    decision: "d"\n    ratified_at: "2026-05-15"\n    rationale: "r"`)
  .join('\n')}
`
