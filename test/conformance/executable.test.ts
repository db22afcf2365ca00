import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { check } from '../../src/language/check.ts'
import { buildEntry } from '../engine/built-worker.ts'
import { observe } from '../language/run-program.ts'

vi.setConfig({ testTimeout: 180_000 })

interface Program {
  readonly id: string
  readonly source: string
}

const EVERY = 20
const UNSUPPORTED_EXIT = 64

let executable = ''
let folder = ''
beforeAll(async () => {
  executable = await buildEntry('cli/vox-embedded.ts')
  folder = mkdtempSync(path.join(tmpdir(), 'vox-conformance-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A spread over the topics; programs that were observed with options of their own are left out. */
function samplePrograms(): readonly Program[] {
  const lines = readFileSync(path.join(import.meta.dirname, 'programs.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const programs: (Program & { readonly opts?: unknown })[] = lines.map((line) => JSON.parse(line))
  return programs.filter(({ opts }, at) => opts === undefined && at % EVERY === 0)
}

function call(args: readonly string[]): Promise<{ readonly exit: unknown; readonly stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [executable, ...args], (error, stdout) => resolve({ exit: error?.code ?? 0, stdout }))
  })
}

function expected({ source }: Program) {
  const checked = check(source)
  const { result, stdout } = observe(source)
  return {
    check: { accepted: 0, rejected: 1, unsupported: UNSUPPORTED_EXIT }[checked.kind],
    run: result.kind === 'exited' ? { exit: result.exit, stdout } : { exit: UNSUPPORTED_EXIT, stdout },
  }
}

test('programs end in a process as they do in the library', async () => {
  const programs = samplePrograms()
  expect(programs.length).toBeGreaterThan(35)
  for (const program of programs) {
    const file = path.join(folder, `${program.id}.vox`)
    writeFileSync(file, program.source)
    const [checked, ran] = await Promise.all([call(['check', file]), call(['run', '--mode', 'interp', file])])
    expect({ id: program.id, check: checked.exit, run: ran }).toEqual({ id: program.id, ...expected(program) })
  }
})
