import type { Report } from '../report/schema.ts'
import type { Look } from '../stats/gate.ts'

export interface CompareOptions {
  /** Two-sided, of all looks together. */
  readonly alpha: number
  /** The loss that "not detected" excludes, in (0, 1]. */
  readonly margin: number
  readonly look: Look
  /** Ids; null where the reports leave no choice. */
  readonly baseSubject: string | null
  readonly headSubject: string | null
  readonly condition: string | null
  /** The vox repository's own rules, beside the gate; null for none. */
  readonly preset: 'upstream' | null
  /** Further draws of HEAD's subject over problems it may have lost; null for none. */
  readonly draws: Report | null
}
