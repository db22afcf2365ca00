import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = resolve(fileURLToPath(import.meta.url), '../../../src')

const belowSweep = [
  'config',
  'corpus',
  'training',
  'language',
  'engine',
  'models',
  'generate',
  'verify',
  'score',
  'stats',
  'report',
  'compare',
]

/** What entry points may import: everything but each other. */
const library = [...belowSweep, 'sweep']

/** What each folder may import of the others; docs/architecture.md shows the same table. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  language: [],
  stats: [],
  config: [],
  models: [],
  engine: ['language'],
  corpus: ['language'],
  training: ['corpus'],
  generate: ['models', 'corpus'],
  verify: ['language', 'corpus', 'engine'],
  score: ['models', 'generate', 'verify', 'stats'],
  report: ['language', 'models', 'engine', 'generate', 'verify', 'score', 'stats'],
  compare: ['engine', 'generate', 'verify', 'score', 'stats', 'report'],
  sweep: belowSweep,
  cli: library,
  action: library,
}

/** Packages that stay behind one door. */
const keptTo: Readonly<Record<string, readonly string[]>> = {
  openai: ['models'],
  'markdown-table': ['report'],
  'smol-toml': ['corpus', 'engine'],
  '@actions': ['action'],
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

interface Import {
  readonly from: string
  readonly specifier: string
}

const imports: Import[] = files.flatMap((name) => {
  const text = readFileSync(join(src, name), 'utf8')
  const found = [
    /^(?:import|export)\s[^;'"`]*?\sfrom '([^']+)'/gm,
    /^import '([^']+)'/gm,
    /\bimport\('([^']+)'\)/g,
  ].flatMap((form) => [...text.matchAll(form)])
  return found.map((match) => ({ from: name, specifier: match[1] ?? '' }))
})

const edges = imports
  .filter(({ specifier }) => specifier.startsWith('.') && specifier.endsWith('.ts'))
  .map(({ from, specifier }) => ({ from, to: relative(src, resolve(src, dirname(from), specifier)) }))

function folderOf(name: string): string {
  return name.includes('/') ? (name.split('/')[0] ?? '') : ''
}

test('the walk sees the whole of src', () => {
  expect(edges.length).toBeGreaterThan(100)
  expect(new Set(files.map(folderOf).filter((folder) => folder !== ''))).toEqual(new Set(Object.keys(allowed)))
})

test('no folder imports what the table does not allow', () => {
  const wrong = edges.filter(({ from, to }) => {
    const [source, target] = [folderOf(from), folderOf(to)]
    return source !== target && target !== '' && !(allowed[source] ?? []).includes(target)
  })
  expect(wrong).toEqual([])
})

/** A grammar is mutually recursive, and so are the files that walk it; everything else stays free of cycles. */
const recursive = ['language/parser/', 'language/printer/', 'language/checker/', 'language/interpreter/']

test('no file is part of an import cycle', () => {
  const targets = new Map<string, string[]>()
  for (const { from, to } of edges) {
    if (recursive.some((folder) => from.startsWith(folder) && to.startsWith(folder))) continue
    targets.set(from, [...(targets.get(from) ?? []), to])
  }
  const state = new Map<string, 'open' | 'done'>()
  const cycles: string[] = []
  const visit = (name: string, path: readonly string[]) => {
    if (state.get(name) === 'done') return
    if (state.get(name) === 'open') {
      cycles.push([...path.slice(path.indexOf(name)), name].join(' -> '))
      return
    }
    state.set(name, 'open')
    for (const target of targets.get(name) ?? []) visit(target, [...path, name])
    state.set(name, 'done')
  }
  for (const name of files) visit(name, [])
  expect(cycles).toEqual([])
})

test('packages stay behind their door', () => {
  const wrong = imports.filter(({ from, specifier }) => {
    const folders = keptTo[specifier.split('/')[0] ?? '']
    return folders !== undefined && !folders.includes(folderOf(from))
  })
  expect(wrong).toEqual([])
})

test('the language core reaches nothing of the host', () => {
  const wrong = imports.filter(({ from, specifier }) => folderOf(from) === 'language' && !specifier.startsWith('.'))
  expect(wrong).toEqual([])
})
