import { expect, test } from 'vitest'
import { smallCorpus } from '../sweep/small-corpus.ts'
import { type ActRun, createStorage } from './act-run.ts'
import { createConsumer, KEY, mensSweep, paidSweep, reportIn, startPaidModel, textIn } from './consumer.ts'
import { REPOSITORY_ID, startGitHub } from './github-server.ts'

/** Ids of the first `count` problems. */
const first = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1).padStart(3, '0'))

/** Six problems, of which nothing can be told. */
const small = () => ({ corpus: smallCorpus(6) })

interface Check {
  readonly baseFails: readonly string[]
  readonly headFails: readonly string[]
  /** Over the sweep file of the base. */
  readonly sweep?: object
  /** Files that the pull request changes besides. */
  readonly changed?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
  readonly cannotComment?: boolean
  readonly title?: string
}

/** main measures its checkpoint on push; then a pull request brings another one. */
async function checkPullRequest({
  baseFails,
  headFails,
  sweep,
  changed = {},
  variables = {},
  cannotComment = false,
  title = 'A checkpoint',
}: Check) {
  const weights = (fails: readonly string[]) => JSON.stringify({ fails })
  const consumer = createConsumer('mens-pr-check', 'push', {
    'mens-check.yml': mensSweep(sweep),
    'mens/runs/nova/checkpoint-1/weights.json': weights(baseFails),
  })
  const { repository } = consumer
  const github = await startGitHub((ancestor, sha) => {
    try {
      repository.git('merge-base', '--is-ancestor', ancestor, sha)
      return true
    } catch {
      return false
    }
  })
  if (cannotComment) github.refuseWriting()
  const storage = createStorage()
  const shared = { storage, variables, secrets: { GITHUB_TOKEN: 'token-of-the-job' } }
  const base = repository.git('rev-parse', 'HEAD')
  github.runs.push({ id: 70, event: 'push', branch: 'main', sha: base, artifacts: new Map() })
  const pushed = await consumer.run({ ...shared, env: { GITHUB_RUN_ID: '70', GITHUB_API_URL: github.url } })
  expect(pushed.code, pushed.log).toBe(0)
  github.runs[0] = { id: 70, event: 'push', branch: 'main', sha: base, artifacts: pushed.artifacts }

  repository.git('checkout', '--quiet', '-b', 'better')
  const head = repository.commit({ 'mens/runs/nova/checkpoint-2/weights.json': weights(headFails), ...changed })
  const payload = pullRequest({ base, head, title })
  const again = async (id: number): Promise<ActRun> => {
    github.runs.push({ id, event: 'pull_request', branch: 'better', sha: head, artifacts: new Map() })
    const env = { GITHUB_RUN_ID: String(id), GITHUB_API_URL: github.url }
    return consumer.run({ ...shared, event: 'pull_request', payload, env })
  }
  return { run: await again(71), github, again }
}

function pullRequest({
  base,
  head,
  title,
  headId = REPOSITORY_ID,
}: {
  base: string
  head: string
  title: string
  headId?: number
}) {
  const repo = (id: number) => ({
    id,
    full_name: id === REPOSITORY_ID ? 'acme/models' : 'stranger/models',
    fork: id !== REPOSITORY_ID,
  })
  return {
    action: 'synchronize',
    number: 7,
    pull_request: {
      number: 7,
      title,
      commits: 1,
      user: { login: 'someone' },
      base: { ref: 'main', sha: base, repo: repo(REPOSITORY_ID) },
      head: { ref: 'better', sha: head, repo: repo(headId) },
    },
    repository: repo(REPOSITORY_ID),
  }
}

test('a checkpoint that is worse fails the check, after everything is published', async () => {
  const { run, github } = await checkPullRequest({ baseFails: [], headFails: first(20) })
  expect(run.jobs[0], run.log).toMatchObject({ succeeded: false, outputs: { gate: 'regressed', complete: 'true' } })
  expect(JSON.parse(textIn(run, 'vox-efficacy-71-1', 'comparison.json'))).toMatchObject({
    outcome: 'regressed',
  })
  expect(reportIn(run, 'vox-efficacy-71-1').attempts).toHaveLength(40)
  expect(run.jobs[0]?.summaries.join('\n')).toMatch(/\bregressed\b/i)
  expect(run.jobs[0]?.annotations.filter((each) => each.startsWith('error')).length).toBeGreaterThan(0)
  expect(github.comments.map(({ body }) => body)).toEqual([expect.stringMatching(/\bregressed\b/i)])
})

