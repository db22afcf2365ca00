import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { z } from 'zod'
import { withoutAnsi } from '../diagnostic-text.ts'
import type { ExecResult } from '../ports.ts'
import { secretNames } from './build-environment.ts'
import { isDiskFull, isUnfetched } from './build-failure.ts'
import { isOutOfMemory, jobsFor, thisMachine } from './build-jobs.ts'
import { formatDuration } from './build-progress.ts'
import { shortHash } from './cache-key.ts'
import { openCargoFolders } from './cargo-folders.ts'
import { cargoPlace } from './cargo-place.ts'
import { gitFilesOf } from './git-configs.ts'
import type { Isolation } from './isolation.ts'
import { ownName, removeLeftovers, whileThere } from './leftovers.ts'
import type { SourceGateOutcome, VoxBuildOptions, VoxDeps } from './vox-request.ts'

interface SourceGate {
  /** Key of the build whose gate it is. */
  readonly key: string
  readonly tree: string
  readonly executable: string
  readonly targetFolder: string
  readonly options: VoxBuildOptions
  readonly isolation: Isolation
  readonly env: Readonly<Record<string, string>>
}

const TAIL_LINES = 30
/** A formatter's complaints alone come to 300 KB. */
const OUTPUT_CHARACTERS = 2 ** 20
const OUTCOME_FILE = 'source-gate.json'
const outcomeSchema = z.object({ outcome: z.enum(['passed', 'failed']), detail: z.string(), tail: z.string() })

/**
 * What the tree's own `vox ci pre-push --complete` says of it; of a state that was asked before, what it said then. It runs on a copy, as
 * it may write where it likes. It never rejects for what the gate does.
 */
export async function gateOutcome(gate: SourceGate, deps: VoxDeps): Promise<SourceGateOutcome> {
  const key = `${gate.key}-gate`
  const folder = path.join(deps.workFolder, 'gates', shortHash(key))
  const known = await knownOutcome(key, folder, deps)
  if (known !== null) return known
  if (gate.isolation.kind === 'none' && secretNames(deps.env).length > 0) {
    return notRun('it could read the keys of this process; run it in a job without keys')
  }
  const outcome = await runGate(gate, deps)
  deps.log(`vox: the source's gate: ${outcome.outcome}: ${outcome.detail}`)
  for (const line of outcome.tail === '' ? [] : outcome.tail.split('\n')) deps.log(`vox: | ${line}`)
  if (outcome.outcome !== 'not-run') await keepOutcome(key, folder, outcome, deps)
  return outcome
}

async function runGate(gate: SourceGate, deps: VoxDeps): Promise<SourceGateOutcome> {
  const { tree, executable, targetFolder, options, isolation } = gate
  const folders = await openCargoFolders(tree, targetFolder, gate.env)
  await removeLeftovers(deps.workFolder, 'gate')
  const root = path.join(deps.workFolder, ownName('gate'))
  const startedAt = performance.now()
  return await whileThere(root, async () => {
    const copy = path.join(root, 'tree')
    const target = path.join(tree, 'target')
    await cp(tree, copy, { recursive: true, verbatimSymlinks: true, filter: (file) => file !== target })
    const jobs = options.jobs ?? jobsFor(thisMachine(), options.memoryPerJobGb)
    const env = {
      ...gate.env,
      ...folders.env,
      PATH: `${path.dirname(executable)}${path.delimiter}${gate.env.PATH ?? ''}`,
      CARGO_BUILD_JOBS: String(jobs),
      CARGO_TERM_COLOR: 'never',
      NO_COLOR: '1',
    }
    const place = await cargoPlace(copy, folders, [copy], env, deps.workFolder)
    const repository = await gitFilesOf(tree, path.join(deps.workFolder, 'git-configs'))
    deps.log(`vox: the source's gate runs (vox ci pre-push --complete, jobs: ${jobs})`)
    let output = ''
    // A piece may end within a character.
    const decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() }
    const command = isolation.wrap([executable, 'ci', 'pre-push', '--complete'], {
      ...place,
      readable: [...place.readable, path.dirname(executable)],
      // The tree itself may be in sight too.
      replaced: [...(place.replaced ?? []), ...repository.replaced],
    })
    const result = await deps.exec.run(command, {
      cwd: copy,
      env,
      onOutput(piece, stream) {
        output = (output + decoders[stream].write(piece)).slice(-OUTPUT_CHARACTERS)
      },
    })
    deps.log(`vox: the source's gate took ${formatDuration(performance.now() - startedAt)}`)
    if (result.kind === 'exited' && result.code === 0)
      return { outcome: 'passed', detail: 'it found nothing', tail: '' }
    // The name of the copy is another one each time.
    const text = withoutAnsi(output).replaceAll(copy, '.').trimEnd()
    if (result.kind === 'not-found') return notRun('the executable could not be started')
    if (/unrecognized subcommand|unknown (?:sub)?command/i.test(text)) {
      return notRun('this vox has no `ci pre-push --complete`')
    }
    const outside = outsideReason(result, text)
    if (outside !== null) return notRun(outside, tailOf(text))
    const how = result.kind === 'exited' ? `exit code ${result.code}` : `killed by ${result.signal}`
    return { outcome: 'failed', detail: [`it ended with ${how}`, ...advice(text)].join('; '), tail: tailOf(text) }
  })
}

