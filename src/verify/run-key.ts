import { createHmac, randomBytes } from 'node:crypto'

/** A secret made for one run; journaled only after the run, so that nothing can prepare for the controls it chooses. */
export function createRunKey(): string {
  return randomBytes(32).toString('hex')
}

/** Hex digest of `parts` under the run key: the only source of choice in the controls, whatever the order of verification. */
export function keyedDigest(key: string, ...parts: readonly string[]): string {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(`${part.length}:${part}`)
  return hmac.digest('hex')
}
