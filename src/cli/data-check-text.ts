import { fileSize, number, percent, plural } from '../report/format.ts'
import { type DataCheck, touchedFixtures } from '../training/data-check.ts'

const SHOWN = 10

/** The outcome of a search of training data in words, a line each; names of files in it are foreign text. */
export function dataCheckLines(check: DataCheck): string[] {
  return [
    `${check.kind}: ${meanings[check.kind]}`,
    ...canaryLines(check),
    ...overlapLines(check),
    ...unsearchedLines(check),
    `data: ${plural(check.files, 'file')}, ${fileSize(check.bytes)}, ${plural(check.tokens, 'token')}, hash ${check.dataHash}`,
    `corpus: ${check.corpus.name}, ${plural(check.fixtures.length, 'held-out problem')}, hash ${check.corpus.hash}`,
    ...(check.kind === 'clean' ? [LIMITS] : []),
  ]
}

const meanings: Readonly<Record<DataCheck['kind'], string>> = {
  canary: 'a canary of the corpus stands in the data. Any of its problems may have been trained on.',
  overlap: 'text of held-out problems stands in the data. They count as contaminated.',
  incomplete: 'nothing was found, but not everything could be searched.',
  clean: 'no canary and no text of a held-out problem stands in the data.',
}

const LIMITS =
  'clean is about copies in this data. It does not see a paraphrase, a translation into another language, or what a model it began from was trained on.'

function canaryLines({ canaries: { searched, hits } }: DataCheck): string[] {
  if (searched === 0) return ['canary: not searched, since the corpus has none']
  if (hits.total === 0) return [`canary: not found (${searched} searched for)`]
  return [
    `canary: found at ${plural(hits.total, 'place')}`,
    ...listFirst(
      hits.first.map(({ file, line }) => `${file}:${line}`),
      hits.total,
    ),
  ]
}

function overlapLines(check: DataCheck): string[] {
  const { n, thresholds } = check
  const touched = new Set(touchedFixtures(check).map(({ id }) => id))
  const found = check.fixtures.filter((fixture) => fixture.found > 0)
  const [alarming, small] = [true, false].map((isTouched) => found.filter(({ id }) => touched.has(id) === isTouched))
  const rule = `from ${percent(thresholds.share)} of a problem's ${n}-grams or ${thresholds.run} tokens in a row on`
  return [
    `overlap: ${touched.size === 0 ? 'no problem' : plural(touched.size, 'problem')} (${rule})`,
    ...(alarming ?? []).map((fixture) => `  ${describeFixture(fixture)}`),
    ...(small?.length ? [`below that, as texts have in common by chance: ${plural(small.length, 'problem')}`] : []),
    ...listFirst((small ?? []).map(describeFixture), small?.length ?? 0),
  ]
}

function describeFixture({ id, share, found, ngrams, longestRun, longestAt }: DataCheck['fixtures'][number]): string {
  const where = longestAt === null ? '' : ` at ${longestAt.file}:${longestAt.line}`
  return `${id}: ${percent(share)} (${number(found)} of ${number(ngrams)}), longest run ${number(longestRun)} tokens${where}`
}

function unsearchedLines({ unsearched, fixtures, tokens }: DataCheck): string[] {
  const unknown = fixtures.filter(({ ngrams }) => ngrams === 0).map(({ id }) => id)
  return [
    ...(tokens === 0 ? ['there is no text in the data'] : []),
    ...(unsearched.total === 0 ? [] : [`not searched in full: ${plural(unsearched.total, 'file')}`]),
    ...listFirst(
      unsearched.first.map(({ file, reason }) => `${file}: ${reason}`),
      unsearched.total,
    ),
    ...(unknown.length === 0
      ? []
      : [
          `not searched for, since all of their text stands in other problems or in training-eligible ones: ${unknown.join(', ')}`,
        ]),
  ]
}

function listFirst(lines: readonly string[], total: number): string[] {
  const shown = lines.slice(0, SHOWN).map((line) => `  ${line}`)
  return total <= shown.length ? shown : [...shown, `  and ${number(total - shown.length)} more`]
}
