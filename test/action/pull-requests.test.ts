import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { repository } from '../cli/cli-process.ts'
import { buildAction, createWorkspace, pullRequest, runStep, type Workspace } from './action-process.ts'
import { type PlayedGitHub, playGitHub } from './github-server.ts'
import { zipOf } from './zip-file.ts'

vi.setConfig({ testTimeout: 120_000 })

let action: string
beforeAll(async () => {
  action = await buildAction()
}, 120_000)

const asked = ['001', '002', '003', '004', '005', '006', '007', '008']
const recorded = (id: string) =>
  readFileSync(path.join(repository, 'corpus/recorded/general-purpose-lm/C1', `${id}.md`), 'utf8')

const script = (failing: readonly string[], words = 'I cannot.') =>
  JSON.stringify({
    rules: asked.map((fixture) => ({ fixture, answer: failing.includes(fixture) ? words : recorded(fixture) })),
  })

const inputs = {
  engine: 'embedded',
  script: 'script.yml',
  model: 'mens/nova',
  fixtures: asked.join(),
  baseline: 'auto',
  'github-token': 'tok-e71c55',
}

/** The report of a run of the base branch, by the action itself, and after `change`. */
async function baseArchive(
  failing: readonly string[],
  change: (report: string) => string = (text) => text,
): Promise<Buffer> {
  const workspace = createWorkspace()
  workspace.write('script.yml', script(failing))
  const { baseline: _, ...own } = inputs
  const step = await runStep(action, workspace, { inputs: own })
  expect(step.code, step.log).toBe(0)
  return zipOf([{ name: 'report.json', content: change(workspace.read('out/report.json')) }])
}

const playBase = (archive: Buffer, more: Parameters<typeof playGitHub>[1] = {}) =>
  playGitHub([{ id: 12, artifacts: [{ name: 'vox-efficacy-12-1', archive }] }], more)

const runHead = (
  workspace: Workspace,
  { url }: Pick<PlayedGitHub, 'url'>,
  more: Parameters<typeof pullRequest>[0] = {},
) => runStep(action, workspace, { inputs, event: pullRequest(more), env: { GITHUB_API_URL: url } })

test('a checkpoint that is worse than the base branch fails, with one comment that is updated', async () => {
  const played = await playBase(await baseArchive([]))
  const workspace = createWorkspace()
  workspace.write('script.yml', script(asked))
  const first = await runHead(workspace, played)
  expect(first.code, first.log).toBe(1)
  expect(first.outputs.gate).toBe('regressed')
  expect(first.log).toMatch(/baseline: 8 verdicts verified again, 0 findings/)
  await runHead(workspace, played)
  expect(played.comments).toHaveLength(1)
  expect(played.comments[0]?.body).toContain('Regressed: HEAD against BASE')
  expect(played.comments[0]?.body).toContain('Programs')
})

test('a comment that is refused is a warning, and the verdict stands', async () => {
  const archive = await baseArchive(['001'])
  const played = await playBase(archive, { refuses: (name) => (name.startsWith('issues/') ? 403 : null) })
  const workspace = createWorkspace()
  workspace.write('script.yml', script(['001']))
  const step = await runHead(workspace, played)
  expect(step.code, step.log).toBe(0)
  expect(step.log).toMatch(/^::warning::The comment was not written: GitHub answers 403/m)
})

test('a base that has moved on since its last success is told where the comparison stands', async () => {
  const artifacts = [{ name: 'vox-efficacy-12-1', archive: await baseArchive([]) }]
  const played = await playGitHub([
    { id: 14, sha: 'e'.repeat(40), conclusion: null },
    { id: 12, artifacts, url: 'https://github.com/acme/models/actions/runs/12' },
  ])
  const workspace = createWorkspace()
  workspace.write('script.yml', script([]))
  const step = await runHead(workspace, played)
  expect(step.code, step.log).toBe(0)
  expect(step.log).toMatch(/^::warning title=Older baseline::.* run 12 \(push\) of c{12}, since run 14 .*in_progress/m)
  for (const text of [step.summary, played.comments[0]?.body ?? '']) {
    expect(text).toContain('Baseline: [run 12](https://github.com/acme/models/actions/runs/12) (push) of `ccccccc`.')
    expect(text).toContain('run 14 (push) of `eeeeeee` is newer')
  }
})

test('a later push is tested more strictly, and its number is printed', async () => {
  const played = await playBase(await baseArchive([]), { pushes: ['b', 'e', 'f'].map((letter) => letter.repeat(40)) })
  const workspace = createWorkspace()
  workspace.write('script.yml', script(asked))
  const step = await runHead(workspace, played)
  expect(step.summary).toContain('This is push 3')
})

test('a baseline whose verdicts do not come out again is not compared with', async () => {
  const forged = (text: string) => {
    const report = JSON.parse(text)
    for (const attempt of report.attempts) attempt.verification.verdict = { kind: 'no-code', why: 'none' }
    return JSON.stringify(report)
  }
  const played = await playBase(await baseArchive([], forged))
  const workspace = createWorkspace()
  workspace.write('script.yml', script([]))
  const step = await runHead(workspace, played)
  expect(step.code).toBe(1)
  expect(step.log).toContain('action/baseline-not-reproduced')
  expect(step.outputs.gate).toBe('blocked')
})

