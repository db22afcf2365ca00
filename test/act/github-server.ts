import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface RunOnGitHub {
  readonly id: number
  readonly event: string
  readonly branch: string
  readonly sha: string
  /** Zip files by name. */
  readonly artifacts: ReadonlyMap<string, string>
  readonly repositoryId?: number
  /** `success` unless it says otherwise. */
  readonly conclusion?: 'success' | 'failure'
}

export interface GitHubServer {
  /** As GITHUB_API_URL has it. */
  readonly url: string
  /** Runs of the one workflow there is. */
  readonly runs: RunOnGitHub[]
  readonly comments: { id: number; body: string; user: { type: string; login: string } }[]
  /** What GitHub tells of the cache, whatever act's has. */
  readonly caches: { key: string; ref: string }[]
  /** Requests so far, such as `GET /repos/acme/models/issues/7/comments?per_page=100&page=1`, as they came. */
  readonly asked: string[]
  /** From now on what would write is answered with 403. */
  refuseWriting(): void
}

const WORKFLOW = 11
/** The repository all runs belong to, unless they say another. */
export const REPOSITORY_ID = 5

/**
 * The part of GitHub's REST API that a baseline, a comment and a book of the month need, on the loopback, until the test is over. `isAncestor` tells how commits
 * follow each other.
 */
export async function startGitHub(isAncestor: (ancestor: string, sha: string) => boolean): Promise<GitHubServer> {
  const runs: RunOnGitHub[] = []
  const comments: GitHubServer['comments'] = []
  const caches: GitHubServer['caches'] = []
  const asked: string[] = []
  let isWritable = true

  const toRun = ({ id, event, branch, sha, repositoryId = REPOSITORY_ID, conclusion = 'success' }: RunOnGitHub) => ({
    id,
    workflow_id: WORKFLOW,
    run_number: runs.findIndex((run) => run.id === id) + 1,
    event,
    conclusion,
    head_sha: sha,
    head_branch: branch,
    created_at: new Date().toISOString(),
    repository: { id: REPOSITORY_ID },
    head_repository: { id: repositoryId },
    html_url: '',
  })
  const listed = (run: RunOnGitHub) =>
    [...run.artifacts].map(([name, file], at) => ({
      id: run.id * 100 + at,
      name,
      expired: false,
      size_in_bytes: statSync(file).size,
      digest: `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`,
    }))

  async function answer(
    request: IncomingMessage,
    path: string,
    query: URLSearchParams,
  ): Promise<Buffer | object | null> {
    const [, run] = /^actions\/runs\/(\d+)(?:\/artifacts)?$/.exec(path) ?? []
    const found = runs.find(({ id }) => id === Number(run))
    if (found !== undefined) return path.endsWith('/artifacts') ? { artifacts: listed(found) } : toRun(found)
    if (path === `actions/workflows/${WORKFLOW}/runs`) {
      const wanted = ({ event, branch, conclusion = 'success' }: RunOnGitHub) =>
        event === (query.get('event') ?? event) &&
        branch === (query.get('branch') ?? branch) &&
        conclusion === (query.get('status') ?? conclusion)
      return { workflow_runs: runs.filter(wanted).map(toRun).reverse() }
    }
    if (path === '') return { id: REPOSITORY_ID, default_branch: 'main' }
    if (path === 'actions/cache/usage') return { active_caches_size_in_bytes: 0 }
    if (path === 'actions/caches') {
      const found = caches.filter(({ key }) => key.startsWith(query.get('key') ?? ''))
      return { total_count: found.length, actions_caches: found }
    }
    const [, zip] = /^actions\/artifacts\/(\d+)\/zip$/.exec(path) ?? []
    if (zip !== undefined) {
      const file = [...(runs.find(({ id }) => id === Math.floor(Number(zip) / 100))?.artifacts.values() ?? [])][
        Number(zip) % 100
      ]
      return file === undefined ? null : readFileSync(file)
    }
    const [, ancestor = '', sha = ''] = /^compare\/([0-9a-f]+)\.\.\.([0-9a-f]+)$/.exec(path) ?? []
    if (ancestor !== '') return { status: isAncestor(ancestor, sha) ? 'ahead' : 'diverged' }
    if (/^issues\/\d+\/comments$/.test(path) && request.method === 'GET') return comments
    const { body = '' } = request.method === 'GET' ? {} : ((await json(request)) as { body?: string })
    if (/^issues\/\d+\/comments$/.test(path)) {
      comments.push({ id: comments.length + 1, body, user: { type: 'Bot', login: 'github-actions[bot]' } })
      return comments.at(-1) ?? null
    }
    const comment = comments.find(({ id }) => path === `issues/comments/${id}`)
    if (comment !== undefined) comment.body = body
    return comment ?? null
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    asked.push(`${request.method} ${request.url}`)
    const send = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (request.method !== 'GET' && !isWritable)
      return void send(403, { message: 'Resource not accessible by integration' })
    const found = await answer(request, pathname.replace(/^\/repos\/[^/]+\/[^/]+\/?/, ''), searchParams)
    if (found === null) send(404, { message: 'Not Found' })
    else if (Buffer.isBuffer(found)) response.writeHead(200, { 'content-type': 'application/zip' }).end(found)
    else send(200, found)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(
    () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    runs,
    comments,
    caches,
    asked,
    refuseWriting() {
      isWritable = false
    },
  }
}
