import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { type Catalogue, MAX_CATALOGUE_BYTES, nameCatalogue, readCatalogue } from './catalogue.ts'
import { type CatalogueRequest, fetchCatalogue } from './fetch-catalogue.ts'

export interface LoadedCatalogue {
  /** Null when none could be had. */
  readonly catalogue: Catalogue | null
  readonly warnings: readonly string[]
}

/** What a fetched list is called in the folder that keeps it. */
export const CATALOGUE_FILE = 'catalogue.json'
/** A fetched list is used this long before it is fetched again. */
const FRESH_MS = 24 * 60 * 60 * 1000

/**
 * A snapshot in a file.
 * @throws BenchError `catalogue/unreadable` or `catalogue/invalid`.
 */
export async function readSnapshot(file: string): Promise<Catalogue> {
  let text: string
  try {
    text = await readBounded(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BenchError({
      code: 'catalogue/unreadable',
      message: `The catalogue ${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`,
      hint: 'Give --catalogue auto, off, or the path of a snapshot.',
      cause: error,
    })
  }
  return readCatalogue(text, path.basename(file))
}

/**
 * The list of models of an endpoint: the kept copy while it is fresh, else fetched and kept. When it cannot be fetched
 * an older copy is used, with a warning that names its date.
 * @param folder where the copy is kept
 */
export async function loadCatalogue(folder: string, request: CatalogueRequest): Promise<LoadedCatalogue> {
  const file = path.join(folder, CATALOGUE_FILE)
  const kept = await readKept(file, request)
  const age = kept?.fetchedAt ? request.now.getTime() - Date.parse(kept.fetchedAt) : Number.NaN
  if (kept !== null && age >= 0 && age < FRESH_MS) return { catalogue: kept, warnings: [] }
  try {
    const { catalogue, text } = await fetchCatalogue(request)
    return { catalogue, warnings: await keep(file, text) }
  } catch (error) {
    if (!(error instanceof BenchError)) throw error
    const instead = kept === null ? 'There is no older copy.' : `The ${nameCatalogue(kept)} is used instead.`
    return { catalogue: kept, warnings: [`${error.message} ${instead}`] }
  }
}

/** A damaged copy, or one from elsewhere, is as good as none. */
async function readKept(file: string, { url }: CatalogueRequest): Promise<Catalogue | null> {
  try {
    const catalogue = readCatalogue(await readBounded(file), file)
    return catalogue.source === `${url}/models` && catalogue.fetchedAt !== null ? catalogue : null
  } catch {
    return null
  }
}

async function keep(file: string, text: string): Promise<string[]> {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(temporary, text)
    await rename(temporary, file)
    return []
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    return [`The catalogue of models cannot be kept for later: ${(error as Error).message}.`]
  }
}

async function readBounded(file: string): Promise<string> {
  const { size } = await stat(file)
  // A kept copy holds a little more than the list itself.
  if (size > MAX_CATALOGUE_BYTES + 4096) throw new Error(`it is longer than ${MAX_CATALOGUE_BYTES / 1024 / 1024} MiB`)
  return readFile(file, 'utf8')
}