test('no baseline is said, and is no failure', async () => {
  const workspace = createWorkspace()
  workspace.write('script.yml', script([]))
  const step = await runHead(workspace, await playGitHub([]))
  expect(step.code, step.log).toBe(0)
  expect(step.outputs.gate).toBe('no-baseline')
  expect(step.log).toMatch(/^::warning title=No baseline::/m)
})

test('the sweep file is that of the base, not that of the pull request', async () => {
  const workspace = createWorkspace()
  const work = path.join(workspace.folder, 'work')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.com', ...args], {
      cwd: work,
      encoding: 'utf8',
    }).trim()
  const sweep = (fixture: string) => `engine: embedded\nfixtures: ["${fixture}"]\nsubjects: [{ script: script.yml }]\n`
  workspace.write('script.yml', script([]))
  workspace.write('sweep.yml', sweep('001'))
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'base')
  const baseSha = git('rev-parse', 'HEAD')
  workspace.write('sweep.yml', sweep('002'))
  const step = await runStep(action, workspace, { inputs: { config: 'sweep.yml' }, event: pullRequest({ baseSha }) })
  expect(step.code, step.log).toBe(0)
  expect(JSON.parse(workspace.read('out/report.json')).plan.fixtures.map(({ id }: { id: string }) => id)).toEqual([
    '001',
  ])
  // GitHub merges it into a newer base than its event tells.
  const ofBase = (message: string, ...parents: string[]) =>
    git('commit-tree', '-m', message, ...parents.flatMap((each) => ['-p', each]), git('write-tree'))
  const headSha = ofBase('head', baseSha)
  workspace.write('sweep.yml', sweep('003'))
  git('add', '.')
  const merge = ofBase('merge', ofBase('newer', baseSha), headSha)
  const merged = await runStep(action, workspace, {
    inputs: { config: 'sweep.yml' },
    event: pullRequest({ baseSha, headSha }),
    env: { GITHUB_SHA: merge },
  })
  expect(merged.code, merged.log).toBe(0)
  expect(JSON.parse(workspace.read('out/report.json')).plan.fixtures.map(({ id }: { id: string }) => id)).toEqual([
    '003',
  ])
})

/** What would be obeyed by a runner, a reader of HTML, GitHub or a shell, if anybody let it. */
const HOSTILE = [
  '::error::planted-command',
  '##[error]planted-command',
  '::set-output name=gate::planted',
  '::add-mask::nova',
  '<script>planted()</script><img src=x onerror=planted()>',
  '@planted-team [link](javascript:planted()) ![](http://planted.example/x.png)',
  '$(touch planted) `touch planted` ; touch planted',
  '</details>\n# planted heading\n| a | b |\n```\n~~~\n<!-- -->',
  'ghadelimiter_planted\ngate=planted',
].join('\n')

test('hostile answers, titles and branch names inject nothing into log, summary, comment or outputs', async () => {
  const played = await playBase(await baseArchive([]))
  const workspace = createWorkspace()
  const program = `${HOSTILE}\n\`\`\`vox\nfn wrong() to int { return 1 }\n// ${HOSTILE.replaceAll('\n', '\n// ').replaceAll('```', '')}\n\`\`\``
  workspace.write('script.yml', script(asked, program))
  const step = await runHead(workspace, played, {
    title: HOSTILE,
    headRef: 'x$(touch planted)`touch planted`;::error::planted-command',
  })
  expect(step.outputs.gate).toBe('regressed')
  for (const line of step.log.split('\n')) {
    expect(line).not.toMatch(/^\s*::(error|set-output|add-mask)[^:]*::(planted|nova)/)
    expect(line).not.toContain('##[error]')
  }
  const comment = played.comments[0]?.body ?? ''
  for (const [where, text] of [
    ['summary', step.summary],
    ['comment', comment],
  ] as const) {
    const outside = text.replace(/^(`{3,})vox\n[\s\S]*?^\1$/gm, '')
    expect(outside, where).not.toMatch(/<script|<img|@planted-team|\]\(javascript|!\[\]\(http|^# planted/m)
    expect(text, where).not.toMatch(/^::error::/m)
  }
  expect(Object.values(step.outputs).join('\n')).not.toContain('planted')
  expect(() => readFileSync(path.join(workspace.folder, 'work/planted'))).toThrow()
})

test('a hostile model id is shown, not obeyed', async () => {
  const workspace = createWorkspace()
  workspace.write('script.yml', script(['001']))
  const model = 'm/::error::planted <script>planted()</script> @planted-team | $(touch planted)'
  const step = await runStep(action, workspace, { inputs: { ...inputs, baseline: 'none', model } })
  expect(step.code, step.log).toBe(0)
  expect(step.log).not.toMatch(/^\s*::error/m)
  expect(step.summary).not.toMatch(/<script|@planted-team/)
})
