import { beforeAll, expect, test } from 'vitest'
import { countPushes, findBaseline } from '../../src/action/baseline.ts'
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
    artifactName: 'vox-efficacy',
    reportEntry: 'report.json',
  })

test('the newest successful push or scheduled run of the base branch is the baseline', async () => {
  const found = await search(await playGitHub([runWith(12, { event: 'schedule' }), runWith(11)]))
  expect(found).toMatchObject({ kind: 'found', from: expect.stringContaining('run 12 (schedule)') })
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
    from: expect.stringContaining('run 11'),
  })
})

test('of several attempts the newest counts, and a shard or another job never', async () => {
  const artifact = (name: string, text: string) => ({ name, archive: archiveOf(text) })
  const run = {
    id: 12,
    artifacts: [
      artifact('vox-efficacy-12-3-shard-1-of-2', 'a shard'),
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
  expect(await search(played)).toMatchObject({ kind: 'found', from: expect.stringContaining('run 11') })
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

test('pushes are counted by their commits, so that a re-run is none', async () => {
  const pushes = ['b', 'b', 'e', 'f'].map((letter) => letter.repeat(40))
  expect(await countPushes((await playGitHub([], { pushes })).api, String(OWN_RUN), 'next')).toBe(3)
  expect(await countPushes((await playGitHub([], { refuses: () => 403 })).api, String(OWN_RUN), 'next')).toBeNull()
})
