import { openCorpusFolder, readListedFile } from '../corpus/corpus-files.ts'
import { readManifest } from '../corpus/manifest.ts'

/** Shorter ones stand in innocent data. */
const MIN_CHARACTERS = 16

/**
 * The canaries that a corpus plants: `corpus.canary` of its manifest, and what stands behind `canary:` in a comment of
 * the manifest or of a file of a held-out fixture. Empty for a corpus without any.
 * @throws BenchError when `dir` is no corpus.
 */
export async function listCanaries(dir: string): Promise<readonly string[]> {
  const { root, manifest } = await openCorpusFolder(dir)
  const { canary, entries } = readManifest(manifest)
  const files = entries.flatMap(({ trainingEligible, files }) =>
    trainingEligible === false ? [files.spec, files.reference, files.tests] : [],
  )
  const texts = [manifest]
  for (const file of files) {
    const read = file === null ? null : await readListedFile(root, file)
    if (read?.kind === 'read') texts.push(read.text)
  }
  const found = [canary ?? '', ...texts.flatMap(commentedCanaries)]
  return [...new Set(found.filter(({ length }) => length >= MIN_CHARACTERS).map((each) => each.toLowerCase()))]
}

function commentedCanaries(text: string): string[] {
  return [...text.matchAll(/^[ \t]*(?:#|\/\/)[ \t]*canary:[ \t]*(\S+)/gim)].map((match) => match[1] ?? '')
}
