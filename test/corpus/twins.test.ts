import { expect, test } from 'vitest'
import { inspectCorpus } from '../../src/corpus/load-corpus.ts'
import { normaliseBody } from '../../src/corpus/twins.ts'
import { edit, upstreamCorpus, withCorpus } from './upstream-shape.ts'

/** 041 (held out) made a copy of 001's program under its own names. */
function corpusWithCopy() {
  const files = upstreamCorpus([1, 41])
  for (const name of ['reference.vox', 'tests.vox']) {
    const file = `problems/041-tag-with-41/${name}`
    edit(files, file, '+ "41"', '+ "1"')
    edit(files, file, /\bout\b/g, 'result')
    edit(files, file, 'push(s + x', 'push(s +   x')
  }
  edit(files, 'problems/041-tag-with-41/tests.vox', "'{b}==41'", "'{b}==1'")
  return files
}

test('a reference under other names is a twin, told across the splits', async () => {
  const { problems, warnings } = await withCorpus(corpusWithCopy(), inspectCorpus)

  expect(problems).toEqual([])
  expect(warnings).toEqual([
    {
      fixture: '041',
      field: 'reference',
      message: 'has the same reference, but for names, as 001, across held-out and training-eligible',
    },
  ])
})

test('a signature with other spaces and parameter names is a twin', async () => {
  const files = upstreamCorpus([1, 5])
  for (const [name, text] of files)
    if (name.includes('005-')) files.set(name, text.replaceAll('tag_with_5', 'tag_with_1'))
  edit(files, 'problems/005-tag-with-5.spec.toml', '(s: str, xs: list[str])', '(a:str,b:list[ str ])')

  const { problems, warnings } = await withCorpus(files, inspectCorpus)

  expect(problems).toEqual([])
  expect(warnings).toEqual([{ fixture: '005', field: 'signature', message: 'has the same signature as 001' }])
})

test.for([
  ['layout and comments', 'fn f(n: int) to int {\n  return n + 1 // up\n}', 'fn f(n:int) to int { return n + 1 }'],
  ['names', 'fn f(n: int) to int { let a = n\n return a }', 'fn g(k: int) to int { let b = k\n return b }'],
  ['aliases', 'fn f(n: int) to bool { return n == 1 }', 'fn f(n: int) -> bool { return n is 1 }'],
  ['quotes', `fn f(s: str) to str { return "a" }`, `fn f(s: str) to str { return 'a' }`],
  [
    'helpers',
    'fn h(n: int) to int { return n }\nfn f(n: int) to int { return h(n) }',
    'fn k(m: int) to int { return m }\nfn g(n: int) to int { return k(n) }',
  ],
] as const)('%s do not tell programs apart', ([, left, right]) => {
  expect(normaliseBody(left)).toBe(normaliseBody(right))
})

test.for([
  ['constants', 'fn f(n: int) to int { return n + 1 }', 'fn f(n: int) to int { return n + 2 }'],
  ['methods', 'fn f(s: str) to str { return s.trim() }', 'fn f(s: str) to str { return s.lower() }'],
  [
    'built-in functions',
    'fn f(a: int, b: int) to int { return min(a, b) }',
    'fn f(a: int, b: int) to int { return max(a, b) }',
  ],
  [
    'which variable is meant',
    'fn f(a: int, b: int) to int { return a - b }',
    'fn f(a: int, b: int) to int { return b - a }',
  ],
  ['types', 'fn f(a: int) to int { return a }', 'fn f(a: str) to str { return a }'],
  ['operators', 'fn f(a: int, b: int) to int { return a - b }', 'fn f(a: int, b: int) to int { return a + b }'],
] as const)('%s do', ([, left, right]) => {
  expect(normaliseBody(left)).not.toBe(normaliseBody(right))
})