/** From outside a process, that is; the toolkit of GitHub Actions cannot tell which it was. */
const STOPPING_SIGNALS = ['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM', 'unknown']
/** How a shell tells the same four of its child. */
const STOPPED_CODES = [129, 130, 137, 143]

/** Why a gate did not come to its end for something that is not the tree's fault, and may be mended; such an outcome is not kept. */
function outsideReason(result: ExecResult, output: string): string | null {
  if (isDiskFull(output)) return 'the disk was full'
  if (isOutOfMemory(output)) return 'memory ran out'
  if (isUnfetched(output)) return 'cargo could not fetch what it needs'
  if (result.kind === 'signalled' && STOPPING_SIGNALS.includes(result.signal))
    return `it was stopped (${result.signal})`
  if (result.kind === 'exited' && STOPPED_CODES.includes(result.code))
    return `it was stopped (exit code ${result.code})`
  return null
}

function notRun(detail: string, tail = ''): SourceGateOutcome {
  return { outcome: 'not-run', detail, tail }
}

/** The step it stopped at, and the commands by which it says that files are brought up to date; not those in a diff it prints. */
function advice(output: string): string[] {
  const step = [...output.matchAll(/^==> (.+)$/gm)].at(-1)?.[1]
  const said = [...output.matchAll(/^(?![-+@ ]).*?\brun:?\s+`([^`\n{}]+)`/gim)].map(([, command]) => command)
  return [
    ...(step === undefined ? [] : [`it stopped at: ${step}`]),
    ...[...new Set(said)].map((command) => `it says: run \`${command}\` in the source, and commit what changes`),
  ]
}

const tailOf = (output: string) => output.split('\n').slice(-TAIL_LINES).join('\n')

async function knownOutcome(key: string, folder: string, deps: VoxDeps): Promise<SourceGateOutcome | null> {
  try {
    if (!existsSync(folder) && !(await deps.cache.restore(key, folder))) return null
    return outcomeSchema.parse(JSON.parse(await readFile(path.join(folder, OUTCOME_FILE), 'utf8')))
  } catch (error) {
    deps.log(`vox: warning: an earlier outcome of the source's gate cannot be read: ${(error as Error).message}`)
    await rm(folder, { recursive: true, force: true })
    return null
  }
}

async function keepOutcome(key: string, folder: string, outcome: SourceGateOutcome, deps: VoxDeps): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, OUTCOME_FILE), `${JSON.stringify(outcome)}\n`)
    await deps.cache.save(key, folder)
  } catch (error) {
    deps.log(`vox: warning: the outcome of the source's gate is not in the cache: ${(error as Error).message}`)
  }
}
