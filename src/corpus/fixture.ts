import type { Domain } from './domain.ts'

export type FixtureType =
  | { readonly kind: 'int' | 'float' | 'str' | 'bool' }
  | { readonly kind: 'list' | 'option' | 'result'; readonly item: FixtureType }

/** One problem of a corpus, as loaded and checked. */
export interface Fixture {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly prompt: string
  /** One line: `fn name(a: T) to R`. */
  readonly signature: string
  readonly entry: {
    readonly name: string
    readonly params: readonly { readonly name: string; readonly type: FixtureType }[]
    readonly result: FixtureType
  }
  readonly trainingEligible: boolean
  /** ISO date the problem was first published. */
  readonly addedAt: string
  readonly provenance: string
  readonly difficulty: string
  readonly tags: readonly string[]
  /** Problems of one family are not independent; null stands for a family of its own. */
  readonly family: string | null
  /** Text of reference.vox. */
  readonly reference: string
  /** Text of tests.vox: the reference, then one `fn main` of assertions. */
  readonly tests: string
  /** Number of assertions in the tests' `main`. */
  readonly assertions: number
  /** What the prompt promises of each parameter; null where the spec has no `[domain]`. */
  readonly domain: Domain | null
  /** SHA-256 over the fixture's three files, hex. */
  readonly hash: string
}

export type Split = 'held-out' | 'training-eligible' | 'all'

export interface Corpus {
  readonly name: string
  /** Who wrote the problems and how, as the manifest says. */
  readonly origin: string
  /** SHA-256 over every byte that can change a verdict or a prompt, hex. */
  readonly hash: string
  readonly fixtures: readonly Fixture[]
  /** Findings that do not stop a run but are shown in the report (stale counts, twins). */
  readonly warnings: readonly CorpusProblem[]
}

/** One finding, naming the fixture (or `manifest`) and the field or file. */
export interface CorpusProblem {
  readonly fixture: string
  readonly field: string
  readonly message: string
}
