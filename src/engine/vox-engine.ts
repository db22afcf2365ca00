import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { BenchError } from '../bench-error.ts'
import type { Engine } from './engine.ts'
import { createProcessEngine, type ProcessAbilities } from './process-engine.ts'
import { noSandbox } from './sandbox/sandbox.ts'

const runFile = promisify(execFile)
const PROBE_TIMEOUT_MS = 30_000
const PROBE_PROGRAM = 'fn main() to str { return "ok" }\n'
/** How `vox-embedded` says that a program lies outside its slice; see docs/engine-conformance.md. */
const EMBEDDED_UNSUPPORTED_EXIT = 64

/**
 * The engine behind an executable with vox's contract: a vox binary, or our own `vox-embedded.js`.
 * What it can do is found by running it, never assumed from its version.
 * @throws BenchError `engine/not-vox` when it does not answer like vox.
 */
export async function openVoxEngine(executable: string): Promise<Engine> {
  const file = path.resolve(executable)
  const command = file.endsWith('.js') ? [process.execPath, file] : [file]
  const sha256 = createHash('sha256')
    .update(await readExecutable(file))
    .digest('hex')
  const version = (await answerOf(command, ['--version'])).stdout.trim().split('\n')[0] ?? ''
  if (!/^vox(-embedded)? /.test(version)) throw notVox(file, `it calls itself "${version.slice(0, 80)}"`)
  const isEmbedded = version.startsWith('vox-embedded ')
  return createProcessEngine({
    command,
    sandbox: noSandbox,
    abilities: await probe(command, isEmbedded),
    identity: {
      kind: 'process',
      version,
      official: /^vox \d+\.\d+\.\d+/.test(version),
      sha256,
      sourceCommit: null,
      toolchain: null,
      profile: null,
      abilities: {},
    },
  })
}

async function probe(command: readonly string[], isEmbedded: boolean): Promise<ProcessAbilities> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vox-probe-'))
  try {
    const file = path.join(folder, 'probe.vox')
    await writeFile(file, PROBE_PROGRAM)
    const json = await answerOf(command, ['check', '--output-format', 'json', file], folder)
    const memory = await answerOf(command, ['run', '--mode', 'interp', '--max-memory', '536870912', file], folder)
    return {
      jsonDiagnostics: json.code === 0 && json.stdout.trimStart().startsWith('['),
      maxMemory: memory.code === 0,
      unsupportedExit: isEmbedded ? EMBEDDED_UNSUPPORTED_EXIT : null,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function answerOf(command: readonly string[], args: readonly string[], cwd?: string) {
  const [program = '', ...leading] = command
  try {
    const { stdout } = await runFile(program, [...leading, ...args], {
      timeout: PROBE_TIMEOUT_MS,
      env: { PATH: process.env.PATH ?? '', NO_COLOR: '1' },
      ...(cwd === undefined ? {} : { cwd }),
    })
    return { code: 0, stdout }
  } catch (error) {
    const { code, stdout, message } = error as { code?: unknown; stdout?: string; message: string }
    if (typeof code === 'number') return { code, stdout: stdout ?? '' }
    throw notVox(command.at(-1) ?? '', message)
  }
}

async function readExecutable(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw notVox(file, `it cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function notVox(file: string, why: string): BenchError {
  return new BenchError({
    code: 'engine/not-vox',
    message: `${file} cannot serve as vox: ${why}.`,
    hint: 'Give --vox the path of a vox release binary, or leave it out for the embedded engine.',
  })
}
