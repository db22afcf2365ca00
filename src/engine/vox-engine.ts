import { access, constants, realpath } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import type { Engine, EngineIdentity } from './engine.ts'
import { DEFAULT_LIMITS, whyUnofficial } from './engine.ts'
import { engineOver } from './process-engine.ts'
import type { SandboxMode } from './sandbox/open-sandbox.ts'
import { openSandbox } from './sandbox/open-sandbox.ts'
import { hashScript } from './script-hash.ts'
import { sha256Of } from './vox/sha256-of.ts'
import { probeAbilities } from './vox-abilities.ts'
import { openVoxProcess } from './vox-process.ts'

/** How `vox-embedded` says that a program lies outside its slice; see docs/engine-conformance.md. */
const EMBEDDED_UNSUPPORTED_EXIT = 64
/** What a binary calls itself may be anything. */
const VERSION_CHARACTERS = 120

export interface VoxEngineOptions {
  /** A vox binary, or our own `vox-embedded.js`. */
  readonly executable: string
  /** What is known of how the executable came about. */
  readonly origin: Pick<EngineIdentity, 'provenance' | 'sourceCommit' | 'toolchain' | 'profile' | 'sourceGate'>
  readonly sandbox: SandboxMode
  readonly env: NodeJS.ProcessEnv
  log(line: string): void
}

/**
 * The engine behind an executable with vox's contract. What it can do is found by running it, never assumed from its version.
 * @throws BenchError `engine/not-vox` when it does not answer like vox, `infra/sandbox-refused` when candidates could not be contained.
 */
export async function openVoxEngine(options: VoxEngineOptions): Promise<Engine> {
  const file = await resolveExecutable(options.executable)
  const isScript = file.endsWith('.js')
  const command = isScript ? [process.execPath, file] : [file]
  const sha256 = isScript ? hashScript(file) : await sha256Of(file)
  const sandbox = await openSandbox({
    mode: options.sandbox,
    // The parts of a bundle lie beside its entry.
    readable: isScript ? [process.execPath, path.dirname(file)] : [file],
    env: options.env,
    log: options.log,
  })
  const vox = await openVoxProcess(command, sandbox)
  try {
    const { end, stdout, stderr } = await vox.call(['--version'], null, DEFAULT_LIMITS, 0)
    const version = (stdout.head.trim().split('\n')[0] ?? '').slice(0, VERSION_CHARACTERS)
    if (!/^vox(-embedded)? /.test(version)) {
      const said =
        version !== ''
          ? `it calls itself "${version}"`
          : `it says nothing of itself (${end.kind}${stderr.lastLine === '' ? '' : `: ${stderr.lastLine.slice(0, VERSION_CHARACTERS)}`})`
      throw notVox(file, said)
    }
    const isEmbedded = version.startsWith('vox-embedded ')
    const abilities = await probeAbilities(vox, isEmbedded ? EMBEDDED_UNSUPPORTED_EXIT : null)
    const identity = { kind: 'process', version, official: false, sha256, ...options.origin, abilities: {} } as const
    return engineOver(vox, {
      executable: file,
      sandbox,
      abilities,
      identity: { ...identity, official: whyUnofficial(identity) === null },
    })
  } catch (error) {
    await vox.close()
    throw error
  }
}

async function resolveExecutable(executable: string): Promise<string> {
  try {
    const file = await realpath(path.resolve(executable))
    await access(file, file.endsWith('.js') ? constants.R_OK : constants.R_OK | constants.X_OK)
    return file
  } catch (error) {
    throw notVox(executable, `it cannot be read and executed (${(error as NodeJS.ErrnoException).code})`)
  }
}

function notVox(file: string, why: string): BenchError {
  return new BenchError({
    code: 'engine/not-vox',
    message: `${file} cannot serve as vox: ${why}.`,
    hint: 'Give --vox the path of a vox release binary, or leave it out for the embedded engine.',
  })
}
