import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'

/** The file behind a program's name on the PATH of `env`, as a shell would find it; null when there is none. */
export async function findProgram(name: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (folder === '') continue
    const file = path.join(folder, name + suffix)
    try {
      await access(file, constants.X_OK)
      return file
    } catch {
      // The next folder may have it.
    }
  }
  return null
}
