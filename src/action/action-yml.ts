import { stringify } from 'yaml'
import { actionOutputs, type InputEntry, listInputs } from './input-table.ts'

const HEAD = '# Written by `npm run schema` from src/action/input-table.ts and src/config/option-table.ts.\n'

/** `action.yml`: what the runner reads. */
export function renderActionYml(): string {
  const inputs = listInputs().map(({ name, help, fallback }) => [
    name,
    { description: help, required: false, ...(fallback === undefined ? {} : { default: fallback }) },
  ])
  const outputs = actionOutputs.map(({ name, help }) => [name, { description: help }])
  const action = {
    name: 'Vox Efficacy Benchmark',
    description: 'Measures how well language models write Vox, and gates a checkpoint against its predecessor.',
    author: 'vox-efficacy',
    branding: { icon: 'check-circle', color: 'purple' },
    inputs: Object.fromEntries(inputs),
    outputs: Object.fromEntries(outputs),
    runs: { using: 'node24', main: 'dist/action.js' },
  }
  return HEAD + stringify(action, { lineWidth: 0, defaultStringType: 'PLAIN' })
}

/** `action-types.yml`, which typed builders of workflows read. */
export function renderActionTypes(): string {
  const typed = ({ type, values }: InputEntry) =>
    type === 'enum' ? { type, 'allowed-values': [...(values ?? [])] } : { type }
  const types = {
    inputs: Object.fromEntries(listInputs().map((input) => [input.name, typed(input)])),
    outputs: Object.fromEntries(actionOutputs.map(({ name }) => [name, { type: 'string' }])),
  }
  return HEAD + stringify(types, { lineWidth: 0 })
}

const TABLE_BEGIN = '<!-- tables: written by npm run schema -->'
const TABLE_END = '<!-- end of tables -->'

/** The tables of inputs and outputs in `docs/action.md`, with the marks they stand between. */
export function renderTables(): string {
  const cell = (text: string) =>
    text
      .replaceAll('|', '\\|')
      .replaceAll('$' + '{{', '`$' + '{{')
      .replaceAll('}}', '}}`')
  const inputs = listInputs().map(
    ({ name, help, fallback }) => `| \`${name}\` | ${cell(help)} | ${fallback === undefined ? '' : cell(fallback)} |`,
  )
  const outputs = actionOutputs.map(({ name, help }) => `| \`${name}\` | ${cell(help)} |`)
  return [
    TABLE_BEGIN,
    '',
    '### Inputs',
    '',
    '| input | meaning | default |',
    '| --- | --- | --- |',
    ...inputs,
    '',
    '### Outputs',
    '',
    '| output | meaning |',
    '| --- | --- |',
    ...outputs,
    '',
    TABLE_END,
  ].join('\n')
}

/** A page with the tables in place of those it has. */
export function withTables(page: string): string {
  const [before, rest] = page.split(TABLE_BEGIN)
  const after = rest?.split(TABLE_END)[1]
  if (before === undefined || after === undefined) throw new Error('the page has no place for the tables')
  return before + renderTables() + after
}
