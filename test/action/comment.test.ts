import { expect, test } from 'vitest'
import { markerOf, writeComment } from '../../src/action/comment.ts'
import { playGitHub } from './github-server.ts'

test('the first comment is written, and then updated in place', async () => {
  const { api, comments } = await playGitHub([])
  expect(await writeComment(api, 7, 'job', 'first')).toEqual({ kind: 'written', isNew: true })
  expect(await writeComment(api, 7, 'job', 'second')).toEqual({ kind: 'written', isNew: false })
  expect(comments.map(({ body }) => body)).toEqual([`${markerOf('job')}\nsecond`])
})

test("with the token of a person their own comment is updated, and nobody else's", async () => {
  const foreign = { id: 1, user: { id: 3, type: 'User' }, body: `${markerOf('job')}\nquoted` }
  const { api, comments } = await playGitHub([], { self: 4, comments: [foreign] })
  await writeComment(api, 7, 'job', 'first')
  await writeComment(api, 7, 'job', 'second')
  expect(comments.map(({ body }) => body)).toEqual([`${markerOf('job')}\nquoted`, `${markerOf('job')}\nsecond`])
})

test('another job has a comment of its own', async () => {
  const { api, comments } = await playGitHub([])
  await writeComment(api, 7, 'one', 'text')
  await writeComment(api, 7, 'other', 'text')
  expect(comments).toHaveLength(2)
})

test.each([
  ['a person', { id: 1, user: { type: 'User' }, body: `${markerOf('job')}\nquoted` }],
  ['a bot that quotes it further down', { id: 1, user: { type: 'Bot' }, body: `> ${markerOf('job')}` }],
])('a comment of %s is left alone', async (_name, comment) => {
  const { api, comments } = await playGitHub([], { comments: [{ ...comment }] })
  await writeComment(api, 7, 'job', 'text')
  expect(comments).toHaveLength(2)
  expect(comments[0]?.body).toBe(comment.body)
})

test('a refusal is told, not thrown', async () => {
  const { api } = await playGitHub([], { refuses: () => 403 })
  expect(await writeComment(api, 7, 'job', 'text')).toEqual({ kind: 'failed', why: 'GitHub answers 403: played' })
})

test('what may have been written is not written twice', async () => {
  const { api, seen } = await playGitHub([], { refuses: (_path, number) => (number > 1 ? 502 : null) })
  await writeComment(api, 7, 'job', 'text')
  expect(seen).toHaveLength(2)
})
