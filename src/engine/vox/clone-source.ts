import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import { buildEnvironment } from './build-environment.ts'
import { isDiskFull } from './build-failure.ts'
import { shortHash } from './cache-key.ts'
import { noRoom } from './disk-space.ts'
import { ownName, removeLeftovers, whileThere } from './leftovers.ts'
import { hideKeys, isLoopback, isShortForm, publicPart } from './remote-location.ts'
import type { VoxDeps } from './vox-request.ts'

/**
 * One commit of a repository in a folder of the work folder; one that is there already is used again. A token in VOX_SOURCE_TOKEN goes
 * to the origin of `url` alone, and to git by its environment.
 * @throws BenchError `vox/bad-source-url`, `vox/bad-ref`, `vox/git-missing`, `infra/vox-clone`
 */
export async function cloneSource(url: string, ref: string | undefined, deps: VoxDeps): Promise<string> {
  const origin = checkUrl(url)
  if (ref !== undefined && !/^[\w][\w./+-]*$/.test(ref)) throw badRef(ref, 'it cannot name a branch, tag or commit')
  const token = deps.env.VOX_SOURCE_TOKEN ?? ''
  const env = gitEnvironment(deps.env, origin, token)
  const root = path.join(deps.workFolder, 'sources', shortHash(url, 12))
  await mkdir(root, { recursive: true })
  await removeLeftovers(root, 'fetching')
  const folder = path.join(root, ownName('fetching'))

  async function git(...args: string[]): Promise<string> {
    const command = ['git', '-c', 'core.hooksPath=/dev/null', ...protocols(origin), ...args]
    const result = await deps.exec.run(command, { cwd: folder, env })
    if (result.kind === 'exited' && result.code === 0) return result.stdout
    if (result.kind === 'not-found') throw gitMissing()
    if (isDiskFull(result.stderr)) throw noRoom(root)
    throw cloneFailure(url, ref, withoutToken(result.stderr, token), token !== '')
  }

  return await whileThere(folder, async () => {
    await mkdir(folder)
    deps.log(`vox: fetching ${publicPart(url)}${ref === undefined ? '' : ` at ${ref}`}`)
    await git('init', '--quiet')
    await git('fetch', '--quiet', '--depth', '1', '--no-tags', url, ref ?? 'HEAD')
    const commit = (await git('rev-parse', 'FETCH_HEAD^{commit}')).trim()
    const place = path.join(root, commit)
    if (!existsSync(place)) {
      await git('checkout', '--quiet', '--detach', commit)
      await rename(folder, place).catch((error: NodeJS.ErrnoException) => {
        // Another process was faster with the same commit.
        if (!existsSync(place)) throw error
      })
    }
    return place
  })
}

/** The origin that a token may go to; null where none is sent. */
function checkUrl(url: string): string | null {
  if (isShortForm(url)) return null
  const parsed = URL.canParse(url) ? new URL(url) : null
  switch (parsed?.protocol) {
    case 'https:':
      return parsed.origin
    case 'http:':
      if (isLoopback(parsed)) return parsed.origin
      break
    case 'ssh:':
    case 'file:':
      return null
  }
  throw new BenchError({
    code: 'vox/bad-source-url',
    message: `vox is not fetched from ${publicPart(url)}: only https, ssh and file URLs are.`,
    hint: 'Give an https or ssh URL of the repository, or a folder.',
  })
}

/** Git knows more protocols, some of which run commands. */
function protocols(origin: string | null): string[] {
  const allowed = ['https', 'ssh', 'file', ...(origin?.startsWith('http:') ? ['http'] : [])]
  return ['-c', 'protocol.allow=never', ...allowed.flatMap((name) => ['-c', `protocol.${name}.allow=always`])]
}

function gitEnvironment(env: NodeJS.ProcessEnv, origin: string | null, token: string): Record<string, string> {
  return {
    ...buildEnvironment(env),
    ...(env.SSH_AUTH_SOCK === undefined ? {} : { SSH_AUTH_SOCK: env.SSH_AUTH_SOCK }),
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    GIT_LFS_SKIP_SMUDGE: '1',
    ...(origin === null || token === ''
      ? {}
      : {
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: `http.${origin}/.extraheader`,
          GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials(token)}`,
        }),
  }
}

/** A token as a header carries it. */
function credentials(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString('base64')
}

/** The words of git, which shows what a server answers: that may be the token as it is, or the header it was sent in. */
function withoutToken(text: string, token: string): string {
  return token === '' ? text : text.replaceAll(token, '***').replaceAll(credentials(token), '***')
}

export function badRef(ref: string, why: string): BenchError {
  return new BenchError({
    code: 'vox/bad-ref',
    message: `the ref "${ref}" of the source of vox cannot be used: ${why}.`,
    hint: 'Give a branch, a tag, or the 40 digits of a commit, with the URL of a repository.',
  })
}

function gitMissing(): BenchError {
  return new BenchError({
    code: 'vox/git-missing',
    message: 'the source of vox cannot be fetched: there is no git on PATH.',
    hint: 'Install git, or give a folder with the source.',
  })
}

function cloneFailure(url: string, ref: string | undefined, stderr: string, hasToken: boolean): BenchError {
  const isUnknownRef = /couldn't find remote ref|not our ref/.test(stderr)
  return new BenchError({
    code: isUnknownRef ? 'vox/bad-ref' : 'infra/vox-clone',
    message: `vox could not be fetched from ${publicPart(url)} at ${ref ?? 'HEAD'}: ${hideKeys(stderr.trim(), url)}`,
    hint: isUnknownRef
      ? 'Give a branch, a tag, or the 40 digits of a commit that the repository has.'
      : hasToken
        ? 'Check the URL, the network, and that the token in VOX_SOURCE_TOKEN may read the repository.'
        : 'Check the URL and the network; a private repository needs a token in VOX_SOURCE_TOKEN.',
  })
}
