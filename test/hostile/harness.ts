import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { BenchError } from '../../src/bench-error.ts'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type {
  CheckOutcome,
  Engine,
  EngineLimits,
  RunOutcome,
  SandboxLevel,
  SandboxReport,
} from '../../src/engine/engine.ts'
import { DEFAULT_LIMITS } from '../../src/engine/engine.ts'
import { createProcessEngine } from '../../src/engine/process-engine.ts'
import { openSandbox } from '../../src/engine/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/engine/sandbox/sandbox.ts'
import { createRunKey } from '../../src/verify/run-key.ts'
import { describeKind } from '../../src/verify/verdict-text.ts'
import { createVerifier, type Verifier } from '../../src/verify/verify.ts'
import { NO_ABILITIES, STAND_IN_IDENTITY } from '../engine/stand-in.ts'
import { loadProblems } from '../verify/temp-corpus.ts'
import { LABEL, TWICE } from './fixtures.ts'
import { fillIn, type HostileProgram, type Leak, type Surroundings } from './hostile-program.ts'
import { type EngineName, suites } from './suites.ts'
import { openWatch } from './watch.ts'

/*
 * The harness is a process of its own, so that a program that kills it kills no test, its environment and arguments are real ones to
 * be spied out, and it can be another user than root. It writes a JSON line for each thing it finds.
 */

export interface HarnessConfig {
  readonly level: SandboxLevel
  /** Folder of the harness. */
  readonly base: string
  /** In every marker of this harness. */
  readonly run: string
  readonly engines: Readonly<Record<EngineName, string>>
  /** File of the embedded pool's worker. */
  readonly worker: string
}

export type HarnessLine =
  | { readonly kind: 'opened'; readonly report: SandboxReport }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'judged'; readonly engine: EngineName; readonly tries: string; readonly judgement: Judgement }
  | { readonly kind: 'ended'; readonly unexplained: readonly string[] }

export interface Judgement {
  /** Verdict with its class, or how the engine broke. */
  readonly verdict: string
  readonly leaks: readonly Leak[]
}

const SLOTS = 2
/** The programs of the permissive engine are small, and some hang. */
const WALL_MS: Readonly<Record<EngineName, number>> = { embedded: 4000, permissive: 1500 }

const [argumentCanary = '', configText = '{}'] = process.argv.slice(2)
const config: HarnessConfig = JSON.parse(configText)
const input = createInterface(process.stdin)

const opened = await open()
if (opened !== null) {
  say({ kind: 'opened', report: opened.report })
  // The word to begin; the test that started this one may have ended instead.
  const [word] = await Promise.race([once(input, 'line'), once(input, 'close').then(() => [])])
  if (word !== undefined) await judgeAll(opened)
}
process.exit()

