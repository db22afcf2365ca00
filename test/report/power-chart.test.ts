import { expect, test } from 'vitest'
import { renderPowerChart } from '../../src/report/power-chart.ts'
import { powerStatement } from '../../src/stats/power-statement.ts'

const design = { n: 31, alpha: 0.05, discordance: { min: 0.025, max: 0.2 } }

test('the lines of the chart are the best and the worst chance of each gap', () => {
  const lines = renderPowerChart(design)
    .split('\n')
    .filter((line) => line.startsWith('    line '))
    .map((line) => JSON.parse(line.replace('    line ', '')) as number[])
  const powers = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4].map(
    (gap) => powerStatement({ ...design, gap, target: 0.8 }).power,
  )
  expect(lines).toHaveLength(2)
  powers.forEach(({ max, min }, index) => {
    expect(lines[0]?.[index]).toBeCloseTo(100 * max, 0)
    expect(lines[1]?.[index]).toBeCloseTo(100 * min, 0)
  })
})

test('the chart says how many problems it is drawn for', () => {
  expect(renderPowerChart({ ...design, n: 1 })).toContain('with 1 problem"')
})
