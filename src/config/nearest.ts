/** The word most like `typed`, if one is like it enough to have been meant; null otherwise. */
export function nearest(typed: string, words: readonly string[]): string | null {
  let best: string | null = null
  let least = Math.max(2, Math.floor(typed.length / 3)) + 1
  for (const word of words) {
    const distance = editDistance(typed.toLowerCase(), word.toLowerCase())
    if (distance < least) [best, least] = [word, distance]
  }
  return best
}

/** ` Did you mean …?`, or nothing. */
export function suggestion(typed: string, words: readonly string[], shown = (word: string) => word): string {
  const word = nearest(typed, words)
  return word === null ? '' : ` Did you mean ${shown(word)}?`
}

/** Insertions, deletions and replacements from one text to the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let line = 1; line <= a.length; line++) {
    const next = [line]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