function say(line: HarnessLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** What candidates are kept in, and how an engine in it is opened. */
interface Containment {
  readonly report: SandboxReport
  readonly suites: typeof suites
  openEngine(name: EngineName): Promise<Engine>
}

async function open(): Promise<Containment | null> {
  if (config.level === 'in-process') return openPool()
  const mode = config.level === 'none' ? 'off' : 'best'
  const readable = [process.execPath, ...Object.values(config.engines)]
  try {
    const sandbox = await openSandbox({ mode, readable, levels: [config.level] })
    const { level, passedOver } = sandbox.report
    if (level === config.level)
      return { report: sandbox.report, suites, openEngine: (name) => openProcesses(name, sandbox) }
    say({ kind: 'refused', reason: passedOver.map(({ reason }) => reason).join('; ') })
  } catch (error) {
    if (!(error instanceof BenchError)) throw error
    say({ kind: 'refused', reason: error.message })
  }
  return null
}

/** The default engine: worker threads, which obey no shell commands. */
function openPool(): Containment {
  const engine = createEmbeddedEngine({
    workerUrl: pathToFileURL(config.worker),
    slots: SLOTS,
    limits: limitsOf('embedded'),
  })
  return {
    report: engine.sandbox,
    suites: suites.filter(({ engine }) => engine === 'embedded'),
    openEngine: async () => engine,
  }
}

function openProcesses(name: EngineName, sandbox: Sandbox): Promise<Engine> {
  const isEmbedded = name === 'embedded'
  return createProcessEngine({
    command: [process.execPath, config.engines[name]],
    identity: { ...STAND_IN_IDENTITY, version: name },
    abilities: { ...NO_ABILITIES, jsonDiagnostics: isEmbedded, maxMemory: isEmbedded, unsupportedExit: 64 },
    slots: SLOTS,
    limits: limitsOf(name),
    sandbox,
  })
}

function limitsOf(name: EngineName): EngineLimits {
  return { ...DEFAULT_LIMITS, wallMs: WALL_MS[name], outputBytes: 1024 * 1024 }
}

async function judgeAll({ suites, openEngine }: Containment): Promise<void> {
  const environment = process.env.VOX_HOSTILE_CANARY ?? ''
  const watch = await openWatch(config.base, config.run, {
    environment,
    argument: argumentCanary,
    file: `canary-${randomBytes(16).toString('hex')}`,
  })
  const [twice, label] = await loadProblems([TWICE, LABEL])
  const key = createRunKey()
  const broken: string[] = []
  let count = 0

  for (const { engine: name, programs } of suites) {
    const engine = await openEngine(name)
    const { freshInputs } = createVerifier({ engine, key })
    const waiting = programs.filter(({ needsSandbox = false }) => config.level !== 'none' || !needsSandbox)
    const judgeNext = async (): Promise<void> => {
      for (let program = waiting.shift(); program !== undefined; program = waiting.shift()) {
        const fixture = program.fixture === 'label' ? label : twice
        if (fixture === undefined) throw new Error('a fixture was not loaded')
        const surroundings = watch.surround(count++, config.engines[name])
        const printed: string[] = []
        const mayHang = [program.verdict].flat().includes('timeout')
        const verifier = createVerifier({ engine: overheard(engine, printed, mayHang), key, freshInputs })
        const verdict = await verdictOn(verifier, fixture, program, surroundings, printed)
        const judgement = { verdict, leaks: await watch.leaksOf(surroundings, printed.join('\n')) }
        say({ kind: 'judged', engine: name, tries: program.tries, judgement })
      }
    }
    await Promise.all(Array.from({ length: SLOTS }, judgeNext))
    await engine.close().catch((error) => broken.push(`${name} could not be closed: ${String(error).slice(0, 200)}`))
  }
  say({ kind: 'ended', unexplained: [...broken, ...watch.unexplained()] })
  watch.close()
}

async function verdictOn(
  verifier: Verifier,
  fixture: Parameters<Verifier['verify']>[0],
  program: HostileProgram,
  surroundings: Surroundings,
  printed: string[],
): Promise<string> {
  const text = fillIn(program.text, surroundings)
  try {
    if (program.isBelowGate) return describeKind(await verifier.verifyBelowGate(fixture, text))
    const verification = program.isAnswer
      ? await verifier.verify(fixture, { text, finishReason: null })
      : await verifier.verifyProgram(fixture, text)
    const { candidate, ...told } = verification
    printed.push(JSON.stringify(told))
    return describeKind(verification.verdict)
  } catch (error) {
    return `broke: ${String(error).slice(0, 200)}`
  }
}

/** `engine`, with all that programs printed kept. One that hangs in earnest gets none of the patience meant for slow machines. */
function overheard(engine: Engine, printed: string[], mayHang: boolean): Engine {
  function keep<T extends RunOutcome | CheckOutcome>(outcome: T): T {
    printed.push(JSON.stringify(outcome))
    return outcome
  }
  return {
    ...engine,
    check: async (program, options) => keep(await engine.check(program, options)),
    run: async (program) => keep(await engine.run(program)),
    runAlone: async (program, options) => keep(await engine.runAlone(program, mayHang ? {} : options)),
  }
}
