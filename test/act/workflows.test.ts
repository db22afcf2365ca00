import { expect, test } from 'vitest'
import { allWorkflows, exampleWorkflows, ownWorkflows, stepsOf, type WorkflowFile } from './workflow-files.ts'

const ours = (action: string) => action === './' || action === 'OWNER/vox-efficacy@v1'
const table = allWorkflows.map((file) => [file.name, file] as const)

test('there are four examples', () => {
  expect(exampleWorkflows.map(({ name }) => name.replace('examples/workflows/', ''))).toEqual([
    'manual-run.yml',
    'mens-pr-check.yml',
    'scheduled-sweep.yml',
    'sharded-sweep.yml',
  ])
})

test.each(table)('%s pins every action of others to a commit and tells its version', (_, { text }) => {
  const uses = text.split('\n').flatMap((line) => /^ *-? *uses: (.*)$/.exec(line)?.[1] ?? [])
  expect(uses.length).toBeGreaterThan(0)
  for (const action of uses.filter((each) => !ours(each))) {
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  }
})

test('an action has the same pin in all workflows', () => {
  const pins = new Map<string, Set<string>>()
  for (const { uses } of allWorkflows.flatMap(stepsOf)) {
    const [name = '', commit = ''] = uses?.split('@') ?? []
    if (uses !== undefined && !ours(uses)) pins.set(name, (pins.get(name) ?? new Set()).add(commit))
  }
  expect(pins.size).toBeGreaterThan(1)
  expect([...pins].filter(([, commits]) => commits.size > 1)).toEqual([])
})

/** What writes, and why it has to. */
const writers: Readonly<Record<string, readonly string[]>> = {
  'examples/workflows/mens-pr-check.yml': ['pull-requests'],
  '.github/workflows/release.yml': ['contents', 'id-token', 'attestations'],
}

test.each(table)('%s may write only what it must', (name, { parsed }) => {
  expect(parsed.permissions).toMatchObject({ contents: 'read' })
  const granted = [parsed.permissions, ...Object.values(parsed.jobs).map(({ permissions }) => permissions ?? {})]
  const written = granted.flatMap((each) => Object.keys(each).filter((scope) => each[scope] === 'write'))
  expect(written).toEqual(writers[name] ?? [])
})

test.each(table)('%s never runs with keys on behalf of others', (_, { parsed }) => {
  const borrowed = ['pull_request_target', 'workflow_run', 'issue_comment', 'pull_request_review', 'discussion_comment']
  expect(Object.keys(parsed.on).filter((event) => borrowed.includes(event))).toEqual([])
})

/** Contexts whose text somebody else may have written. */
const FOREIGN = /\$\{\{[^}]*\b(github\.(event|head_ref|ref|ref_name|actor)\b|inputs\.|matrix\.|steps\.|needs\.)/

test.each(table)('%s puts no text of others into a shell', (_, file) => {
  expect(stepsOf(file).flatMap(({ run }) => (run !== undefined && FOREIGN.test(run) ? [run] : []))).toEqual([])
})

/** How an expression begins that holds on pull requests alone, behind its dollar sign. */
const ON_PULL_REQUESTS = "{{ github.event_name == 'pull_request'"
const isPaid = (file: WorkflowFile) => stepsOf(file).some((step) => step.with?.['api-key'] !== undefined)
const asksForBaseline = (file: WorkflowFile) =>
  stepsOf(file).some(({ with: given }) => String(given?.baseline ?? '').includes('auto'))

test.each(table)('%s reads other runs only where it looks for a baseline, or asks for money', (_, file) => {
  expect(file.parsed.permissions.actions).toBe(asksForBaseline(file) || isPaid(file) ? 'read' : undefined)
})

test('a check that measures main sets the bar there, and judges pull requests only', () => {
  const judging = exampleWorkflows.filter(asksForBaseline)
  expect(judging).toHaveLength(1)
  for (const file of judging) {
    expect(Object.keys(file.parsed.on)).toEqual(['push', 'pull_request', 'merge_group', 'schedule'])
    const baselines = stepsOf(file).flatMap(({ with: given }) => given?.baseline ?? [])
    const judged = "(github.event_name == 'pull_request' || github.event_name == 'merge_group')"
    expect(baselines).toEqual([`\${{ ${judged} && 'auto' || 'none' }}`])
    expect(file.parsed.concurrency?.group).toContain('github.event.pull_request.number || github.run_id')
  }
})

test.each(table)('%s says what happens to a run that comes upon another', (_, { parsed }) => {
  const { group, 'cancel-in-progress': isCancelled } = parsed.concurrency ?? {}
  expect(group).toMatch(/^[\w-]*(\$\{\{.+\}\})?$/)
  // Only what a newer push of a pull request makes moot is thrown away.
  if (isCancelled !== false && isCancelled !== `$${ON_PULL_REQUESTS} }}`)
    expect(group).toContain('github.event.pull_request.number || github.run_id')
})

test('an own workflow gives each job an artifact of its own', () => {
  for (const { name, parsed } of ownWorkflows) {
    const names = Object.values(parsed.jobs).flatMap(({ steps, strategy }) =>
      steps.filter(({ uses }) => uses === './').map((step) => ({ strategy, given: step.with?.['artifact-name'] })),
    )
    if (names.length > 1) expect(new Set(names.map(({ given }) => given)).size, name).toBe(names.length)
    for (const { given, strategy } of names.filter((each) => each.strategy?.matrix !== undefined)) {
      for (const key of Object.keys(strategy?.matrix ?? {})) expect(given).toContain(`matrix.${key}`)
    }
  }
})

test.each(table)('%s leaves no token behind in the checkout', (_, file) => {
  const checkouts = stepsOf(file).filter(({ uses }) => uses?.startsWith('actions/checkout@'))
  for (const checkout of checkouts) expect(checkout.with).toMatchObject({ 'persist-credentials': false })
})

const paid = allWorkflows.filter(isPaid).map((file) => [file.name, file] as const)

test.each(paid)('%s is paid for: one at a time, none cancelled, with a cap and an end', (_, file) => {
  const { group, ...rest } = file.parsed.concurrency ?? {}
  // A plan is free, and must not take the place of a paid run that waits.
  const exceptPlans =
    "{{ inputs.step == 'plan' && format('vox-efficacy-plan-{0}', github.run_id) || 'vox-efficacy-paid' }}"
  expect(['vox-efficacy-paid', `$${exceptPlans}`]).toContain(group)
  expect(rest).toEqual({ 'cancel-in-progress': false })
  for (const { with: given } of stepsOf(file).filter((step) => step.with?.['api-key'] !== undefined)) {
    expect(given?.smoke === true || given?.['max-spend-usd'] !== undefined).toBe(true)
  }
  for (const job of Object.values(file.parsed.jobs).filter(({ steps }) =>
    steps.some((step) => step.with?.['api-key']),
  )) {
    expect(job['timeout-minutes']).toBeLessThan(360)
  }
})

test('the paid ones are all seen', () => {
  expect(paid).toHaveLength(4)
})
