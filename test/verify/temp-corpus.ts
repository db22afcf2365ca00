import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Fixture } from '../../src/corpus/fixture.ts'
import { loadCorpus } from '../../src/corpus/load-corpus.ts'

export interface Problem {
  readonly signature: string
  /** Body lines of the reference and any helpers behind it. */
  readonly reference: string
  /** Pairs of call and literal. */
  readonly asserts: readonly (readonly [call: string, expected: string])[]
  /** Lines of the `[domain]` table; none for no domain. */
  readonly domain?: string
}

/** Writes a corpus of these problems to a temporary folder, loads it by the real loader, and removes it. */
export async function loadProblems(problems: readonly Problem[]): Promise<readonly Fixture[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'vox-corpus-'))
  try {
    const entries: string[] = []
    for (const [at, problem] of problems.entries()) entries.push(await writeProblem(root, at, problem))
    await writeFile(path.join(root, 'manifest.v1.yaml'), `corpus:\n  id: temp\nfixtures:\n${entries.join('')}`)
    return (await loadCorpus(root)).fixtures
  } finally {
    await rm(root, { recursive: true })
  }
}

async function writeProblem(root: string, at: number, problem: Problem): Promise<string> {
  const name = /fn (\w+)/.exec(problem.signature)?.[1] ?? ''
  const id = String(at + 1).padStart(3, '0')
  const slug = name.replaceAll('_', '-')
  const folder = `problems/${id}-${slug}`
  const marker = '// training_eligible: false\n'
  const reference = `${problem.signature} {\n${problem.reference}\n}\n`
  const asserts = problem.asserts.map(([call, expected]) => `    assert(${call} == ${expected})\n`).join('')
  await mkdir(path.join(root, folder), { recursive: true })
  await writeFile(path.join(root, folder, 'reference.vox'), marker + reference)
  await writeFile(
    path.join(root, folder, 'tests.vox'),
    `${marker}${reference}\nfn main() to str {\n${asserts}    return "ok"\n}\n`,
  )
  await writeFile(
    path.join(root, `${folder}.spec.toml`),
    `[problem]
id = "${id}"
title = "Problem ${name}"
prompt = "Write ${name}."
signature = "${problem.signature}"
training_eligible = false
provenance = "original"
difficulty = "easy"
tags = []
${problem.domain === undefined ? '' : `\n[domain]\n${problem.domain}\n`}`,
  )
  return `  - id: "${id}"
    slug: ${slug}
    title: Problem ${name}
    training_eligible: false
    added_at: 2026-11-29
    provenance: original
    files: { spec: ${folder}.spec.toml, reference: ${folder}/reference.vox, tests: ${folder}/tests.vox }
`
}

export const TWICE: Problem = {
  signature: 'fn twice(n: int) to int',
  reference: '    return n * 2',
  asserts: [
    ['twice(4)', '8'],
    ['twice(1)', '2'],
    ['twice(0)', '0'],
    ['twice(-3)', '-6'],
  ],
  domain: 'n = { range = [-500, 500] }',
}

export const FIND: Problem = {
  signature: 'fn find(xs: list[int], x: int) to Option[int]',
  reference: '    for y, i in xs {\n        if y is x { return Some(i) }\n    }\n    return None',
  asserts: [
    ['find([5, 7], 7)', 'Some(1)'],
    ['find([5], 5)', 'Some(0)'],
    ['find([], 5)', 'None'],
    ['find([1], 2)', 'None'],
  ],
  domain: 'xs = { length = [0, 8], item = { range = [0, 4] } }\nx = { range = [0, 4] }',
}

export const FIRSTS: Problem = {
  signature: 'fn firsts(xs: list[int]) to list[int]',
  reference:
    '    let mut out: list[int] = []\n    for x in xs {\n        if not out.contains(x) { out.push(x) }\n    }\n    return out',
  asserts: [
    ['firsts([1, 1, 2])', '[1, 2]'],
    ['firsts([])', '[]'],
    ['firsts([3])', '[3]'],
  ],
  domain: 'xs = { length = [0, 8], item = { range = [0, 4] } }',
}
