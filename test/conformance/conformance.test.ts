import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Comparison } from './comparison.ts'
import { compareTables } from './comparison.ts'
import { renderDocument, unexplained } from './document.ts'

const docs = path.join(import.meta.dirname, '../../docs')
const read = (folder: string, name: string) => readFileSync(path.join(folder, name), 'utf8')
const comparisons = compareTables(import.meta.dirname)
const reasons = JSON.parse(read(import.meta.dirname, 'reasons.json'))

const isKind = (kind: string) => (each: Comparison) => each.outcome.kind === kind
const share = (part: readonly Comparison[], whole: readonly Comparison[]) => part.length / whole.length

/** Verdict of check, exit code and stdout of run. */
function results(table: string): readonly Comparison[] {
  return comparisons.filter((each) => each.table === table && (each.part === 'check' || each.part === 'run'))
}

test('the document is what `npm run conformance` writes', () => {
  const notes = read(docs, 'engine-conformance.notes.md')
  expect(renderDocument(comparisons, reasons, notes)).toBe(read(docs, 'engine-conformance.md'))
})

test('every disagreement has a reason, and every reason a disagreement', () => {
  expect(unexplained(comparisons, reasons)).toEqual([])
})

describe('targets', () => {
  const sure = results('programs').filter(({ confidence }) => confidence === 'high')

  test('the tables are whole', () => {
    expect([results('programs').length, results('random').length, results('mutants').length]).toEqual([
      2 * 827,
      2 * 1200,
      2 * 1500,
    ])
    expect(sure.length).toBeGreaterThan(1300)
  })

  test('no result of high confidence differs, and few are left undecided', () => {
    expect(sure.filter(isKind('disagree'))).toEqual([])
    expect(share(sure.filter(isKind('unsupported')), sure)).toBeLessThanOrEqual(0.05)
  })

  test('nineteen of twenty rejections are of the observed class', () => {
    const classes = comparisons.filter(({ part }) => part === 'classes')
    expect(classes.length).toBeGreaterThan(1400)
    expect(share(classes.filter(isKind('agree')), classes)).toBeGreaterThanOrEqual(0.95)
  })

  test('all random programs agree', () => {
    expect(results('random').filter((each) => !isKind('agree')(each))).toEqual([])
  })

  test.each(['check', 'run'])('97 of 100 mutants agree in %s', (part) => {
    const mutants = results('mutants').filter((each) => each.part === part)
    expect(share(mutants.filter(isKind('agree')), mutants)).toBeGreaterThanOrEqual(0.97)
  })
})

test('a difference, a missing reason and text that looks like markup all show in the document', () => {
  const one: Comparison = {
    table: 'programs',
    id: 'some-program',
    part: 'run',
    confidence: 'low',
    outcome: { kind: 'disagree', observed: 'exit 0 "<b>|`"', ours: 'exit 1 ""' },
  }
  expect(renderDocument([one], {}, '')).toContain(
    '| programs | some-program | run | low | exit 0 "&#60;b&#62;&#124;&#96;" | exit 1 "" | **no reason given** |',
  )
  expect(unexplained([one], { other: 'why' })).toEqual(['some-program', 'other'])
})
