import { describe, expect, it } from 'vitest'
import { type RankDesign, type RankOutcome, rank } from '../../src/stats/rank.ts'

const DESIGN = { gap: 0.1, target: 0.8, alpha: 0.05, discordance: { min: 0.025, max: 0.2 }, seed: 7 }

function design(n: number, changes: Partial<RankDesign> = {}): RankDesign {
  return { ...DESIGN, families: Array.from({ length: n }, () => null), ...changes }
}

/** A row that passes the first `passed` of n fixtures. */
function row(id: string, passed: number, n: number) {
  return { id, shares: Array.from({ length: n }, (_, index) => (index < passed ? 1 : 0)) }
}

function refusal(outcome: RankOutcome) {
  return outcome.kind === 'refused' ? outcome : null
}

describe('rank', () => {
  it('refuses 31 fixtures and says how many it takes', () => {
    const outcome = rank([row('a', 31, 31), row('b', 0, 31)], design(31))
    expect(refusal(outcome)).toMatchObject({ neededN: 408, n: 31, reason: expect.stringContaining('takes 408') })
  })

  it('needs what alpha over all pairs takes: 582 for six rows at a discordance of 15 %', () => {
    const rows = (n: number) => ['a', 'b', 'c', 'd', 'e', 'f'].map((id, index) => row(id, n - index * 60, n))
    const planned = { discordance: { min: 0.15, max: 0.15 } }
    expect(refusal(rank(rows(581), design(581, planned)))).toMatchObject({ neededN: 582, n: 581 })
    expect(rank(rows(582), design(582, planned)).kind).toBe('ranked')
  })

  it('counts only fixtures with a verdict in every row', () => {
    const gone = { id: 'b', shares: [null, ...row('b', 300, 407).shares] }
    expect(refusal(rank([row('a', 400, 408), gone], design(408)))).toMatchObject({ n: 407, neededN: 408 })
    expect(rank([row('a', 400, 408), row('b', 300, 408)], design(408)).kind).toBe('ranked')
  })

  it('counts a family once', () => {
    const families = Array.from({ length: 408 }, (_, index) => `family ${index >> 1}`)
    expect(refusal(rank([row('a', 400, 408), row('b', 300, 408)], design(408, { families })))).toMatchObject({ n: 204 })
  })

  it('orders by rate and leaves open the ranks that the data does', () => {
    const n = 800
    const outcome = rank([row('low', 300, n), row('high', 600, n), row('near', 603, n)], design(n))
    const table = outcome.kind === 'ranked' ? outcome.table : null
    expect(table?.rows).toEqual([
      { id: 'near', rate: 603 / n, ranks: { from: 1, to: 2 } },
      { id: 'high', rate: 600 / n, ranks: { from: 1, to: 2 } },
      { id: 'low', rate: 300 / n, ranks: { from: 3, to: 3 } },
    ])
  })

  it('refuses one row, and a gap that no number of problems tells', () => {
    expect(refusal(rank([row('a', 5, 9)], design(9)))?.reason).toContain('not two rows')
    const tiny = rank([row('a', 5, 9), row('b', 5, 9)], design(9, { gap: 0.001 }))
    expect(refusal(tiny)).toMatchObject({ neededN: null, reason: expect.stringContaining('no practical number') })
  })

  it('refuses rows over other fixtures than the design has', () => {
    expect(() => rank([row('a', 1, 3), row('b', 1, 4)], design(3))).toThrow(RangeError)
  })
})
