import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../cli/cli-process.ts'
import { smallCorpus } from '../sweep/small-corpus.ts'
import { type ActRun, createStorage, temporaryFolder } from './act-run.ts'
import { createConsumer, KEY, mensSweep, paidSweep, reportIn, startPaidModel, textIn } from './consumer.ts'
import { REPOSITORY_ID, startGitHub } from './github-server.ts'

/** Ids of the first `count` problems. */
const first = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1).padStart(3, '0'))

/** Six problems, of which nothing can be told. */
const small = () => ({ corpus: smallCorpus(6) })

interface Check {
  readonly baseFails: readonly string[]
  /** Over the sweep file of the base. */
  readonly sweep?: object
  readonly variables?: Readonly<Record<string, string>>
  readonly cannotComment?: boolean
  /** What the pull request's branch is called on GitHub; here it is always `better`. */
  readonly branch?: string
}

/** The job that measures; before it one looks whether there is anything to measure. */
const checkOf = ({ jobs }: ActRun) => jobs.find(({ name }) => name === 'check')

type Files = Readonly<Record<string, string>>
const weights = (fails: readonly string[]) => JSON.stringify({ fails })

/** A repository with the check in it, beside a GitHub that knows its runs. Their ids count from 70. */
async function openCheck({ baseFails, sweep, variables = {}, cannotComment = false, branch = 'better' }: Check) {
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
  const shared = { storage: createStorage(), variables, secrets: { GITHUB_TOKEN: 'token-of-the-job' } }

  async function run(event: 'push' | 'pull_request' | 'schedule', on: string, payload?: object): Promise<ActRun> {
    const id = 70 + github.runs.length
    const started = { id, event, branch: on, sha: repository.git('rev-parse', 'HEAD'), artifacts: new Map() }
    const at = github.runs.push(started) - 1
    const env = { GITHUB_RUN_ID: String(id), GITHUB_API_URL: github.url }
    const ended = await consumer.run({ ...shared, event, env, ...(payload === undefined ? {} : { payload }) })
    const conclusion = ended.code === 0 ? 'success' : 'failure'
    github.runs[at] = { ...started, artifacts: ended.artifacts, conclusion }
    return ended
  }
  return {
    github,
    /** main gets a commit and measures its checkpoint. */
    async push(files: Files = {}): Promise<ActRun> {
      repository.commit(files)
      return run('push', 'main')
    },
    schedule: () => run('schedule', 'main'),
    /** A branch off main, or that branch again, gets a commit. */
    async pull(files: Files): Promise<ActRun> {
      const isNew = repository.git('branch', '--list', 'better') === ''
      repository.git('checkout', '--quiet', ...(isNew ? ['-b'] : []), 'better')
      const head = repository.commit(files)
      return run('pull_request', branch, pullRequest({ base: repository.git('rev-parse', 'main'), head, ref: branch }))
    },
  }
}

/** main measures its checkpoint on push; then a pull request brings another one, and `changed` besides. */
async function checkPullRequest({
  headFails,
  changed = {},
  ...check
}: Check & { readonly headFails: readonly string[]; readonly changed?: Files }) {
  const opened = await openCheck(check)
  const pushed = await opened.push()
  expect(pushed.code, pushed.log).toBe(0)
  return { ...opened, run: await opened.pull({ ...checkpoint(2, headFails), ...changed }) }
}

const checkpoint = (step: number, fails: readonly string[]): Files => ({
  [`mens/runs/nova/checkpoint-${step}/weights.json`]: weights(fails),
})

function pullRequest({
  base,
  head,
  ref = 'better',
  headId = REPOSITORY_ID,
}: {
  base: string
  head: string
  ref?: string
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
      title: 'A checkpoint',
      commits: 1,
      user: { login: 'someone' },
      base: { ref: 'main', sha: base, repo: repo(REPOSITORY_ID) },
      head: { ref, sha: head, repo: repo(headId) },
    },
    repository: repo(REPOSITORY_ID),
  }
}

