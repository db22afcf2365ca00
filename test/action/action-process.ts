import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { onTestFinished } from 'vitest'
import { repository, startNode } from '../cli/cli-process.ts'

/** Bundles the action from the sources of today into a fresh folder, and gives the file that the runner would start. */
export async function buildAction(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-built-action-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const bundle = await rolldown({
    cwd: repository,
    input: { action: 'src/action/main.ts', 'embedded-worker': 'src/engine/embedded-worker.ts' },
    platform: 'node',
  })
  const dist = path.join(folder, 'dist')
  await bundle.write({ dir: dist, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(path.join(repository, 'corpus'), path.join(folder, 'corpus'))
  return path.join(dist, 'action.js')
}

export interface Workspace {
  readonly folder: string
  write(name: string, text: string): string
  read(name: string): string
}

/** A workspace that is gone after the test. */
export function createWorkspace(): Workspace {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-action-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'work'))
  const inWork = (name: string) => path.join(folder, 'work', name)
  return {
    folder,
    write(name, text) {
      mkdirSync(path.dirname(inWork(name)), { recursive: true })
      writeFileSync(inWork(name), text)
      return inWork(name)
    },
    read: (name) => readFileSync(inWork(name), 'utf8'),
  }
}

export interface StepOptions {
  readonly inputs: Readonly<Record<string, string>>
  readonly event?: { readonly name: string; readonly payload: object }
  readonly env?: Record<string, string>
}

export interface StepResult {
  readonly code: number | null
  readonly log: string
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
}

/** Starts the action as a runner does: inputs in the environment, files for outputs and the summary. */
export function startStep(action: string, { folder }: Workspace, { inputs, event, env }: StepOptions) {
  const file = (name: string, text = '') => {
    const at = path.join(folder, name)
    writeFileSync(at, text)
    return at
  }
  const files = { outputs: file('outputs'), summary: file('summary.md') }
  mkdirSync(path.join(folder, 'temp'), { recursive: true })
  const { child, result } = startNode([action], {
    cwd: path.join(folder, 'work'),
    env: {
      GITHUB_WORKSPACE: path.join(folder, 'work'),
      RUNNER_TEMP: path.join(folder, 'temp'),
      GITHUB_OUTPUT: files.outputs,
      GITHUB_STEP_SUMMARY: files.summary,
      GITHUB_EVENT_NAME: event?.name ?? 'push',
      GITHUB_EVENT_PATH: file('event.json', JSON.stringify(event?.payload ?? {})),
      GITHUB_REPOSITORY: 'acme/models',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_RUN_ID: '77',
      GITHUB_RUN_ATTEMPT: '1',
      // Nowhere: a test that asks GitHub names its own.
      GITHUB_API_URL: 'http://127.0.0.1:9',
      ...env,
      ...Object.fromEntries(Object.entries(inputs).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text])),
    },
  })
  const step = result.then(
    ({ code, stdout, stderr }): StepResult => ({
      code,
      log: stdout + stderr,
      outputs: readOutputs(readFileSync(files.outputs, 'utf8')),
      summary: readFileSync(files.summary, 'utf8'),
    }),
  )
  return { child, result: step }
}

export const runStep = (...args: Parameters<typeof startStep>) => startStep(...args).result

/** Outputs as the runner reads them: a name, a mark, lines, the mark. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const [name = '', mark] = lines[at]?.split('<<') ?? []
    if (mark === undefined) continue
    const end = lines.indexOf(mark, at + 1)
    outputs[name] = lines.slice(at + 1, end).join('\n')
    at = end
  }
  return outputs
}

/** The event of a pull request; from a fork where `headRepository` is another. */
export function pullRequest(
  more: { headRepository?: number; baseSha?: string; headSha?: string; title?: string; headRef?: string } = {},
) {
  const { headRepository = 5, baseSha = 'a'.repeat(40), headSha = 'b'.repeat(40) } = more
  const { title = 'A checkpoint', headRef = 'next' } = more
  return {
    name: 'pull_request',
    payload: {
      pull_request: {
        number: 7,
        title,
        commits: 2,
        user: { login: 'somebody' },
        base: { ref: 'main', sha: baseSha, repo: { id: 5 } },
        head: { ref: headRef, sha: headSha, repo: { id: headRepository } },
      },
    },
  }
}
