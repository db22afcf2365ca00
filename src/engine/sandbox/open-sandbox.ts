import { BenchError } from '../../bench-error.ts'
import type { SandboxLevel, SandboxReport } from '../engine.ts'
import { isRestrictedByAppArmor, loadProfile, profileCommand } from './app-armor.ts'
import { findTool } from './host-tools.ts'
import { type ProbeResult, probeLaunch } from './hostile-probe.ts'
import { noSandbox, type Sandbox } from './sandbox.ts'
import { type EnforcedLevel, levelsHere, PROMISES, setUpLevel } from './sandbox-level.ts'

/** `require` refuses to go on without a sandbox, `best` takes the strongest there is or none, `off` is none. */
export type SandboxMode = 'require' | 'best' | 'off'

export interface SandboxOptions {
  readonly mode: SandboxMode
  /** Files and folders outside the system's own that the command needs to read: the engine, Node. */
  readonly readable: readonly string[]
  /** Levels that may be used, strongest first; for tests. */
  readonly levels?: readonly SandboxLevel[]
  /** Tells a hosted runner by `RUNNER_ENVIRONMENT`. */
  readonly env?: NodeJS.ProcessEnv
  log?(line: string): void
}

type Trial =
  | { readonly kind: 'holds'; readonly closed: SandboxReport['closed'] }
  | { readonly kind: 'fails'; readonly reason: string }

/**
 * The strongest sandbox to be had on this machine. Every level is tried by a hostile program first, and one that leaves open what it
 * promises is passed over; the report has why.
 * @throws BenchError `infra/sandbox-refused` on Windows, and with `require` when no level holds.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { mode, readable, log = () => {}, levels = levelsHere() } = options
  if (process.platform === 'win32') throw refusedOnWindows()
  if (mode === 'off') {
    log('sandbox: none, as asked: programs run with the rights of this user')
    return noSandbox
  }
  const passedOver: { level: SandboxLevel; reason: string }[] = []
  for (const level of levels.filter(isEnforced)) {
    const trial = await tryWithProfile(level, options)
    const setup = setUpLevel(level, readable)
    if (trial.kind === 'holds' && setup.kind === 'ready') {
      log(`sandbox: ${level}`)
      return { report: { level, closed: trial.closed, passedOver }, launch: setup.launch }
    }
    passedOver.push({ level, reason: trial.kind === 'fails' ? trial.reason : 'it went away' })
  }
  if (mode === 'require') throw refused(passedOver)
  log(
    `WARNING: candidates run without a sandbox, with the rights of this user. ${reasonsOf(passedOver)} ${howToMend(passedOver)}`,
  )
  return { ...noSandbox, report: { ...noSandbox.report, passedOver } }
}

function isEnforced(level: SandboxLevel): level is EnforcedLevel {
  return level !== 'none' && level !== 'in-process'
}

/** On a hosted runner, which is thrown away afterwards, what AppArmor forbids is granted; elsewhere its owner is told how. */
async function tryWithProfile(level: EnforcedLevel, options: SandboxOptions): Promise<Trial> {
  const trial = await tryLevel(level, options.readable)
  const bwrap = findTool('bwrap')
  if (trial.kind === 'holds' || level !== 'bubblewrap' || bwrap === null || !isRestrictedByAppArmor()) return trial
  const sudo = findTool('sudo')
  if (options.env?.RUNNER_ENVIRONMENT !== 'github-hosted' || sudo === null) {
    return { kind: 'fails', reason: `${trial.reason}; AppArmor forbids it, this allows it: ${profileCommand(bwrap)}` }
  }
  const trouble = await loadProfile(bwrap, sudo)
  if (trouble !== null)
    return { kind: 'fails', reason: `${trial.reason}; the AppArmor profile cannot be loaded: ${trouble}` }
  options.log?.(`sandbox: loaded an AppArmor profile that grants namespaces to ${bwrap}`)
  return tryLevel(level, options.readable)
}

async function tryLevel(level: EnforcedLevel, readable: readonly string[]): Promise<Trial> {
  const setup = setUpLevel(level, [...readable, process.execPath])
  if (setup.kind === 'unavailable') return { kind: 'fails', reason: setup.reason }
  const result = await probeLaunch(setup.launch).catch(asUnusable)
  if (result.kind === 'unusable') return { kind: 'fails', reason: result.reason }
  const open = PROMISES[level].filter((what) => !result.closed[what])
  return open.length === 0
    ? { kind: 'holds', closed: result.closed }
    : { kind: 'fails', reason: `a hostile program found open what this level should close: ${open.join(', ')}` }
}

function asUnusable(error: unknown): ProbeResult {
  // A folder that cannot be used is no fault of the level.
  const isOfLevel = error instanceof BenchError && error.code !== 'infra/temporary-folder'
  if (isOfLevel) return { kind: 'unusable', reason: error.message }
  throw error
}

function reasonsOf(passedOver: SandboxReport['passedOver']): string {
  if (passedOver.length === 0) return `No sandbox is known for ${process.platform}.`
  return `Tried: ${passedOver.map(({ level, reason }) => `${level} (${reason})`).join('; ')}.`
}

function howToMend(passedOver: SandboxReport['passedOver']): string {
  const install =
    process.platform === 'linux' && passedOver.some(({ reason }) => reason.startsWith('bwrap is not'))
      ? 'Install bubblewrap (Debian, Ubuntu: sudo apt-get install -y bubblewrap). '
      : ''
  return `${install}The embedded engine needs no sandbox.`
}

function refused(passedOver: SandboxReport['passedOver']): BenchError {
  return new BenchError({
    code: 'infra/sandbox-refused',
    message: `no sandbox on this machine keeps candidates from the network. ${reasonsOf(passedOver)}`,
    hint: `${howToMend(passedOver)} To go on with less, say so: sandbox "best", or "off" for none at all.`,
  })
}

function refusedOnWindows(): BenchError {
  return new BenchError({
    code: 'infra/sandbox-refused',
    message: 'vox processes run on Linux and macOS only.',
    hint: 'On Windows use the embedded engine: leave the vox options out.',
  })
}
