import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import { atExit } from './at-exit.ts'
import type { EngineLimits } from './engine.ts'
import type { ProcessEnd } from './limited-process.ts'
import { endOf } from './limited-process.ts'
import { removeFolder, removeFolderNow } from './remove-folder.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { makeTemporaryFolder, temporaryFolderFailure } from './temporary-folder.ts'

/** Runs one command with the contract of the vox binary, each call in a private folder and a process of its own in the sandbox. */
export interface VoxProcess {
  /**
   * Calls the command with `args` and, where there is a program, the name of a file that holds it. Nothing of the call is left when it
   * ends. Rejects with `BenchError` when the command cannot be started.
   */
  call(args: readonly string[], program: string | null, limits: EngineLimits, slot: number): Promise<ProcessEnd>
  close(): Promise<void>
}

const PROGRAM_FILE = 'program.vox'
/** A sandbox may run the command as another user, who finds the folder of a call only by its name. */
const [SEARCHABLE, READABLE, READ_ONLY] = [0o711, 0o755, 0o444]

/** `command` is a program and leading arguments, e.g. `['vox']`; no shell is involved. */
export async function openVoxProcess(command: readonly string[], sandbox: Sandbox): Promise<VoxProcess> {
  const root = await makeTemporaryFolder('vox-engine-')
  await chmod(root, SEARCHABLE)
  const forgetRoot = atExit(() => removeFolderNow(root))

  return {
    async call(args, program, limits, slot) {
      const folder = await makeTemporaryFolder('call-', root)
      try {
        await chmod(folder, READABLE)
        if (program !== null) await writeProgram(path.join(folder, PROGRAM_FILE), program)
        const file = program === null ? [] : [PROGRAM_FILE]
        return await endOf(sandbox.launch([...command, ...args, ...file], { folder, slot, limits }), limits)
      } catch (cause) {
        throw startFailure(command, cause)
      } finally {
        await removeFolder(folder)
      }
    },
    async close() {
      forgetRoot()
      await removeFolder(root)
    },
  }
}

async function writeProgram(file: string, program: string): Promise<void> {
  try {
    await writeFile(file, program)
    // Not left to the umask, which may keep other users out.
    await chmod(file, READ_ONLY)
  } catch (cause) {
    throw temporaryFolderFailure(cause)
  }
}

function startFailure(command: readonly string[], cause: unknown): unknown {
  const isMissing = cause instanceof Error && 'syscall' in cause && String(cause.syscall).startsWith('spawn')
  if (!isMissing) return cause
  return new BenchError({
    code: 'engine/command-failed',
    message: `the engine command cannot be started: ${command.join(' ')}: ${cause.message}`,
    hint: 'Check the path and that the file may be executed.',
    cause,
  })
}
