import { beforeAll, expect, test } from 'vitest'
import { findBaseline } from '../../src/action/baseline.ts'
import type { Report } from '../../src/report/schema.ts'
import { baseReport } from '../compare/sample-pair.ts'
import { OWN_RUN, type PlayedGitHub, type PlayedRun, playGitHub } from './github-server.ts'
import { zipOf } from './zip-file.ts'

let report: Report
beforeAll(async () => {
  report = await baseReport()
})

const archiveOf = (content: string, name = 'report.json') => zipOf([{ name, content }])

/** A run whose artifact holds the report. */
const runWith = (id: number, more: Partial<PlayedRun> = {}): PlayedRun => ({
  id,
  artifacts: [{ name: `vox-efficacy-${id}-1`, archive: archiveOf(JSON.stringify(report)) }],
  ...more,
})

const search = ({ api }: PlayedGitHub) =>
  findBaseline({
    api,
    runId: String(OWN_RUN),
    branch: 'main',
    sha: 'a'.repeat(40),
    measured: 'f'.repeat(40),
    artifactName: 'vox-efficacy',
    reportEntry: 'report.json',
  })

test('the newest successful push or scheduled run of the base branch is the baseline', async () => {
  const url = 'https://github.com/acme/models/actions/runs/12'
  const found = await search(await playGitHub([runWith(12, { event: 'schedule', url }), runWith(11)]))
  expect(found).toMatchObject({
    kind: 'found',
    origin: { id: 12, event: 'schedule', commit: 'c'.repeat(40), url, newer: null },
  })
  expect(found.kind === 'found' && found.report.run.id).toBe(report.run.id)
})

test.each<[string, Partial<PlayedRun>]>([
  ['a fork', { repository: 6 }],
  ['a pull request', { event: 'pull_request' }],
  ['a dispatch', { event: 'workflow_dispatch' }],
  ['another branch', { branch: 'next' }],
  ['another workflow', { workflow: 4 }],
  ['a failed run', { conclusion: 'failure' }],
  ['a commit that does not lead to the base', { sha: 'd'.repeat(40) }],
])('a run of %s is passed over', async (_name, more) => {
  expect(await search(await playGitHub([runWith(12, more)]))).toMatchObject({ kind: 'none' })
  expect(await search(await playGitHub([runWith(12, more), runWith(11)]))).toMatchObject({
    kind: 'found',
    origin: { id: 11 },
  })
})

/** What `search` looks for the baseline of. */
const OWN_BASE = 'a'.repeat(40)

test.each<[string, Partial<PlayedRun>, string]>([
  ['under way', { conclusion: null }, 'in_progress'],
  ['that failed', { conclusion: 'failure' }, 'failure'],
  ['that was cancelled, of the base itself', { conclusion: 'cancelled', sha: OWN_BASE }, 'cancelled'],
])('a newer run %s is told beside the baseline', async (_name, more, state) => {
  const newer = { id: 14, sha: 'e'.repeat(40), ...more }
  const beyond = { id: 15, sha: 'd'.repeat(40), conclusion: 'failure' }
  expect(await search(await playGitHub([beyond, newer, runWith(12)]))).toMatchObject({
    origin: { id: 12, newer: { id: 14, commit: newer.sha, state } },
  })
})

test.each<[string, Partial<PlayedRun>]>([
  ['of a pull request', { event: 'pull_request' }],
  ['of another branch', { branch: 'next' }],
  ['of another workflow', { workflow: 4 }],
  ['of a fork', { repository: 6 }],
  ['behind the base', { sha: 'd'.repeat(40) }],
  ['of the commit of the baseline', { sha: 'c'.repeat(40) }],
  ['that succeeded, and measured nothing', { conclusion: 'success' }],
  ['that was skipped', { conclusion: 'skipped' }],
  ['of the commit that is measured', { sha: 'f'.repeat(40) }],
  ['that is this one', { id: OWN_RUN }],
])('a newer run %s leaves nothing to tell', async (_name, more) => {
  const newer = { id: 14, sha: 'e'.repeat(40), conclusion: 'failure', ...more }
  expect(await search(await playGitHub([newer, runWith(12)]))).toMatchObject({ origin: { id: 12, newer: null } })
})

test('a baseline of the base itself is the newest there can be, and costs no further request', async () => {
  const failed = { id: 14, sha: 'e'.repeat(40), conclusion: 'failure' }
  const { seen, ...played } = await playGitHub([failed, runWith(12, { sha: OWN_BASE })])
  expect(await search({ seen, ...played })).toMatchObject({ origin: { id: 12, newer: null } })
  expect(seen.filter(({ url }) => url.includes('/compare/'))).toEqual([])
})