test('a checkpoint that is as good passes the check', async () => {
  const variables = { VOX_EFFICACY_MARGIN: '0.15' }
  const { run } = await checkPullRequest({ baseFails: first(3), headFails: first(3), variables })
  expect(run.jobs[0], run.log).toMatchObject({ succeeded: true, outputs: { gate: 'not-detected' } })
})

test('problems that are too few pass the check and say that they cannot tell', async () => {
  const { run, github } = await checkPullRequest({ baseFails: [], headFails: first(1), sweep: small() })
  expect(run.jobs[0], run.log).toMatchObject({ succeeded: true, outputs: { gate: 'cannot-tell' } })
  expect(github.comments[0]?.body).toMatch(/cannot[ -]tell/i)
})

test('a second push updates the one comment', async () => {
  const { github, again } = await checkPullRequest({ baseFails: [], headFails: [], sweep: small() })
  expect((await again(72)).code).toBe(0)
  expect(github.comments).toHaveLength(1)
  expect(github.asked.filter((each) => each.startsWith('PATCH '))).toHaveLength(1)
})

test('a comment that GitHub forbids is a warning', async () => {
  const { run } = await checkPullRequest({
    baseFails: [],
    headFails: [],
    sweep: small(),
    cannotComment: true,
  })
  expect(run.jobs[0]?.succeeded, run.log).toBe(true)
  expect(run.jobs[0]?.annotations.join('\n')).toMatch(/^warning.*comment/m)
})

test('a pull request does not choose how it is judged', async () => {
  const changed = { 'mens-check.yml': mensSweep({ corpus: smallCorpus(1) }) }
  const { run } = await checkPullRequest({ baseFails: [], headFails: [], sweep: small(), changed })
  expect(reportIn(run, 'vox-efficacy-71-1').attempts).toHaveLength(6)
})

test('the title of a pull request is no command and no markup', async () => {
  const title = '::error::planted $(touch planted) <img src=x onerror=planted> @planted-team `planted`'
  const { run, github } = await checkPullRequest({ baseFails: [], headFails: [], sweep: small(), title })
  expect(run.jobs[0]?.annotations.join('\n')).not.toContain('planted')
  expect(run.jobs[0]?.summaries.join('\n') + github.comments.map(({ body }) => body).join('\n')).not.toMatch(
    /<img|@planted-team/,
  )
})

test('a fork, which gets no keys, is skipped with a notice, and corpus and references are still checked', async () => {
  const model = await startPaidModel({ fails: [] })
  const consumer = createConsumer('mens-pr-check', 'pull_request', { 'mens-check.yml': paidSweep(model) })
  const sha = consumer.repository.git('rev-parse', 'HEAD')
  const payload = pullRequest({ base: sha, head: sha, title: 'From a fork', headId: 99 })
  const run = await consumer.run({ payload, secrets: {} })
  expect(run.jobs[0], run.log).toMatchObject({ succeeded: true, outputs: { skipped: 'true' } })
  expect(run.jobs[0]?.annotations.join('\n')).toMatch(/^notice.*fork/im)
  expect(run.log).toMatch(/6 references and \d+ planted bad programs tried/)
  expect(model.asked).toEqual([])
})

test('pull_request_target with a key is refused', async () => {
  const model = await startPaidModel({ fails: [] })
  const consumer = createConsumer('scheduled-sweep', 'pull_request_target', { 'vox-efficacy.yml': paidSweep(model) })
  const { repository } = consumer
  const file = '.github/workflows/scheduled-sweep.yml'
  repository.commit({
    [file]: repository.git('show', `HEAD:${file}`).replace('  workflow_dispatch:', '  pull_request_target:'),
  })
  const sha = repository.git('rev-parse', 'HEAD')
  const run = await consumer.run({ payload: pullRequest({ base: sha, head: sha, title: 'x', headId: 99 }) })
  expect(run.code).not.toBe(0)
  expect(run.log).toContain('action/borrowed-event')
  expect(model.asked).toEqual([])
  expect(run.log).not.toContain(KEY)
})
