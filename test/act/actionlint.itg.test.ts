import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../cli/cli-process.ts'
import { temporaryFolder } from './act-run.ts'
import { allWorkflows } from './workflow-files.ts'

const actionlint = path.join(process.env.VOX_ACT ?? '', 'bin/actionlint')

/** What actionlint says of a workflow beside our action.yml. It knows the inputs of an action only as `./`. */
function lint(text: string): string {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, '.git'))
  mkdirSync(path.join(folder, '.github/workflows'), { recursive: true })
  mkdirSync(path.join(folder, 'dist'))
  copyFileSync(path.join(repository, 'action.yml'), path.join(folder, 'action.yml'))
  // It must be there; what is in it is not read.
  writeFileSync(path.join(folder, 'dist/action.js'), '')
  const file = '.github/workflows/linted.yml'
  writeFileSync(path.join(folder, file), text.replaceAll('OWNER/vox-efficacy@v1', './'))
  const { stdout, stderr, status, error } = spawnSync(actionlint, ['-no-color', file], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (error !== undefined || status === null || status > 1)
    throw new Error(`actionlint did not run: ${error ?? stderr}`)
  return stdout
}

test.each(allWorkflows.map(({ name, text }) => [name, text]))('%s', (_, text) => {
  expect(lint(text)).toBe('')
})

test('an input or output that the action does not have is found', () => {
  const example = allWorkflows.find(({ name }) => name.endsWith('sharded-sweep.yml'))?.text ?? ''
  expect(lint(example.replace('mode: plan', 'moode: plan'))).toContain('"moode"')
  expect(lint(example.replace('steps.plan.outputs.matrix', 'steps.plan.outputs.matrices'))).toContain('"matrices"')
})