test('a checkpoint that is worse fails the check, after everything is published', async () => {
  const { run, github } = await checkPullRequest({ baseFails: [], headFails: first(20) })
  expect(checkOf(run), run.log).toMatchObject({ succeeded: false, outputs: { gate: 'regressed', complete: 'true' } })
  expect(JSON.parse(textIn(run, 'vox-efficacy-71-1', 'comparison.json'))).toMatchObject({
    outcome: 'regressed',
  })
  expect(reportIn(run, 'vox-efficacy-71-1').attempts).toHaveLength(40)
  expect(checkOf(run)?.summaries.join('\n')).toMatch(/\bregressed\b/i)
  expect(checkOf(run)?.annotations.filter((each) => each.startsWith('error')).length).toBeGreaterThan(0)
  expect(github.comments.map(({ body }) => body)).toEqual([expect.stringMatching(/\bregressed\b/i)])
})

test('a checkpoint that is as good passes the check', async () => {
  const variables = { VOX_EFFICACY_MARGIN: '0.15' }
  const { run } = await checkPullRequest({ baseFails: first(3), headFails: first(3), variables })
  expect(checkOf(run), run.log).toMatchObject({ succeeded: true, outputs: { gate: 'not-detected' } })
})

test('problems that are too few pass the check and say that they cannot tell', async () => {
  const { run, github } = await checkPullRequest({ baseFails: [], headFails: first(1), sweep: small() })
  expect(checkOf(run), run.log).toMatchObject({ succeeded: true, outputs: { gate: 'cannot-tell' } })
  expect(github.comments[0]?.body).toMatch(/cannot[ -]tell/i)
})

test('a second push updates the one comment, and is the second look', async () => {
  const { github, pull } = await checkPullRequest({ baseFails: [], headFails: [], sweep: small() })
  expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('This is push 1 (j = 1)')])
  const second = await pull(checkpoint(3, []))
  expect(second.code, second.log).toBe(0)
  expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('This is push 2 (j = 2)')])
  expect(checkOf(second)?.summaries.join('\n')).toContain('This is push 2 (j = 2)')
  expect(github.asked.filter((each) => each.startsWith('PATCH '))).toHaveLength(1)
})

test('main under another corpus is measured all the same, and is the next baseline', async () => {
  const { github, push, pull } = await openCheck({ baseFails: [], sweep: small() })
  expect((await push()).code).toBe(0)
  const moved = await push({ 'mens-check.yml': mensSweep({ corpus: smallCorpus(4) }) })
  expect(checkOf(moved), moved.log).toMatchObject({ succeeded: true, outputs: { gate: 'none', complete: 'true' } })
  const run = await pull(checkpoint(2, []))
  expect(checkOf(run), run.log).toMatchObject({ succeeded: true, outputs: { gate: 'cannot-tell' } })
  expect(run.log).toContain('baseline: run 71 (push)')
  expect(github.asked.filter((each) => each.includes('/artifacts?'))).toEqual([expect.stringContaining('/runs/71/')])
})

test('a scheduled run renews the baseline where nothing was pushed', async () => {
  const { push, schedule, pull } = await openCheck({ baseFails: [], sweep: small() })
  expect((await push()).code).toBe(0)
  const renewed = await schedule()
  expect(checkOf(renewed), renewed.log).toMatchObject({ succeeded: true, outputs: { gate: 'none' } })
  expect((await pull(checkpoint(2, []))).log).toContain('baseline: run 71 (schedule)')
})

test('a pull request that changes nothing of MENS passes unmeasured', async () => {
  const { push, pull } = await openCheck({ baseFails: [], sweep: small() })
  expect((await push()).code).toBe(0)
  const run = await pull({ 'README.md': 'Of something else.' })
  expect(run.code, run.log).toBe(0)
  expect(
    run.jobs.map(({ name, succeeded }) => [name, succeeded]),
    run.log,
  ).toContainEqual(['changes', true])
  expect(checkOf(run)?.succeeded ?? null).toBe(null)
  expect(run.artifacts.size).toBe(0)
})

