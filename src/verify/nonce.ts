import { randomBytes } from 'node:crypto'

/** A word no program can guess; letters, digits and hyphens, so that it is the same in every string literal. */
export function createNonce(): string {
  return `end-${randomBytes(16).toString('hex')}`
}
