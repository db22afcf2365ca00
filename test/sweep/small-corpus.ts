import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { parse, stringify } from 'yaml'

const shipped = path.resolve(import.meta.dirname, '../../corpus')

/** A folder that is removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-sweep-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A corpus of its own: the first `count` problems of the shipped one. Gives its folder. */
export function smallCorpus(count: number): string {
  const folder = temporaryFolder()
  const manifest = parse(readFileSync(path.join(shipped, 'manifest.v1.yaml'), 'utf8'))
  const fixtures = manifest.fixtures.slice(0, count)
  const corpus = { ...manifest.corpus, count_current: count, held_out_current: count }
  for (const { files } of fixtures) {
    for (const file of Object.values<string>(files)) cpSync(path.join(shipped, file), path.join(folder, file))
  }
  writeFileSync(path.join(folder, 'manifest.v1.yaml'), stringify({ ...manifest, corpus, fixtures }))
  return folder
}

/** Changes one file of a corpus. */
export function damage(corpus: string, file: string, from: string, to: string): void {
  const whole = path.join(corpus, file)
  const text = readFileSync(whole, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  writeFileSync(whole, text.replace(from, to))
}

/** The reference of a shipped problem, as a program. */
export function referenceOf(name: string): string {
  return readFileSync(path.join(shipped, 'problems', name, 'reference.vox'), 'utf8')
}
