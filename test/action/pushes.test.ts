import { expect, test } from 'vitest'
import { countPushes } from '../../src/action/pushes.ts'
import { OWN_RUN, playGitHub } from './github-server.ts'

/** A pull request, as its event tells it. */
const PULL = { number: 7, head: { ref: 'next' }, createdAt: null }

test('pushes are counted by their commits, so that a re-run is none', async () => {
  const pushes = ['b', 'b', 'e', 'f'].map((letter) => letter.repeat(40))
  expect(await countPushes((await playGitHub([], { pushes })).api, String(OWN_RUN), PULL)).toBe(3)
  expect(await countPushes((await playGitHub([], { refuses: () => 403 })).api, String(OWN_RUN), PULL)).toBeNull()
})

test('pushes to an earlier pull request of the same branch, or to another one, are not counted', async () => {
  const on = (letter: string, created: string, pulls: readonly number[] = []) => {
    return { sha: letter.repeat(40), created, pulls }
  }
  const pushes = [
    on('b', '2026-05-03T00:00:00Z', [7]),
    on('c', '2026-05-02T00:00:00Z', [8, 7]),
    // One of a fork names none.
    on('d', '2026-05-01T00:00:00Z'),
    on('e', '2026-05-02T00:00:00Z', [8]),
    on('f', '2026-04-30T23:59:59Z'),
  ]
  const { api, seen } = await playGitHub([], { pushes })
  expect(await countPushes(api, String(OWN_RUN), { ...PULL, createdAt: '2026-05-01T00:00:00Z' })).toBe(3)
  const query = new URL(seen.at(-1)?.url ?? '', 'http://127.0.0.1').searchParams
  expect(Object.fromEntries(query)).toMatchObject({ branch: 'next', created: '>=2026-05-01T00:00:00Z' })
  // An event that does not tell when it was opened: rather too strict a test than one that is not strict enough.
  expect(await countPushes(api, String(OWN_RUN), PULL)).toBe(5)
  expect(seen.at(-1)?.url).not.toContain('created')
})
