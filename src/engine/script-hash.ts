import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** How the parts of a bundle name each other: `"./part-HASH.js"`. */
const PART = /["'`](\.\/[\w.-]+\.m?js)["'`]/g

/** SHA-256 over a bundled script and all parts of the bundle it can load, in the order of their names. */
export function hashScript(entry: string): string {
  const texts = new Map<string, string>()
  const waiting = [path.resolve(entry)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (texts.has(file)) continue
    const text = readFileSync(file, 'utf8')
    texts.set(file, text)
    for (const [, part = ''] of text.matchAll(PART)) waiting.push(path.resolve(path.dirname(file), part))
  }
  const hash = createHash('sha256')
  for (const [file, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(JSON.stringify([path.basename(file), text]))
  }
  return hash.digest('hex')
}
