import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readEvent, refuseBorrowedKeys } from '../../src/action/event.ts'
import { pullRequest } from './action-process.ts'

/** The environment of a job that an event started. */
function jobOf(name: string, payload: unknown, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-event-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'event.json')
  writeFileSync(file, typeof payload === 'string' ? payload : JSON.stringify(payload))
  return { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file, ...more }
}

const eventOf = (more: Parameters<typeof pullRequest>[0], env: NodeJS.ProcessEnv = {}) =>
  readEvent(jobOf('pull_request', pullRequest(more).payload, env))

test('a pull request of the repository may have keys', () => {
  expect(eventOf({})).toMatchObject({ kind: 'pull-request', number: 7, isKeyless: false, commits: 2 })
})

test('when it was opened is taken where the event tells a time', () => {
  const { payload } = pullRequest()
  const openedAt = (created_at?: unknown) =>
    readEvent(jobOf('pull_request', { pull_request: { ...payload.pull_request, created_at } }))
  expect(openedAt('2026-05-01T00:00:00Z')).toMatchObject({ createdAt: '2026-05-01T00:00:00Z' })
  for (const other of [undefined, null, 7, 'x&per_page=0']) expect(openedAt(other)).toMatchObject({ createdAt: null })
})

test('one of a fork has none, nor one of Dependabot', () => {
  expect(eventOf({ headRepository: 6 })).toMatchObject({ isKeyless: true })
  expect(eventOf({}, { GITHUB_ACTOR: 'dependabot[bot]' })).toMatchObject({ isKeyless: true })
})

test('a fork that is gone is still one', () => {
  const { payload } = pullRequest()
  const gone = { pull_request: { ...payload.pull_request, head: { ...payload.pull_request.head, repo: null } } }
  expect(readEvent(jobOf('pull_request', gone))).toMatchObject({ isKeyless: true })
})

test.each(['no JSON', {}, { pull_request: {} }])('a pull request that cannot be read is refused: %j', (payload) => {
  expect(() => readEvent(jobOf('pull_request', payload))).toThrow(/cannot be told from a fork's/)
})

test('a merge queue is judged by its base', () => {
  const payload = { merge_group: { base_ref: 'refs/heads/main', base_sha: 'a'.repeat(40) } }
  expect(readEvent(jobOf('merge_group', payload))).toEqual({
    kind: 'merge-group',
    base: { ref: 'main', sha: 'a'.repeat(40) },
  })
})

test('events on behalf of others are refused with keys only', () => {
  for (const name of ['pull_request_target', 'workflow_run', 'issue_comment']) {
    const event = readEvent(jobOf(name, {}))
    expect(() => refuseBorrowedKeys(event, true)).toThrow(name)
    refuseBorrowedKeys(event, false)
  }
  refuseBorrowedKeys(readEvent(jobOf('schedule', {})), true)
})
