import { keptText } from './captured-text.ts'
import type { EngineLimits } from './engine.ts'
import type { VoxProcess } from './vox-process.ts'

/** What a binary can do, as tiny programs showed; nothing is assumed from a version number. */
export type VoxAbilities = {
  /** `check --output-format json` prints its array. */
  readonly jsonDiagnostics: boolean
  /** Where `check` writes the diagnostics of a wrong program when it writes text. */
  readonly diagnosticStream: 'stdout' | 'stderr' | 'both' | 'none'
  /** `// vox:caps none` on the first line denies reading a file. */
  readonly capsDirective: boolean
  /** `run --caps` is there and wins over a directive that grants more. */
  readonly capsFlag: boolean
  /** `run --max-steps N` ends a program that takes more. */
  readonly maxSteps: boolean
  /** `run --max-memory BYTES` is there. */
  readonly maxMemory: boolean
  /** How the value of `main` is printed at the end. */
  readonly finalValue: 'display' | 'debug' | 'none'
  /** `xs[i]` is an Option. */
  readonly indexingIsOption: boolean
  /** Two hundred nested calls work. */
  readonly recursion: boolean
  /** `xs.push(v)` as a statement changes `xs`. */
  readonly writeBack: boolean
  /** Exit code by which the command says that a program lies outside what it knows; null for a real vox. */
  readonly unsupportedExit: number | null
}

/** Steps a program may take: vox's own default, said aloud so that it is the same for every version. */
const STEPS = 10_000_000
/** A capability that grants nothing: named on the command line, it takes away what a directive in the program grants. */
const NO_CAPABILITY = 'process:none'

const LIMITS: EngineLimits = { wallMs: 30_000, outputBytes: 1_048_576, memoryBytes: 536_870_912 }

const HARMLESS = 'fn main() to str {\n    return "ok"\n}\n'
const MISTYPED = 'fn main() to str {\n    return nowhere_defined\n}\n'
const READING = 'fn main() to str {\n    let text = fs.read("program.vox")\n    print("after")\n    return "ok"\n}\n'
const COUNTING = `fn main() to str {
    let mut i = 0
    while i < 1000 {
        i = i + 1
    }
    return "ok"
}
`
const INDEXING = `fn main() to str {
    let xs: list[int] = [7]
    assert(xs[0].unwrap_or(0) is 7)
    assert(xs[5].is_none())
    return "ok"
}
`
const RECURSING = `fn down(n: int) to int {
    if n is 0 {
        return 0
    }
    return 1 + down(n - 1)
}

fn main() to str {
    assert(down(200) is 200)
    return "ok"
}
`
const WRITING_BACK = `fn main() to str {
    let mut xs: list[int] = []
    xs.push(7)
    assert(xs.len() is 1)
    return "ok"
}
`

/** Flags of `vox run` that hold a program to what was measured. */
export function runFlags(abilities: VoxAbilities, memoryBytes: number): readonly string[] {
  return [
    ...(abilities.capsFlag ? ['--caps', NO_CAPABILITY] : []),
    ...(abilities.maxSteps ? ['--max-steps', String(STEPS)] : []),
    ...(abilities.maxMemory ? ['--max-memory', String(memoryBytes)] : []),
  ]
}

/** Finds out what `vox` can do by running it on programs of a few lines. */
export async function probeAbilities(vox: VoxProcess, unsupportedExit: number | null): Promise<VoxAbilities> {
  const call = async (args: readonly string[], program: string) => {
    const { end, stdout, stderr } = await vox.call(args, program, LIMITS, 0)
    return { code: end.kind === 'exited' ? end.code : null, stdout, stderr }
  }
  const run = (program: string, ...flags: string[]) => call(['run', '--mode', 'interp', ...flags], program)
  const passes = async (program: string, ...flags: string[]) => {
    const { code, stdout } = await run(program, ...flags)
    return code === 0 && finalValueOf(stdout.lastLine) !== 'none'
  }
  /** Whether reading a file is stopped: softly with a notice (0.5.0), or by ending the program. */
  const denies = async (directive: string, ...flags: string[]) => {
    const { code, stdout, stderr } = await run(`${directive}\n${READING}`, ...flags)
    const isNoticed = /capability denied/i.test(keptText(stdout) + keptText(stderr))
    return code === 77 || isNoticed
  }
  const json = await call(['check', '--output-format', 'json'], HARMLESS)
  const wrong = await call(['check'], MISTYPED)
  return {
    jsonDiagnostics: json.code === 0 && json.stdout.head.trimStart().startsWith('['),
    diagnosticStream: streamOf(keptText(wrong.stdout), keptText(wrong.stderr)),
    capsDirective: await denies('// vox:caps none'),
    capsFlag:
      (await passes(HARMLESS, '--caps', NO_CAPABILITY)) && (await denies('// vox:caps fs', '--caps', NO_CAPABILITY)),
    maxSteps: (await passes(HARMLESS, '--max-steps', '1000')) && !(await passes(COUNTING, '--max-steps', '1000')),
    maxMemory: await passes(HARMLESS, '--max-memory', String(LIMITS.memoryBytes)),
    finalValue: finalValueOf((await run(HARMLESS)).stdout.lastLine),
    indexingIsOption: await passes(INDEXING),
    recursion: await passes(RECURSING),
    writeBack: await passes(WRITING_BACK),
    unsupportedExit,
  }
}

function finalValueOf(lastLine: string): VoxAbilities['finalValue'] {
  if (lastLine === 'ok') return 'display'
  return lastLine === 'Str("ok")' ? 'debug' : 'none'
}

function streamOf(stdout: string, stderr: string): VoxAbilities['diagnosticStream'] {
  const [onStdout, onStderr] = [stdout, stderr].map((text) => text.includes('nowhere_defined'))
  if (onStdout && onStderr) return 'both'
  return onStdout ? 'stdout' : onStderr ? 'stderr' : 'none'
}
