import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JobEvent } from '../../src/action/event.ts'
import { createActionsExec } from '../../src/action/exec.ts'
import { createGitHubApi, type GitHubApi } from '../../src/action/github-api.ts'
import type { Job } from '../../src/action/job.ts'
import { withMergedBase } from '../../src/action/merged-base.ts'
import { sendJson, startServer } from '../models/loopback-server.ts'

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim()
}

function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'vox-merged-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const [TOLD, BASE, HEAD, MERGE] = ['a', 'c', 'b', 'd'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
  string,
]

/** A pull request off the first commit of main, which has a second one, and GitHub's merge of them. */
function mergeOnNewerBase() {
  const folder = emptyFolder()
  const commit = (file: string, ...more: string[]) => {
    writeFileSync(path.join(folder, file), file)
    git(folder, 'add', '.')
    git(folder, 'commit', '-qm', file, ...more)
    return git(folder, 'rev-parse', 'HEAD')
  }
  git(folder, 'init', '-q', '-b', 'main')
  const told = commit('first')
  const base = commit('newer')
  git(folder, 'checkout', '-qb', 'better', told)
  const head = commit('better')
  git(folder, 'checkout', '-q', 'main')
  // A line that reads like a header stands in the message.
  git(folder, 'merge', '-q', '--no-ff', '-m', `Merge\n\nparent ${'f'.repeat(40)}\n`, 'better')
  return { folder, told, base, head, merge: git(folder, 'rev-parse', 'HEAD') }
}

/** As actions/checkout does by default. */
function shallowCheckout(of: string): string {
  const folder = emptyFolder()
  git(folder, 'clone', '-q', '--depth=1', `file://${of}`, '.')
  return folder
}

const pull = (told: string, head: string): JobEvent => ({
  kind: 'pull-request',
  number: 7,
  base: { ref: 'main', sha: told },
  head: { ref: 'better', sha: head },
  isKeyless: false,
  commits: 1,
  createdAt: null,
})

async function baseIn(
  workspace: string,
  { event, commit, api = null }: { event: JobEvent; commit?: string; api?: GitHubApi | null },
) {
  const notes: string[] = []
  const env = { ...process.env, GITHUB_SHA: commit }
  const note = (text: string) => notes.push(text)
  const job = { event, keys: { env }, api, exec: createActionsExec(), workspace, note } as unknown as Job
  const resolved = await withMergedBase(job)
  return { base: 'base' in resolved ? resolved.base : null, notes }
}

async function playCommit(answer: object | null) {
  const server = await startServer((_request, response) =>
    sendJson(response, answer === null ? 404 : 200, answer ?? { message: 'Not Found' }),
  )
  const api = createGitHubApi({ url: server.origin, repository: 'acme/models', token: 'planted' })
  return { api, seen: server.seen }
}

test('the base is what the measured merge was made on, though the event tells an older one', async () => {
  const { folder, told, base, head, merge } = mergeOnNewerBase()
  for (const workspace of [folder, shallowCheckout(folder)]) {
    const resolved = await baseIn(workspace, { event: pull(told, head), commit: merge })
    expect(resolved.base).toEqual({ ref: 'main', sha: base })
    expect(resolved.notes.join()).toContain(`base: ${base.slice(0, 12)}`)
  }
})

test('a replacement of the merge in the checkout changes nothing', async () => {
  const { folder, told, base, head, merge } = mergeOnNewerBase()
  git(folder, 'replace', '--graft', merge, told, head)
  expect((await baseIn(folder, { event: pull(told, head), commit: merge })).base?.sha).toBe(base)
})

test('where the checkout lacks the merge, GitHub is asked', async () => {
  const { api, seen } = await playCommit({ parents: [{ sha: BASE }, { sha: HEAD }] })
  const resolved = await baseIn(emptyFolder(), { event: pull(TOLD, HEAD), commit: MERGE, api })
  expect(resolved.base?.sha).toBe(BASE)
  expect(seen.map(({ url }) => url)).toEqual([`/repos/acme/models/git/commits/${MERGE}`])
})

test.each<[string, string[]]>([
  ['a merge of another commit', [BASE, 'e'.repeat(40)]],
  ['a commit with one parent', [HEAD]],
  ['a merge of three', [BASE, HEAD, 'e'.repeat(40)]],
  ['a merge into the pull request', [HEAD, BASE]],
])('%s leaves the base as the event tells it', async (_name, parents) => {
  const { api } = await playCommit({ parents: parents.map((sha) => ({ sha })) })
  expect((await baseIn(emptyFolder(), { event: pull(TOLD, HEAD), commit: MERGE, api })).base?.sha).toBe(TOLD)
})

test.each<[string, object | null]>([
  ['does not know the commit', null],
  ['answers otherwise', { parents: [{ sha: '--output=x' }, { sha: HEAD }] }],
])('where GitHub %s either, the base is that of the event, and the log says so', async (_name, answer) => {
  const { api } = await playCommit(answer)
  const resolved = await baseIn(emptyFolder(), { event: pull(TOLD, HEAD), commit: MERGE, api })
  expect(resolved.base?.sha).toBe(TOLD)
  expect(resolved.notes.join()).toContain(`base: ${TOLD.slice(0, 12)}, as the event tells it`)
})

test('nobody is asked for what is no commit, nor of another event', async () => {
  const { api, seen } = await playCommit({ parents: [{ sha: BASE }, { sha: HEAD }] })
  const resolved = await baseIn(emptyFolder(), { event: pull(TOLD, HEAD), commit: '--output=x', api })
  expect(resolved.base?.sha).toBe(TOLD)
  await baseIn(emptyFolder(), { event: pull(TOLD, HEAD), api })
  await baseIn(emptyFolder(), { event: { kind: 'other', name: 'push' }, commit: MERGE, api })
  expect(seen).toEqual([])
})
