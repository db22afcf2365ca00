import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { renderActionTypes, renderActionYml, withTables } from '../../src/action/action-yml.ts'
import { actionInputs, listInputs, wordsForNone } from '../../src/action/input-table.ts'
import { run } from '../../src/cli/commands/run.ts'
import { optionTable } from '../../src/config/option-table.ts'
import { repository } from '../cli/cli-process.ts'

const read = (name: string) => readFileSync(path.join(repository, name), 'utf8')

test.each([
  ['action.yml', renderActionYml],
  ['action-types.yml', renderActionTypes],
] as const)('%s is what the tables make; npm run schema writes it', (name, render) => {
  expect(read(name)).toBe(render())
})

test('the tables of the documentation are what the input table makes', () => {
  expect(withTables(read('docs/action.md'))).toBe(read('docs/action.md'))
})

test('every option of the command line is an input of the same name, and the other way round', () => {
  const { inputs } = parse(read('action.yml'))
  const own = new Set<string>(actionInputs.map(({ name }) => name))
  const flags = run.options.map(({ name }) => name).filter((name) => name !== 'events')
  expect(
    Object.keys(inputs)
      .filter((name) => !own.has(name) || name === 'config')
      .sort(),
  ).toEqual(flags.sort())
})

test('an input says what the option of its name says, but where the action differs', () => {
  const differing = optionTable.filter(
    ({ name, help }) => listInputs().find((input) => input.name === name)?.help !== help,
  )
  expect(differing.map(({ name }) => name).sort()).toEqual([
    'corpus',
    'engine',
    'response-store',
    'spend-file',
    'vox-cache',
  ])
})

test('no two inputs have one name', () => {
  const names = listInputs().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('an option has a default only where an empty input is an error: any other would win over the sweep file', () => {
  const { inputs } = parse(read('action.yml'))
  const withDefault = optionTable.map(({ name }) => name).filter((name) => inputs[name].default !== undefined)
  expect(withDefault.sort()).toEqual(Object.keys(wordsForNone).sort())
})

test('the runner starts the file that the build makes, with Node 24', () => {
  expect(parse(read('action.yml')).runs).toEqual({ using: 'node24', main: 'dist/action.js' })
  expect(read('scripts/build.js')).toContain("action: 'src/action/main.ts'")
})
