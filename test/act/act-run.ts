import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { repository } from '../cli/cli-process.ts'
import { type JobLog, readJobs } from './act-log.ts'
import { startArtifactProxy } from './artifact-proxy.ts'

/** What `tools/act/install.sh` filled. */
const installed = process.env.VOX_ACT ?? ''
const node24 = path.join(repository, 'tools/node24/node_modules/node-bin/bin')

export interface ActOptions {
  /** A git repository with the workflow in it. */
  readonly repository: string
  /** Path of the workflow in there. */
  readonly workflow: string
  readonly event: 'push' | 'pull_request' | 'schedule' | 'workflow_dispatch' | 'workflow_call' | 'pull_request_target'
  readonly payload?: object
  /** Of a dispatch. */
  readonly inputs?: Readonly<Record<string, string>>
  readonly secrets?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
  /** For the jobs, over what the runner gives them. */
  readonly env?: Readonly<Record<string, string>>
  /** Folder that stands for an action: `OWNER/vox-efficacy@v1` to a path. */
  readonly actions?: Readonly<Record<string, string>>
  /** Where artifacts and cache entries lie; give it again for what a later run is to find. */
  readonly storage?: string
  /** Only this job, and of a matrix only `key:value`. */
  readonly job?: string
  readonly matrix?: string
  /** First on the jobs' PATH. */
  readonly path?: string
}

export interface ActRun {
  readonly code: number | null
  /** Everything act wrote, secrets masked. */
  readonly log: string
  readonly jobs: readonly JobLog[]
  /** Zip files of the artifacts by name. */
  readonly artifacts: ReadonlyMap<string, string>
}

export interface StartedAct {
  readonly child: ChildProcess
  /** What was written so far. */
  log(): string
  readonly result: Promise<ActRun>
}

/** A folder of this test alone, gone after it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-act-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A folder for artifacts and cache entries of several runs. */
export function createStorage(): string {
  return temporaryFolder()
}

/**
 * The temporary folder for a run's jobs, beside `storage` and empty. A hosted runner has the same one each time; act another each time,
 * which only the `env` of a step can change. Its path is part of what the cache looks for.
 */
export function emptyRunnerTemporary(storage: string): string {
  const folder = path.join(storage, 'runner-temporary')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  mkdirSync(folder)
  return folder
}

/**
 * Runs a workflow by act on this machine itself, on Node 24, with nothing of this process's environment and nothing outside of the
 * loopback to talk to. Servers and processes end with the test.
 */
export async function runAct(options: ActOptions): Promise<ActRun> {
  return (await startAct(options)).result
}

/** As `runAct`, with the process while it runs. */
export async function startAct(options: ActOptions): Promise<StartedAct> {
  if (installed === '') throw new Error('VOX_ACT must name the folder that tools/act/install.sh filled')
  if (!existsSync(node24)) throw new Error('there is no Node 24: npm ci --prefix tools/node24')
  const home = temporaryFolder()
  const storage = options.storage ?? temporaryFolder()
  const artifacts = path.join(storage, 'artifacts')
  const runId = options.env?.GITHUB_RUN_ID ?? '1'
  // Of a run that has none act cannot list artifacts.
  mkdirSync(path.join(artifacts, runId), { recursive: true })
  const port = await freePort()
  const proxy = await startArtifactProxy(port)
  onTestFinished(() => proxy.close())

  const child = spawn(
    path.join(installed, 'bin/act'),
    [...flags(options, home), ...serverFlags(storage, artifacts, port)],
    {
      cwd: options.repository,
      // act leads a group of its own, whose members are ended with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        HOME: home,
        PATH: [
          ...(options.path === undefined ? [] : [options.path]),
          node24,
          '/usr/local/bin',
          '/usr/bin',
          '/bin',
        ].join(':'),
        LANG: 'C.UTF-8',
        TMPDIR: home,
        ACTIONS_RUNTIME_URL: proxy.url,
      },
    },
  )
  onTestFinished(() => void (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')))
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  }
  const result = new Promise<ActRun>((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) =>
      done({ code, log, jobs: readJobs(log), artifacts: listArtifacts(path.join(artifacts, runId)) }),
    )
  })
  return { child, log: () => log, result }
}

function flags(options: ActOptions, home: string): string[] {
  // By files, not by arguments, which other users of the machine can read.
  const file = (name: string, values: Readonly<Record<string, string>>) => {
    const place = path.join(home, name)
    writeFileSync(
      place,
      Object.entries(values)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}\n`)
        .join(''),
      { mode: 0o600 },
    )
    return place
  }
  const event = path.join(home, 'event.json')
  writeFileSync(event, JSON.stringify({ ...options.payload, inputs: options.inputs }))
  return [
    options.event,
    ...['-W', options.workflow, '-e', event],
    ...(options.job === undefined ? [] : ['-j', options.job]),
    ...(options.matrix === undefined ? [] : ['--matrix', options.matrix]),
    ...['-P', 'ubuntu-latest=-self-hosted', '-P', 'ubuntu-24.04=-self-hosted'],
    ...['--secret-file', file('secrets', options.secrets ?? {})],
    ...['--var-file', file('variables', options.variables ?? {})],
    ...['--env-file', file('env', options.env ?? {})],
    ...['--concurrent-jobs', '1', '--action-offline-mode', '--log-prefix-job-id'],
    ...Object.entries(options.actions ?? {}).flatMap(([name, folder]) => ['--local-repository', `${name}=${folder}`]),
  ]
}

function serverFlags(storage: string, artifacts: string, port: number): string[] {
  return [
    ...[
      '--artifact-server-path',
      artifacts,
      '--artifact-server-addr',
      '127.0.0.1',
      '--artifact-server-port',
      String(port),
    ],
    ...[
      '--cache-server-path',
      path.join(storage, 'cache'),
      '--cache-server-addr',
      '127.0.0.1',
      '--cache-server-port',
      '0',
    ],
  ]
}

function listArtifacts(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map()
  return new Map(readdirSync(folder).map((name) => [name, path.join(folder, name, `${name}.zip`)] as const))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/**
 * Cancels a run the way the hosted service does: the step's own process is asked first (SIGINT). act itself would kill it at once, so
 * it hears of it only after that process has ended. `script` is the end of the process's script path.
 */
export async function cancelStep(started: StartedAct, script: string): Promise<void> {
  const { child } = started
  const pid = signalStep(started, script, 'SIGINT')
  while (existsSync(`/proc/${pid}`) && commandLine(pid).length > 0) await new Promise((done) => setTimeout(done, 50))
  child.kill('SIGINT')
}

/** Sends a signal to the step's own process, and gives that. */
export function signalStep({ child }: StartedAct, script: string, signal: NodeJS.Signals): number {
  const pid = descendants(child.pid ?? 0).find((each) => commandLine(each).some((word) => word.endsWith(script)))
  if (pid === undefined) throw new Error(`no process runs ${script}`)
  process.kill(pid, signal)
  return pid
}

function descendants(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(name) }))
  const below = (of: number): number[] =>
    parents.filter(({ parent }) => parent === of).flatMap((each) => [each.pid, ...below(each.pid)])
  return below(pid)
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}

function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  } catch {
    return []
  }
}