test('a comparison beside a sweep has an artifact of its own, and is no baseline', async () => {
  const { github, push, pull } = await openCheck({ baseFails: [], sweep: small() })
  const file = '.github/workflows/mens-pr-check.yml'
  const compare = `      - uses: OWNER/vox-efficacy@v1
        with: { mode: compare, config: mens-check.yml, report: out/report.json, baseline: auto, output: compared, comment: false }
`
  const text = readFileSync(path.join(repository, 'examples/workflows/mens-pr-check.yml'), 'utf8')
  const pushed = await push({ [file]: text + compare })
  expect(pushed.code, pushed.log).toBe(0)
  const run = await pull(checkpoint(2, []))
  expect(run.code, run.log).toBe(0)
  for (const [{ artifacts }, id] of [[pushed, 70] as const, [run, 71] as const]) {
    const [whole, comparison] = [`vox-efficacy-${id}-1`, `vox-efficacy-${id}-1-compare`]
    expect([...artifacts.keys()].sort()).toEqual([whole, comparison, `${whole}.html`].sort())
  }
  const { outcome, base } = JSON.parse(textIn(run, 'vox-efficacy-71-1-compare', 'comparison.json'))
  expect([outcome, base !== null]).toEqual(['cannot-tell', true])
  const origin = `Baseline: run 70 (push) of \`${github.runs[0]?.sha.slice(0, 7)}\`.`
  expect(checkOf(run)?.summaries.map((each) => each.split(origin).length - 1)).toEqual([1, 1])
  expect(github.comments[0]?.body).toContain(origin)
})

test('a comment that GitHub forbids is a warning', async () => {
  const { run } = await checkPullRequest({
    baseFails: [],
    headFails: [],
    sweep: small(),
    cannotComment: true,
  })
  expect(checkOf(run)?.succeeded, run.log).toBe(true)
  expect(checkOf(run)?.annotations.join('\n')).toMatch(/^warning.*comment/m)
})

test('a pull request does not choose how it is judged', async () => {
  const changed = { 'mens-check.yml': mensSweep({ corpus: smallCorpus(1) }) }
  const { run } = await checkPullRequest({ baseFails: [], headFails: [], sweep: small(), changed })
  expect(reportIn(run, 'vox-efficacy-71-1').attempts).toHaveLength(6)
})

test('the name of the branch is no command, no markup and no other address', async () => {
  const file = path.join(temporaryFolder(), 'sneaked')
  const touch = `touch\${IFS}${file}`
  // What git allows, and behind it what only an event could hold.
  const branch = `fix/$(${touch})\`${touch}\`;${touch};'"|${touch}&per_page=0#%0A<img/src=x/onerror=sneaked()>@sneaked-team\n::error::sneaked\n::set-output name=gate::sneaked`
  const { run, github } = await checkPullRequest({ baseFails: [], headFails: [], sweep: small(), branch })
  expect(checkOf(run), run.log).toMatchObject({ succeeded: true, outputs: { gate: 'cannot-tell' } })
  expect(existsSync(file)).toBe(false)
  expect(checkOf(run)?.annotations.join('\n')).not.toContain('sneaked')
  const [body = ''] = github.comments.map((each) => each.body)
  expect((checkOf(run)?.summaries.join('\n') ?? '') + body).not.toContain('sneaked')
  expect(body).toContain('(j = 1)')
  const queries = github.asked.map((each) => new URL(each.replace(/^\w+ /, ''), github.url).searchParams)
  const counting = queries.filter((query) => query.get('event') === 'pull_request')
  expect(counting.map((query) => query.get('branch'))).toEqual([branch])
})

test('a fork, which gets no keys, is skipped with a notice, and corpus and references are still checked', async () => {
  const model = await startPaidModel({ fails: [] })
  const consumer = createConsumer('mens-pr-check', 'pull_request', { 'mens-check.yml': paidSweep(model) })
  const sha = consumer.repository.git('rev-parse', 'HEAD')
  const payload = pullRequest({ base: sha, head: sha, headId: 99 })
  const run = await consumer.run({ payload, secrets: {} })
  expect(checkOf(run), run.log).toMatchObject({ succeeded: true, outputs: { skipped: 'true' } })
  expect(checkOf(run)?.annotations.join('\n')).toMatch(/^notice.*fork/im)
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
  const run = await consumer.run({ payload: pullRequest({ base: sha, head: sha, headId: 99 }) })
  expect(run.code).not.toBe(0)
  expect(run.log).toContain('action/borrowed-event')
  expect(model.asked).toEqual([])
  expect(run.log).not.toContain(KEY)
})
