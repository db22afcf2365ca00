import type { Cache, Exec } from '../ports.ts'

/** Where vox comes from; of `path`, `archive` and `source` the first that is given wins. */
export interface VoxRequest {
  /** An executable; used as it is. */
  readonly path?: string
  readonly archive?: VoxArchive
  readonly source?: VoxSource
  readonly build: VoxBuildOptions
}

export interface VoxArchive {
  /** https (http only to this machine) or the path of a file; a tar archive, or the bare executable. */
  readonly url: string
  /** Hex digits. */
  readonly sha256: string
}

export interface VoxSource {
  /** A folder, used as it lies, or the URL of a git repository. */
  readonly location: string
  /** Branch, tag or commit of a repository, its default branch if not given; a folder has none. */
  readonly ref?: string
}

export interface VoxBuildOptions {
  readonly profile: 'release' | 'dev'
  /** Settings of the profile by their names in Cargo.toml, e.g. `{ 'opt-level': '1', lto: 'off' }`. */
  readonly overrides: Readonly<Record<string, string>>
  readonly features: readonly string[]
  /** Name of an installed toolchain, instead of the one the tree asks for. */
  readonly toolchain?: string
  /** Instead of what the machine has room for. */
  readonly jobs?: number
  /** GiB to count for each compiler. */
  readonly memoryPerJobGb: number
  /** GiB that must be free before a build; over what a failed one left, a third of it. */
  readonly minDiskGb: number
  readonly useSccache: boolean
  /** Whether the tree's own gate runs (`record`), and must pass (`require`). */
  readonly sourceGate: 'off' | 'record' | 'require'
}

export interface SourceGateOutcome {
  readonly outcome: 'passed' | 'failed' | 'not-run'
  /** A line on where it stopped and what it says would mend it; part of the identity, so without times and places. */
  readonly detail: string
  /** The end of its output. */
  readonly tail: string
}

export interface VoxBinary {
  readonly executable: string
  readonly provenance: 'path' | 'cache' | 'archive' | 'built'
  /** Commit, with a mark for local changes; of a tree without git `tree.<hash>`. Null where nothing tells. */
  readonly sourceCommit: string | null
  readonly toolchain: string | null
  readonly profile: string | null
  /** Null where no gate was asked for. */
  readonly sourceGate: SourceGateOutcome | null
}

export interface VoxDeps {
  readonly exec: Exec
  readonly cache: Cache
  /** Holds clones, target folders, unpacked archives, logs. */
  readonly workFolder: string
  readonly env: NodeJS.ProcessEnv
  /** One line for people; progress lines replace each other where `isProgress`. */
  log(line: string, isProgress?: boolean): void
}
