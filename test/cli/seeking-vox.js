// A vox that refuses its work where it can read the environment of a process that bears keys; in a folder with vox-embedded.js.
import { readdirSync, readFileSync } from 'node:fs'

function read(name) {
  try {
    return readFileSync(name, 'latin1')
  } catch {
    return ''
  }
}

function listProcesses() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

const pids = [...listProcesses(), process.ppid, 1]
const seen = pids.filter((pid) => read(`/proc/${pid}/environ`).includes('BEARS_CANARIES='))
if (seen.length > 0 || process.env.BEARS_CANARIES !== undefined) {
  process.stderr.write(`keys can be read in ${seen.length} processes\n`)
  process.exit(99)
}
await import('./vox-embedded.js')
