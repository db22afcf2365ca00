import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { openSpendBook, type SpendBook } from '../../src/generate/spend-book.ts'

export interface BookLine {
  readonly at: string
  readonly run: string
  readonly kind: string
  readonly attempt: string
  readonly usd: number
}

/** Where a book may be made in a fresh folder, and what is in it so far; gone when the test ends. */
export function bookFile() {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-book-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'cache', 'spend.jsonl')
  return {
    folder,
    file,
    lines: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && line.startsWith('{'))
        .map((line) => JSON.parse(line) as BookLine),
  }
}

/** A book on that file, closed when the test ends. */
export function bookOf({
  file,
  capUsd,
  now = () => new Date('2026-11-30T12:00:00Z'),
}: {
  file: string
  capUsd: number | null
  now?: () => Date
}): SpendBook {
  const book = openSpendBook({ file, capUsd, now })
  onTestFinished(() => book.close())
  return book
}
