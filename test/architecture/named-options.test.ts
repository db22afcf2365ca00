import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { optionTable } from '../../src/config/option-table.ts'

const src = resolve(fileURLToPath(import.meta.url), '../../../src')

/** Options of the programs that texts speak of. */
const ofOthers = new Set([
  // cargo
  ...['--release', '--locked', '--workspace'],
  // mount
  ...['--bind', '--rbind'],
  // vox and vox-embedded
  ...['--caps', '--complete', '--json', '--max-depth', '--max-memory', '--max-steps', '--mode', '--output-format'],
  '--strict',
  // every command
  ...['--help', '--version'],
])

interface Mention {
  readonly file: string
  readonly option: string
}

/** Options named in strings of a file that people read: those that are more than one word, so that arguments of programs are not. */
function mentionsIn(file: string): Mention[] {
  const found: Mention[] = []
  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const part of node) visit(part)
      return
    }
    const { type, value } = node as { type?: string; value?: unknown }
    if (type === 'Literal' && typeof value === 'string') note(value)
    if (type === 'TemplateLiteral') {
      const { quasis } = node as { quasis: { value: { cooked: string } }[] }
      note(quasis.map((quasi) => quasi.value.cooked).join('…'))
    }
    Object.values(node).forEach(visit)
  }
  function note(text: string): void {
    if (!/\s/.test(text.trim())) return
    for (const [, option = ''] of text.matchAll(/(?<![\w-])(--[a-z][a-z0-9-]*)/g)) found.push({ file, option })
  }
  visit(parseAst(readFileSync(join(src, file), 'utf8'), { lang: 'ts' }))
  return found
}

test('every option that a text of ours names is one', async () => {
  const loaded = await Promise.all([...commands.values()].map((command) => command.load()))
  const known = new Set(
    [...optionTable, ...loaded.flatMap((command) => command.options)].map(({ name }) => `--${name}`),
  )
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && name !== join('report', 'html', 'style.ts'),
  )
  const mentions = files.flatMap(mentionsIn)
  expect(mentions.length).toBeGreaterThan(30)
  expect(mentions.filter(({ option }) => !known.has(option) && !ofOthers.has(option))).toEqual([])
})
