import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { SandboxLevel, SandboxReport } from '../../src/engine/engine.ts'
import { buildEntry } from '../engine/built-worker.ts'
import type { HarnessConfig, HarnessLine, Judgement } from './harness.ts'
import type { EngineName } from './suites.ts'
import { processesWith } from './watch.ts'

/** A level, and the user at whose hands it is tried. */
export interface Stand {
  readonly level: SandboxLevel
  readonly user: 'root' | 'other'
}

/** Any that no account has and no slot of a sandbox. */
const OTHER_UID = 61_500

/** Gives a command a session keyring of its own, with a key in it: Node makes no system calls by number. */
const WITH_OWN_KEYRING = `
  use POSIX ();
  my $shift = (POSIX::uname())[4] eq 'x86_64' ? 0 : 31;
  syscall(250 - $shift, 1, 0);
  my ($type, $name, $value) = ('user', 'vox-hostile', $ENV{VOX_HOSTILE_CANARY});
  syscall(248 - $shift, $type, $name, $value, length $value, -3);
  exec @ARGV`

export interface HarnessProcess {
  /** What the level closes here, or why it cannot be had. */
  readonly opened: { readonly report: SandboxReport } | { readonly reason: string }
  start(): void
  /** Settles when the program has been judged; rejects when the harness ended before it was. */
  judgement(engine: EngineName, tries: string): Promise<Judgement>
  /** Settles at the end: what was touched and nobody's, and how many of its processes are left. */
  ending(): Promise<{ readonly unexplained: readonly string[]; readonly survivors: number }>
  close(): void
}

export interface BuiltEngines {
  readonly harness: string
  readonly engines: HarnessConfig['engines']
  readonly worker: string
}

/** Bundles the harness and the engines, readable for every user and writable for none. */
export async function buildHarness(): Promise<BuiltEngines> {
  const files = await Promise.all(
    [
      '../test/hostile/harness.ts',
      'cli/vox-embedded.ts',
      '../test/hostile/permissive-vox.ts',
      'engine/embedded-worker.ts',
    ].map(buildEntry),
  )
  for (const file of files) {
    chmodSync(path.dirname(file), 0o755)
    chmodSync(file, 0o444)
  }
  const [harness = '', embedded = '', permissive = '', worker = ''] = files
  return { harness, engines: { embedded, permissive }, worker }
}

/** Starts a harness at a stand; it waits for `start` once its sandbox is open. */
export async function openHarness({ level, user }: Stand, built: BuiltEngines): Promise<HarnessProcess> {
  const run = randomBytes(4).toString('hex')
  // Where every user may go, and with a path short enough for a socket.
  const base = mkdtempSync('/tmp/vox-hostile-')
  const config: HarnessConfig = { level, base, run, engines: built.engines, worker: built.worker }
  const isOther = user === 'other' && process.getuid?.() === 0
  for (const folder of [base, path.join(base, 'tmp'), path.join(base, 'home')]) {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o777)
    if (isOther) chownSync(folder, OTHER_UID, OTHER_UID)
  }
  const argument = `canary-${randomBytes(16).toString('hex')}`
  const command = [process.execPath, built.harness, argument, JSON.stringify(config)]
  const child = spawn('perl', ['-e', WITH_OWN_KEYRING, ...command], {
    cwd: base,
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: path.join(base, 'tmp'),
      HOME: path.join(base, 'home'),
      VOX_HOSTILE_CANARY: `canary-${randomBytes(16).toString('hex')}`,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(isOther ? { uid: OTHER_UID, gid: OTHER_UID } : {}),
  })
  const lines = readLines(child)
  const first = await lines.find((line) => line.kind === 'opened' || line.kind === 'refused')
  return {
    opened:
      first.kind === 'opened' ? { report: first.report } : { reason: first.kind === 'refused' ? first.reason : '' },
    start() {
      child.stdin?.write('start\n')
    },
    async judgement(engine, tries) {
      const line = await lines.find((each) => each.kind === 'judged' && each.engine === engine && each.tries === tries)
      if (line.kind !== 'judged') throw new Error('unreachable')
      return line.judgement
    },
    async ending() {
      const line = await lines.find(({ kind }) => kind === 'ended')
      if (line.kind !== 'ended') throw new Error('unreachable')
      return { unexplained: line.unexplained, survivors: processesWith(`hostile-${run}`).length }
    },
    close() {
      child.kill('SIGKILL')
      // Not by Node, which cannot remove all that a program can make.
      spawnSync('chmod', ['-R', 'u+rwX', base], { stdio: 'ignore' })
      spawnSync('rm', ['-rf', base])
    },
  }
}

/** The lines a harness has said so far and will say. */
function readLines(child: ChildProcess): { find(isWanted: (line: HarnessLine) => boolean): Promise<HarnessLine> } {
  const said: HarnessLine[] = []
  let end: string | null = null
  let wake = () => {}
  let news = new Promise<void>((resolve) => {
    wake = resolve
  })
  function tell(): void {
    wake()
    news = new Promise((resolve) => {
      wake = resolve
    })
  }
  if (child.stdout === null) throw new Error('the harness has no output')
  createInterface(child.stdout).on('line', (line) => {
    said.push(JSON.parse(line))
    tell()
  })
  child.once('close', (code, signal) => {
    end = `the harness ended with ${signal ?? code}`
    tell()
  })
  return {
    async find(isWanted) {
      for (;;) {
        const found = said.find(isWanted)
        if (found !== undefined) return found
        if (end !== null) throw new Error(end)
        await news
      }
    },
  }
}
