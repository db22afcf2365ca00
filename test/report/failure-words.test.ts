import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FAILURE_CLASSES } from '../../src/language/diagnostic-class.ts'
import { explainFailure } from '../../src/report/failure-words.ts'
import { verdictSchema } from '../../src/verify/verdict.ts'

const kinds = verdictSchema.options.map(({ shape }) => shape.kind.value).filter((kind) => kind !== 'passed')

test.each(FAILURE_CLASSES)('the class %s has words of its own, which tell more than its kind', (name) => {
  expect(explainFailure('check-failed', name)).toBeTruthy()
  expect(explainFailure('check-failed', name)).not.toBe(explainFailure('check-failed', null))
})

test.each(kinds)('the kind %s has words', (kind) => {
  expect(explainFailure(kind, null)).toBeTruthy()
})

test('a name that only objects have is no kind and no class', () => {
  expect(explainFailure('constructor', null)).toBeNull()
  expect(explainFailure('check-failed', 'constructor')).toBe(explainFailure('check-failed', null))
})

test('the documentation tells every kind and every class in the same words', () => {
  const text = readFileSync(new URL('../../docs/report.md', import.meta.url), 'utf8')
  for (const kind of kinds) expect(text).toContain(`- \`${kind}\`: ${explainFailure(kind, null)}`)
  for (const name of FAILURE_CLASSES) expect(text).toContain(`- \`${name}\`: ${explainFailure('check-failed', name)}`)
})
