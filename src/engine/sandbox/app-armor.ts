import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** Whether this kernel gives an ordinary user no namespaces unless an AppArmor profile grants them, as Ubuntu's does from 24.04 on. */
export function isRestrictedByAppArmor(): boolean {
  try {
    return readFileSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').trim() === '1'
  } catch {
    return false
  }
}

/** Grants namespaces to one program and changes nothing else. */
function profileOf(bwrap: string): string {
  return `abi <abi/4.0>,\nprofile vox-efficacy-bwrap ${bwrap} flags=(unconfined) { userns, }\n`
}

/** The command that lets bubblewrap work on such a machine, for its owner to run; it holds beyond the next start. */
export function profileCommand(bwrap: string): string {
  const file = '/etc/apparmor.d/vox-efficacy-bwrap'
  const lines = profileOf(bwrap).trim().split('\n')
  return `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} | sudo tee ${file} && sudo apparmor_parser -r ${file}`
}

/** Loads the profile until the machine's next start. Returns why it could not, or null. */
export async function loadProfile(bwrap: string, sudo: string): Promise<string | null> {
  const child = spawn(sudo, ['-n', 'apparmor_parser', '-r'], { stdio: ['pipe', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (piece: Buffer) => {
    complaint += piece.toString('utf8')
  })
  child.stdin.on('error', () => {})
  child.stdin.end(profileOf(bwrap))
  const [code] = (await once(child, 'close').catch((error: Error) => [error.message])) as [number | string | null]
  return code === 0 ? null : complaint.trim() || `apparmor_parser ended with ${code}`
}
