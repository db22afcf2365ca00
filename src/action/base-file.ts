import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import type { Exec } from '../engine/ports.ts'
import { buildEnvironment } from '../engine/vox/build-environment.ts'
import { isInside } from '../is-inside.ts'
import { baseOf } from './event.ts'
import type { GitHubApi } from './github-api.ts'
import type { Job } from './job.ts'

export interface BaseFileDeps {
  readonly exec: Exec
  readonly env: NodeJS.ProcessEnv
  /** Null without a token. */
  readonly api: GitHubApi | null
  readonly workspace: string
  /** Commit of the base of a pull request; null for any other event. */
  readonly baseSha: string | null
}

/** Those of a job. */
export function baseFileDeps({ exec, keys, api, workspace, event }: Job): BaseFileDeps {
  return { exec, env: keys.env, api, workspace, baseSha: baseOf(event)?.sha ?? null }
}

export interface TrustedFile {
  readonly text: string
  /** True where the pull request has it otherwise, which was not read. */
  readonly isChanged: boolean
}

/**
 * A file that decides what is measured, or what with. On a pull request one of the workspace is taken as the base has it:
 * what is judged must not choose how.
 * @throws BenchError `action/not-in-base` where the base does not have it, or nobody can tell what it has; `usage/unreadable`.
 */
export async function readTrustedFile(file: string, maxBytes: number, deps: BaseFileDeps): Promise<TrustedFile> {
  const absolute = path.resolve(deps.workspace, file)
  const here = await readHere(absolute, maxBytes)
  if (deps.baseSha === null || !isInside(absolute, deps.workspace)) {
    if (here === null) throw unreadable(file)
    return { text: here, isChanged: false }
  }
  const relative = path.relative(deps.workspace, absolute).split(path.sep).join('/')
  const text = (await readByGit(relative, deps)) ?? (await readByApi(relative, maxBytes, deps))
  if (text !== null && Buffer.byteLength(text) <= maxBytes) return { text, isChanged: text !== here }
  throw new BenchError({
    code: 'action/not-in-base',
    message: `${file} cannot be read as the base of the pull request (${deps.baseSha.slice(0, 12)}) has it, and the pull request's own is not taken.`,
    hint: 'Merge the file first. If the base has it, check out with "fetch-depth: 0", or give the token "contents: read".',
  })
}

async function readHere(file: string, maxBytes: number): Promise<string | null> {
  try {
    const stats = await stat(file)
    return stats.isFile() && stats.size <= maxBytes ? await readFile(file, 'utf8') : null
  } catch {
    return null
  }
}

async function readByGit(relative: string, deps: BaseFileDeps): Promise<string | null> {
  return isCommit(deps.baseSha) ? askGit(['show', ...PLAIN, `${deps.baseSha}:${relative}`], deps) : null
}

/**
 * Of files and folders in the workspace, the files that a pull request has otherwise than its base; null where git cannot tell,
 * as in a checkout that has the newest commit only. Of any other event none.
 */
export async function listChanged(paths: readonly string[], deps: BaseFileDeps): Promise<string[] | null> {
  const inside = paths
    .map((each) => path.resolve(deps.workspace, each))
    .filter((each) => isInside(each, deps.workspace))
  if (deps.baseSha === null || inside.length === 0) return []
  if (!isCommit(deps.baseSha)) return null
  const listed = await askGit(['diff', '--name-only', '-z', ...PLAIN, `${deps.baseSha}`, '--', ...inside], deps)
  return listed === null ? null : listed.split('\0').filter((name) => name !== '')
}

/** Nothing of the repository's own configuration may run a program. */
const PLAIN = ['--no-textconv', '--no-ext-diff']

const MOST_CHARACTERS = 10_000

/** Whether it is a commit, and no option of git, whoever told it. */
export function isCommit(sha: string | null): boolean {
  return /^[0-9a-f]{40,64}$/.test(sha ?? '')
}

/** What git writes; null where it fails. */
export async function askGit(args: readonly string[], { exec, env, workspace }: BaseFileDeps): Promise<string | null> {
  // The toolkit ends this process for what a system does not take.
  if (args.some((arg) => arg.includes('\0') || arg.length > MOST_CHARACTERS)) return null
  const result = await exec
    .run(['git', '-c', `safe.directory=${workspace}`, ...args], {
      cwd: workspace,
      env: { ...buildEnvironment(env), GIT_TERMINAL_PROMPT: '0' },
    })
    .catch(() => null)
  return result?.kind === 'exited' && result.code === 0 ? result.stdout : null
}

async function readByApi(relative: string, maxBytes: number, { api, baseSha }: BaseFileDeps): Promise<string | null> {
  if (api === null) return null
  const where = `contents/${relative.split('/').map(encodeURIComponent).join('/')}?ref=${encodeURIComponent(baseSha ?? '')}`
  const result = await api.download(where, maxBytes, 'application/vnd.github.raw+json')
  return result.kind === 'ok' ? result.value.toString('utf8') : null
}

function unreadable(file: string): BenchError {
  return new BenchError({
    code: 'usage/unreadable',
    message: `${file} cannot be read: it is no file, or too long.`,
    hint: 'Check the path; it is taken from the workspace. Was the repository checked out?',
  })
}
