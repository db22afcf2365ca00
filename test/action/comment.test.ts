import { beforeAll, expect, test, vi } from 'vitest'
import { markerOf, writeComment } from '../../src/action/comment.ts'
import { buildAction, createWorkspace, pullRequest, runStep } from './action-process.ts'
import { type Comment, playGitHub } from './github-server.ts'

vi.setConfig({ testTimeout: 60_000 })

let action: string
beforeAll(async () => {
  action = await buildAction()
}, 120_000)

const WORKFLOW = 'acme/models/.github/workflows/check.yml'

/** The comment of a job in a run of that number. */
const of = (number: number, { key = 'job', attempt = 1, workflow = WORKFLOW } = {}) => ({
  ...{ key, run: { number, attempt, workflow } },
})

/** What people see of them. */
const words = (comments: readonly Comment[]) => comments.map(({ body }) => body.replace(/^(<!--.*-->\n)*/, '').trim())

test('the first comment is written, and then updated in place', async () => {
  const { api, comments } = await playGitHub([])
  expect(await writeComment(api, 7, of(1), 'first')).toEqual({ kind: 'written', isNew: true })
  expect(await writeComment(api, 7, of(1), 'second')).toEqual({ kind: 'written', isNew: false })
  expect(words(comments)).toEqual(['second'])
})

test("with the token of a person their own comment is updated, and nobody else's", async () => {
  const foreign = { id: 1, user: { id: 3, type: 'User' }, body: `${markerOf('job')}\nquoted` }
  const { api, comments } = await playGitHub([], { self: 4, comments: [foreign] })
  await writeComment(api, 7, of(1), 'first')
  await writeComment(api, 7, of(1), 'second')
  expect(words(comments)).toEqual(['quoted', 'second'])
})

test('another job has a comment of its own', async () => {
  const { api, comments } = await playGitHub([])
  await writeComment(api, 7, of(1, { key: 'one' }), 'text')
  await writeComment(api, 7, of(1, { key: 'other' }), 'text')
  expect(comments).toHaveLength(2)
})

test.each([
  ['a person', { id: 1, user: { type: 'User' }, body: `${markerOf('job')}\nquoted` }],
  ['a bot that quotes it further down', { id: 1, user: { type: 'Bot' }, body: `> ${markerOf('job')}` }],
])('a comment of %s is left alone', async (_name, comment) => {
  const { api, comments } = await playGitHub([], { comments: [{ ...comment }] })
  await writeComment(api, 7, of(1), 'text')
  expect(comments).toHaveLength(2)
  expect(comments[0]?.body).toBe(comment.body)
})

test('a refusal is told, not thrown', async () => {
  const { api } = await playGitHub([], { refuses: () => 403 })
  expect(await writeComment(api, 7, of(1), 'text')).toEqual({ kind: 'failed', why: 'GitHub answers 403: played' })
})

test('what may have been written is not written twice', async () => {
  const { api, seen } = await playGitHub([], { refuses: (_path, number) => (number > 1 ? 502 : null) })
  await writeComment(api, 7, of(1), 'text')
  expect(seen).toHaveLength(2)
})

test('the comment of a newer run is not written over, and that of the same or an older one is', async () => {
  const { api, comments } = await playGitHub([])
  await writeComment(api, 7, of(12), 'push 2')
  expect(await writeComment(api, 7, of(11, { attempt: 2 }), 'push 1')).toEqual({ kind: 'outdated', by: 12 })
  expect(words(comments)).toEqual(['push 2'])
  await writeComment(api, 7, of(12, { attempt: 2 }), 'push 2 again')
  expect(await writeComment(api, 7, of(12), 'push 2')).toEqual({ kind: 'outdated', by: 12 })
  expect(words(comments)).toEqual(['push 2 again'])
  await writeComment(api, 7, of(100), 'push 3')
  expect(words(comments)).toEqual(['push 3'])
})

test('a comment of an older version, which names no run, is written over', async () => {
  const old = { id: 1, user: { type: 'Bot' }, body: `${markerOf('job')}\n# A report\n` }
  const { api, comments } = await playGitHub([], { comments: [old] })
  expect(await writeComment(api, 7, of(1), 'new')).toEqual({ kind: 'written', isNew: false })
  expect(words(comments)).toEqual(['new'])
})

test('the runs of a workflow file that was renamed are counted anew, and written all the same', async () => {
  const { api, comments } = await playGitHub([])
  await writeComment(api, 7, of(120), 'before')
  await writeComment(api, 7, of(1, { workflow: `${WORKFLOW}.yaml` }), 'after')
  expect(words(comments)).toEqual(['after'])
})

test.each([
  { writer: 13, result: { kind: 'written', isNew: false }, left: 'push 13' },
  { writer: 11, result: { kind: 'outdated', by: 12 }, left: 'push 12' },
])('of comments that runs posted at once only the newest stays, as run $writer writes', async (each) => {
  const { api, comments } = await playGitHub([])
  for (const number of [12, 11]) await writeComment(api, 7, of(number, { key: `job ${number}` }), `push ${number}`)
  for (const comment of comments) comment.body = comment.body.replace(/^.*/, markerOf('job'))
  expect(await writeComment(api, 7, of(each.writer), `push ${each.writer}`)).toEqual(each.result)
  expect(words(comments)).toEqual([each.left, expect.stringMatching(/^This is out of date/)])
})

test('a run that posts while another does leaves one comment', async () => {
  const comments: Comment[] = []
  const played = await playGitHub([], {
    comments,
    refuses(path, number) {
      // Between the look of run 11 and its post.
      if (path === 'issues/7/comments' && number === 2) comments.push({ id: 5, user: { type: 'Bot' }, body: newer })
      return null
    },
  })
  const other = await playGitHub([])
  await writeComment(other.api, 7, of(12), 'push 2')
  const newer = other.comments[0]?.body ?? ''
  await writeComment(played.api, 7, of(11), 'push 1')
  expect(words(comments)).toEqual(['push 2', expect.stringMatching(/^This is out of date/)])
})

test('a step tells of its run and commit, and leaves the comment of a newer run alone, also where it fails', async () => {
  const played = await playGitHub([])
  const workspace = createWorkspace()
  workspace.write('script.yml', 'rules: [{ fixture: "001", answer: I cannot. }]')
  const inputs = { engine: 'embedded', script: 'script.yml', fixtures: '001', 'github-token': 'token-of-the-job' }
  const step = (number: string, more: Record<string, string> = {}) =>
    runStep(action, workspace, {
      inputs: { ...inputs, ...more },
      event: pullRequest(),
      env: { GITHUB_API_URL: played.url, GITHUB_RUN_NUMBER: number },
    })
  const broken = { baseline: 'same-run' }
  const first = await step('12')
  expect(first.log).toContain('comment: written')
  expect(words(played.comments)).toEqual([expect.stringMatching(/Writing Vox[\s\S]*\nRun 12 of bbbbbbb\.$/)])
  for (const more of [{}, broken]) {
    const older = await step('11', more)
    expect(older.log).toContain('comment: not written, since run 12 has written a newer one')
    expect(words(played.comments)).toEqual([expect.stringMatching(/Run 12 of bbbbbbb\.$/)])
  }
  await step('13', broken)
  expect(words(played.comments)).toEqual([expect.stringMatching(/^## Failed[\s\S]*\nRun 13 of bbbbbbb\.$/)])
})
