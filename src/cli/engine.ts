import { homedir } from 'node:os'
import path from 'node:path'
import type { EngineOptions } from '../config/engine-options.ts'
import type { Engine } from '../engine/engine.ts'
import type { VoxDeps } from '../engine/vox/resolve-vox.ts'
import { plainText } from '../report/plain-text.ts'
import { openEngine } from '../sweep/open-engine.ts'
import { createFolderCache } from './folder-cache.ts'
import { createProcessExec } from './process-exec.ts'
import type { Terminal } from './terminal.ts'

/** The engine a command line asks for; what finding and building it takes is told on the side. The caller closes it. */
export async function openCliEngine(options: EngineOptions, terminal: Terminal): Promise<Engine> {
  try {
    return await openEngine(options, voxDeps(options, terminal))
  } finally {
    terminal.live(null)
  }
}

function voxDeps(options: EngineOptions, terminal: Terminal): VoxDeps {
  const folder = options['vox-cache'] ?? ownCacheFolder(process.env)
  return {
    exec: createProcessExec(),
    cache: createFolderCache(path.join(folder, 'built')),
    workFolder: path.join(folder, 'work'),
    env: process.env,
    log: createLog(terminal),
  }
}

/** Where no one watches, progress is noted this often. */
const PROGRESS_MS = 60_000

function createLog(terminal: Terminal): VoxDeps['log'] {
  let notedAt = performance.now()
  return (line, isProgress = false) => {
    const text = plainText(line)
    if (isProgress && terminal.isInteractive) return terminal.live(text)
    if (isProgress && performance.now() - notedAt < PROGRESS_MS) return
    notedAt = performance.now()
    terminal.note(text)
  }
}

/** What this tool keeps for its user from run to run. */
export function ownCacheFolder(env: NodeJS.ProcessEnv): string {
  return path.join(userCacheFolder(env), 'vox-efficacy')
}

/** Where programs of this user keep what can be made again. */
function userCacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME
  if (process.platform === 'win32') return LOCALAPPDATA ?? path.join(homedir(), 'AppData', 'Local')
  return process.platform === 'darwin' ? path.join(homedir(), 'Library', 'Caches') : path.join(homedir(), '.cache')
}