test('runs that failed neither push the baseline off the page nor cost a request each', async () => {
  const failed = Array.from({ length: 150 }, (_, at) => ({ id: 400 - at, sha: 'd'.repeat(40), conclusion: 'failure' }))
  const { seen, ...played } = await playGitHub([...failed, runWith(11)])
  expect(await search({ seen, ...played })).toMatchObject({ origin: { id: 11, newer: null } })
  expect(seen.filter(({ url }) => url.includes('/compare/')).length).toBeLessThan(20)
})

test('where GitHub does not tell of a newer run, the baseline is taken all the same', async () => {
  const failed = { id: 14, sha: 'e'.repeat(40), conclusion: 'failure' }
  const played = await playGitHub([failed, runWith(12)], {
    refuses: (path) => (path.startsWith('compare/e') ? 403 : null),
  })
  expect(await search(played)).toMatchObject({ origin: { id: 12, newer: null } })
})

test('of several attempts the newest counts, and a shard, a comparison or another job never', async () => {
  const artifact = (name: string, text: string) => ({ name, archive: archiveOf(text) })
  const run = {
    id: 12,
    artifacts: [
      artifact('vox-efficacy-12-3-shard-1-of-2', 'a shard'),
      artifact('vox-efficacy-12-3-compare', 'a comparison'),
      artifact('vox-efficacy-12-1', 'the first attempt'),
      artifact('vox-efficacy-12-2', JSON.stringify(report)),
      artifact('vox-efficacy-smoke-12-9', 'another job'),
    ],
  }
  expect(await search(await playGitHub([run]))).toMatchObject({ kind: 'found' })
})

test('runs that anybody can start do not push the baseline off the page', async () => {
  const dispatched = Array.from({ length: 120 }, (_, index) => runWith(200 + index, { event: 'workflow_dispatch' }))
  expect(await search(await playGitHub([...dispatched, runWith(11)]))).toMatchObject({ kind: 'found' })
})

test('a report behind a hundred artifacts of shards is found', async () => {
  const { artifacts = [] } = runWith(12)
  const shards = Array.from({ length: 150 }, (_, index) => ({
    name: `vox-efficacy-12-1-shard-${index + 1}-of-150`,
    archive: archiveOf('a shard'),
  }))
  expect(await search(await playGitHub([{ id: 12, artifacts: [...shards, ...artifacts] }]))).toMatchObject({
    kind: 'found',
  })
})

test.each([
  ['whose commit was pushed away', /^compare\/e/],
  ['whose artifact is gone', /^actions\/artifacts\/1200\/zip/],
])('a run %s is passed over', async (_name, gone) => {
  const runs = [runWith(12, { sha: 'e'.repeat(40) }), runWith(11)]
  const played = await playGitHub(runs, { refuses: (path) => (gone.test(path) ? 404 : null) })
  expect(await search(played)).toMatchObject({ kind: 'found', origin: { id: 11 } })
})

test('an artifact that has expired is passed over', async () => {
  const [artifact] = runWith(12).artifacts ?? []
  const run = { id: 12, artifacts: artifact === undefined ? [] : [{ ...artifact, expired: true }] }
  expect(await search(await playGitHub([run]))).toMatchObject({ kind: 'none' })
})

test.each([
  ['another content than GitHub tells', () => archiveOf('{}'), `sha256:${'0'.repeat(64)}`, 'action/other-archive'],
  ['no report', () => archiveOf('{}', 'other.json'), undefined, 'action/other-archive'],
  ['something that is no archive', () => Buffer.from('no archive'), undefined, 'archive/refused'],
  ['a path that leads elsewhere', () => archiveOf('{}', '../report.json'), undefined, 'archive/refused'],
  ['a report of another form', () => archiveOf('{}'), undefined, 'report/invalid'],
])('an artifact with %s is refused', async (_name, archive, digest, code) => {
  const artifact = { name: 'vox-efficacy-12-1', archive: archive(), ...(digest === undefined ? {} : { digest }) }
  await expect(search(await playGitHub([{ id: 12, artifacts: [artifact] }]))).rejects.toMatchObject({ code })
})

test('where GitHub does not tell, that is an error with the permission that lacks', async () => {
  const played = await playGitHub([], { refuses: () => 403 })
  await expect(search(played)).rejects.toMatchObject({
    code: 'action/no-access',
    hint: expect.stringContaining('actions: read'),
  })
})

test('a passing trouble of GitHub is met with another try', async () => {
  const played = await playGitHub([runWith(12)], { refuses: (_path, number) => (number === 1 ? 502 : null) })
  expect(await search(played)).toMatchObject({ kind: 'found' })
}, 20_000)
