import type { Range } from '../stats/paired-design.ts'
import { computePowerCurve } from '../stats/power-curve.ts'
import { percent } from './format.ts'

/** One comparison over so many independent problems; shares in [0, 1]. */
export interface ChartDesign {
  readonly n: number
  readonly alpha: number
  readonly discordance: Range
}

const GAPS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]

/**
 * A Mermaid chart, as GitHub shows it in Markdown: the chance in percent that a true gap is noticed, against the gap in
 * points. Two lines, over the planned share of problems that go the other way. Holds numbers only.
 */
export function renderPowerChart({ n, alpha, discordance }: ChartDesign): string {
  const chances = GAPS.flatMap((gap) => computePowerCurve({ alpha, discordance, gap }, [n]))
  const line = (shareOf: (chance: Range) => number) =>
    `    line [${chances.map((chance) => (100 * shareOf(chance)).toFixed(1)).join(', ')}]`
  return [
    '```mermaid',
    // Seen on light and on dark ground; the default is too pale for either.
    '%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#2f81d6, #c9772b"}}}}%%',
    'xychart-beta',
    `    title "Chance that a true gap is noticed, with ${n} ${n === 1 ? 'problem' : 'problems'}"`,
    `    x-axis "true gap in points" [${GAPS.map((gap) => (100 * gap).toFixed(0)).join(', ')}]`,
    '    y-axis "chance in %" 0 --> 100',
    line(({ max }) => max),
    line(({ min }) => min),
    '```',
    '',
    `Between the lines, depending on how many problems go the other way: ${percent(discordance.min)} (above) to ${percent(discordance.max)} (below) are planned for.`,
  ].join('\n')
}
