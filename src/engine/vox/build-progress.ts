import { StringDecoder } from 'node:string_decoder'

/** What the messages of `cargo build --message-format json` have told so far. */
export interface BuildProgress {
  /** Takes a piece of cargo's stdout, cut anywhere; true when another crate was done with it. */
  add(piece: Buffer): boolean
  cratesDone(): number
  /** Executables by the name of their target. */
  executables(): ReadonlyMap<string, string>
}

interface CargoMessage {
  readonly reason?: string
  readonly package_id?: string
  readonly target?: { readonly name?: string; readonly kind?: readonly string[] }
  readonly executable?: string | null
}

export function createBuildProgress(): BuildProgress {
  const crates = new Set<string>()
  const executables = new Map<string, string>()
  const decoder = new StringDecoder()
  let rest = ''

  function take(line: string): void {
    const message = readMessage(line)
    if (message?.reason !== 'compiler-artifact' || message.package_id === undefined) return
    const { name, kind } = message.target ?? {}
    // A build script is a step on the way; the crate itself is still to come.
    if (kind?.includes('custom-build')) return
    crates.add(message.package_id)
    if (name !== undefined && kind?.includes('bin') && typeof message.executable === 'string') {
      executables.set(name, message.executable)
    }
  }

  return {
    add(piece) {
      const before = crates.size
      const lines = (rest + decoder.write(piece)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
      return crates.size > before
    },
    cratesDone: () => crates.size,
    executables: () => executables,
  }
}

/** Build scripts may print anything between cargo's messages. */
function readMessage(line: string): CargoMessage | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line) as CargoMessage
  } catch {
    return null
  }
}

/** Unique packages in the output of `cargo tree --prefix none`; its lines read `name vX.Y.Z (where) (*)`. */
export function countPackages(cargoTree: string): number {
  const packages = cargoTree.split('\n').map((line) => line.trim().split(' ').slice(0, 2).join(' '))
  return new Set(packages.filter((name) => name !== '' && !name.startsWith('['))).size
}

/** `4 min 10 s`, `12 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
