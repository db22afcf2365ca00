import { accessSync, constants, realpathSync } from 'node:fs'
import path from 'node:path'

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin']

/** Path of a system program, or null. The caller's PATH is not asked: it may begin with a folder that anybody can write to. */
export function findTool(name: string): string | null {
  for (const folder of FOLDERS) {
    const file = path.join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      // Of the folder alone, because a program may look at the name it is called by.
      return path.join(realpathSync(folder), name)
    } catch {}
  }
  return null
}
