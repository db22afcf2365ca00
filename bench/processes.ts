import { cpus } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { splitTests } from '../src/corpus/assertions.ts'
import type { Fixture } from '../src/corpus/fixture.ts'
import { loadCorpus } from '../src/corpus/load-corpus.ts'
import { DEFAULT_LIMITS } from '../src/engine/engine.ts'
import { engineOver } from '../src/engine/process-engine.ts'
import { openSandbox } from '../src/engine/sandbox/open-sandbox.ts'
import { probeAbilities } from '../src/engine/vox-abilities.ts'
import type { VoxProcess } from '../src/engine/vox-process.ts'
import { openVoxProcess } from '../src/engine/vox-process.ts'
import { assertEqual, compose } from '../src/verify/compose.ts'
import { createNonce } from '../src/verify/nonce.ts'
import { plantSaboteurs } from '../src/verify/saboteurs.ts'
import type { Verifier } from '../src/verify/verify.ts'
import { createVerifier } from '../src/verify/verify.ts'
import { STAND_IN_IDENTITY } from '../test/engine/stand-in.ts'
import type { Figure, Place } from './figure.ts'
import { times } from './figure.ts'

const POLL_MS = 50
const REPEATS = 5

interface Program {
  readonly fixture: Fixture
  readonly source: string
  readonly passes: boolean
}

/**
 * The same programs through processes of one engine in one sandbox, twice: the upstream way (one candidate after another; check, run and
 * canary for each, whatever came before; the end of a process looked for every 50 ms), and ours with all its controls. Half of the
 * programs pass; the others answer wrongly, do not check, or fail at run time, a third each.
 */
export async function benchProcesses({ root }: Place): Promise<readonly Figure[]> {
  const { fixtures } = await loadCorpus(path.join(root, 'corpus'))
  const dist = path.join(root, 'dist')
  const sandbox = await openSandbox({ mode: 'best', readable: [process.execPath, dist], env: process.env })
  const vox = await openVoxProcess([process.execPath, path.join(dist, 'vox-embedded.js')], sandbox)
  const abilities = await probeAbilities(vox, 64)
  const engine = engineOver(vox, { sandbox, abilities, identity: STAND_IN_IDENTITY })
  try {
    const programs = fixtures.flatMap(programsOf)
    // Fresh inputs are drawn once in a run, by its preflight.
    const drawing = createVerifier({ engine, key: 'bench' })
    await Promise.all(fixtures.map((fixture) => drawing.freshInputs(fixture)))
    const verifyOurs = (repeats: number) =>
      verifyOurWay(createVerifier({ engine, key: 'bench', freshInputs: drawing.freshInputs }), programs, repeats)
    const ours = await measure(() => verifyOurs(1))
    const upstream = await measure(() => verifyUpstreamWay(vox, programs))
    const repeated = await measure(() => verifyOurs(REPEATS))
    const cores = cpus().length
    const note = ({ wallMs, cpuMs, ownCpuMs }: Measured) =>
      `${(wallMs / 1000).toFixed(1)} s, CPU time ${(cpuMs / 1000).toFixed(1)} s, of that the harness ${(ownCpuMs / 1000).toFixed(1)} s`
    return [
      {
        what: `${programs.length} programs through vox-embedded processes (sandbox: ${sandbox.report.level}), upstream way to ours`,
        ratio: times(upstream.wallMs / ours.wallMs),
        aim: 'at least 3 x on 2 cores with half passing',
        note: `upstream ${note(upstream)}; ours, with all controls: ${note(ours)}`,
      },
      {
        what: `our wall time to the CPU time of the children on ${cores} cores`,
        ratio: times(ours.wallMs / ((ours.cpuMs - ours.ownCpuMs) / cores)),
        aim: 'at most 1.25 x, with nothing else running',
      },
      {
        what: `each program ${REPEATS} times, as models repeat themselves, to once`,
        ratio: times(repeated.wallMs / ours.wallMs),
        note: note(repeated),
      },
    ]
  } finally {
    await engine.close()
  }
}

function programsOf(fixture: Fixture, at: number): Program[] {
  const { reference, signature } = fixture
  const stub =
    plantSaboteurs(fixture, { freshInputs: [], isFirst: false }).find(({ name }) => name === 'stub')?.program ?? ''
  const broken = [
    stub,
    `${signature} {\n    return nowhere_defined\n}\n`,
    `${signature} {\n    assert([1][5].unwrap() > 1 / 0)\n${stub.split('\n').slice(1).join('\n')}`,
  ]
  return [
    { fixture, source: reference, passes: true },
    { fixture, source: broken[at % broken.length] ?? '', passes: false },
  ]
}

async function verifyOurWay(verifier: Verifier, programs: readonly Program[], repeats: number): Promise<void> {
  const all = Array.from({ length: repeats }, () => programs).flat()
  const verifications = await Promise.all(all.map(({ fixture, source }) => verifier.verifyProgram(fixture, source)))
  const wrong = verifications.filter(({ verdict }, at) => (verdict.kind === 'passed') !== all[at]?.passes).length
  if (wrong > 0) throw new Error(`${wrong} programs have another verdict than they were made for`)
}

async function verifyUpstreamWay(vox: VoxProcess, programs: readonly Program[]): Promise<void> {
  for (const { fixture, source, passes } of programs) {
    const { assertions } = splitTests(fixture.tests)
    const program = compose(
      source,
      assertions.map(({ call, expected }) => assertEqual(call, expected)),
      createNonce(),
    )
    const canary = compose(source, ['assert(false)'], createNonce())
    const checked = await polled(vox, ['check'], program)
    const ran = await polled(vox, ['run', '--mode', 'interp'], program)
    const fell = await polled(vox, ['run', '--mode', 'interp'], canary)
    if ((checked === 0 && ran === 0 && fell !== 0) !== passes) throw new Error(`another verdict on ${fixture.id}`)
  }
}

/** Exit code of a call whose end is looked for at intervals. */
async function polled(vox: VoxProcess, args: readonly string[], program: string): Promise<number | null> {
  let code: number | null | undefined
  const ended = vox.call(args, program, DEFAULT_LIMITS, 0).then(({ end }) => {
    code = end.kind === 'exited' ? end.code : null
  })
  while (code === undefined) await delay(POLL_MS)
  await ended
  return code
}

interface Measured {
  readonly wallMs: number
  /** CPU time of the whole machine, and of this process in it. */
  readonly cpuMs: number
  readonly ownCpuMs: number
}

async function measure(work: () => Promise<void>): Promise<Measured> {
  const [startedAt, before, ownBefore] = [performance.now(), machineCpuMs(), ownCpuMs()]
  await work()
  return { wallMs: performance.now() - startedAt, cpuMs: machineCpuMs() - before, ownCpuMs: ownCpuMs() - ownBefore }
}

/**
 * CPU time of everything on the machine but waiting. A sandbox is the parent of its processes, so their times do not reach this
 * process; on a machine with nothing else to do this is theirs and our own.
 */
function machineCpuMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
