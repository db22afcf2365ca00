import { fileURLToPath } from 'node:url'

/** The corpus that lies beside `dist/`; the bundle is one folder deep, as are the tests' copies of it. */
export function shippedCorpus(): string {
  return fileURLToPath(new URL('../corpus', import.meta.url))
}
