import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { listInputs } from '../../src/action/input-table.ts'
import { repository } from '../cli/cli-process.ts'

const read = (file: string) => readFileSync(path.join(repository, file), 'utf8')
const pages = ['docs/action.md', 'docs/recipes.md', 'docs/releasing.md', 'docs/threat-model.md']

/** Codes that lie within reach of the action's imports, and that none of its steps can end with. */
const neverRaised: Readonly<Record<string, string>> = {
  'compare/draws': 'no input takes further draws',
  'engine/closed': 'a cancelled sweep catches it',
  'registration/unwritable': 'no input registers a plan',
  'verify/reference-failed': 'the preflight and the judge catch it',
  'vox/nothing-asked': 'the configuration is refused before',
}

const CODE = /[a-z][a-z-]*\/[a-z][a-z0-9-]*/

/** Codes of errors in a source: they stand on the line of a property `code`. */
function codesIn(source: string): string[] {
  return source.split('\n').flatMap((line) => {
    const [, value = ''] = /\bcode: (.*)/.exec(line) ?? []
    return [...value.matchAll(new RegExp(`'(${CODE.source})'`, 'g'))].flatMap(([, code]) => code ?? [])
  })
}

/** Codes in the first column of tables. */
function codesOf(markdown: string): string[] {
  return [...markdown.matchAll(new RegExp(`^\\| \`(${CODE.source})\``, 'gm'))].flatMap(([, code]) => code ?? [])
}

const difference = (these: readonly string[], those: readonly string[]) =>
  [...new Set(these)].filter((each) => !those.includes(each)).sort()

/** The modules that a step of the action may load, by static and dynamic imports. */
function modulesFrom(entry: string): string[] {
  const found = new Set([entry])
  for (const file of found) {
    const source = readFileSync(file, 'utf8')
    const imports = source.matchAll(/^(?:import|export) (?!type )[^'"]*?'(\.[^']+\.ts)'|import\('(\.[^']+\.ts)'\)/gm)
    for (const [, fixed, late] of imports) found.add(path.resolve(path.dirname(file), fixed ?? late ?? ''))
  }
  return [...found]
}

const sourcesBelow = (folder: string) =>
  readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(repository, folder, name))

const codesOfFiles = (files: readonly string[]) => files.flatMap((file) => codesIn(readFileSync(file, 'utf8')))
const modules = modulesFrom(path.join(repository, 'src/action/main.ts'))
const raised = codesOfFiles(modules)
const action = read('docs/action.md')

test('every code that a step can end with is explained, once', () => {
  expect(difference(raised, [...codesOf(action), ...Object.keys(neverRaised)])).toEqual([])
  expect(codesOf(action).filter((code, at, all) => all.indexOf(code) !== at)).toEqual([])
})

test('every code that is explained can be raised', () => {
  expect(difference(codesOf(action), raised)).toEqual([])
  expect(difference(Object.keys(neverRaised), raised)).toEqual([])
  expect(Object.keys(neverRaised).filter((code) => codesOf(action).includes(code))).toEqual([])
})

test('the modules of a step are found, all of the action among them', () => {
  // One writes action.yml for us.
  const ours = sourcesBelow('src/action').filter((file) => path.basename(file) !== 'action-yml.ts')
  expect(difference(ours, modules)).toEqual([])
  expect(new Set(raised).size).toBeGreaterThan(100)
})

test('a code that is not explained, and one that is invented, would be seen', () => {
  const source = "code: isNew ? 'vox/one' : 'vox/two',\nimport x from '../vox/three.ts'\nlog('vox/four')"
  expect(codesIn(source)).toEqual(['vox/one', 'vox/two'])
  const page = '| `vox/one` | why | what |\n| text | `vox/five` |\n| `vox/six` | why | what |\n'
  expect(difference(codesIn(source), codesOf(page))).toEqual(['vox/two'])
  expect(difference(codesOf(page), codesIn(source))).toEqual(['vox/six'])
})

test.each(pages)('the codes that %s names in its text are codes', (page) => {
  const all = codesOfFiles(sourcesBelow('src'))
  const families = new Set(all.map((code) => code.split('/')[0]))
  const named = [...read(page).matchAll(new RegExp(`\`(${CODE.source})\``, 'g'))].flatMap(([, code]) => code ?? [])
  // Folders of the documentation's examples are written alike.
  const folders = ['mens/nova', 'mens/runs']
  const codes = named.filter((code) => families.has(code.split('/')[0]) && !folders.includes(code))
  expect(difference(codes, all)).toEqual([])
})

/** The anchors that GitHub gives to headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test.each(pages)('the relative links of %s lead somewhere', (page) => {
  const text = read(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => (/^https?:/.test(link) ? [] : [link]))
  expect(links.length).toBeGreaterThan(0)
  const broken = links.filter((link) => {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file)
    if (!existsSync(path.join(repository, target))) return true
    return anchor !== undefined && !anchorsOf(read(target)).includes(anchor)
  })
  expect(broken).toEqual([])
})

interface Step {
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
}

/** Steps of this action in a YAML block: of a workflow, of a job, or as they stand. */
function stepsIn(node: unknown): Step[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'uses' in node && String(node.uses).startsWith('OWNER/vox-efficacy@') ? [node as Step] : []
  return [...own, ...Object.values(node).flatMap(stepsIn)]
}

const blocks = pages.flatMap((page) =>
  [...read(page).matchAll(/^( *)```yaml\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  ),
)

test('YAML in the documentation can be read, and gives the action inputs that it has', () => {
  const steps = blocks.flatMap((block) => stepsIn(parse(block)))
  expect(steps.length).toBeGreaterThan(8)
  const names = listInputs().map(({ name }) => name)
  expect(
    difference(
      steps.flatMap((step) => Object.keys(step.with ?? {})),
      names,
    ),
  ).toEqual([])
})
