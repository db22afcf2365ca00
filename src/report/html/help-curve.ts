import { number, percent, percentRange, percentTenths } from '../format.ts'
import type { HelpCurve } from '../help-effects-schema.ts'
import { round } from './interval-bar.ts'
import { html, type Markup } from './markup.ts'

const PLOT = { left: 62, top: 16, width: 400, height: 220 } as const
const VIEW = { width: 496, height: 310 } as const
/** Marks and colours repeat after this many; the legend and the table still tell rows apart. */
const SERIES = 6
/** Closer than this, the labels of two conditions would touch. */
const LABEL_GAP = 58
/** From one line of labels to the next: a name above its tokens. */
const LABEL_HEIGHT = 36

/** Pass rates against tokens of help as marks, and for each subject the fitted line. Its numbers are in the table beside it. */
export function helpCurvePlot(curves: readonly HelpCurve[]): Markup {
  const most = Math.max(1, ...curves.flatMap(({ points }) => points.map(({ tokens }) => tokens)))
  const x = (tokens: number) => round(PLOT.left + (tokens / most) * PLOT.width)
  const y = (share: number) => round(PLOT.top + (1 - share) * PLOT.height)
  const labels = conditionLabels(curves, x)
  const height = VIEW.height + Math.max(0, ...labels.map(({ line }) => line)) * LABEL_HEIGHT
  const label = curves
    .map(
      ({ subject, points }) =>
        `${subject}: ${points.map(({ condition, rate }) => `${condition} ${percent(rate)}`).join(', ')}`,
    )
    .join('; ')
  return html`<figure class="plot">
<svg viewBox="0 0 ${VIEW.width} ${height}" role="img" aria-label="Pass rate by tokens of language help. ${label}">
${gridLines(y)}
${labels.map(({ markup }) => markup)}
${curves.map((curve, index) => series(curve, index, curves.length, x, y))}
<text class="axis-title" x="${PLOT.left + PLOT.width / 2}" y="${height - 6}" text-anchor="middle">tokens of language help</text>
</svg>
<figcaption><ul class="legend">${curves.map(({ subject }, index) => html`<li><svg viewBox="0 0 28 14" width="28" height="14" class="series s${index % SERIES}" aria-hidden="true"><path class="line" d="M0 7H28"/>${mark(index, 14, 7)}</svg>${subject}</li>`)}</ul>
</figcaption>
</figure>`
}

function gridLines(y: (share: number) => number): Markup[] {
  return [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      html`<path class="grid" d="M${PLOT.left} ${y(share)}h${PLOT.width}"/><text x="${PLOT.left - 8}" y="${y(share) + 4}" text-anchor="end">${percent(share)}</text>`,
  )
}

function conditionLabels(
  curves: readonly HelpCurve[],
  x: (tokens: number) => number,
): { readonly line: number; readonly markup: Markup }[] {
  const tokens = new Map(
    curves.flatMap(({ points }) => points.map((point) => [point.condition, point.tokens] as const)),
  )
  const bottom = PLOT.top + PLOT.height
  // Where the last label of each line stands.
  const ends: number[] = []
  return [...tokens]
    .sort(([, a], [, b]) => a - b)
    .map(([condition, count]) => {
      const at = x(count)
      const free = ends.findIndex((end) => at - end >= LABEL_GAP)
      const line = free === -1 ? ends.length : free
      ends[line] = at
      const top = bottom + 20 + line * LABEL_HEIGHT
      return {
        line,
        markup: html`<path class="tick" d="M${at} ${bottom}v5"/><text class="rung" x="${at}" y="${top}" text-anchor="middle">${condition}</text><text x="${at}" y="${top + 16}" text-anchor="middle">${number(count)}</text>`,
      }
    })
}

function series(
  { points }: HelpCurve,
  index: number,
  count: number,
  x: (tokens: number) => number,
  y: (share: number) => number,
): Markup {
  // Intervals at the same condition would cover each other.
  const shift = (index - (count - 1) / 2) * Math.min(7, 28 / count)
  const at = points.map((point) => ({ ...point, x: round(x(point.tokens) + shift) }))
  const line = at.map((point, position) => `${position === 0 ? 'M' : 'L'}${point.x} ${y(point.fit)}`).join('')
  const marks = at.map(
    (point) =>
      html`<g><title>${point.condition}: ${point.interval === null ? percent(point.rate) : percentTenths(point.rate)}${point.interval === null ? '' : ` (${percentRange(point.interval)})`}</title>${point.interval === null ? null : html`<path class="whisker" d="M${point.x} ${y(point.interval.low)}V${y(point.interval.high)}"/>`}${mark(index, point.x, y(point.rate))}</g>`,
  )
  return html`<g class="series s${index % SERIES}"><path class="line" d="${line}"/>${marks}</g>`
}

/** A shape of its own for each subject, so that colour is not all that tells them apart. */
function mark(index: number, x: number, y: number): Markup {
  switch (index % SERIES) {
    case 0:
      return html`<circle class="mark" cx="${x}" cy="${y}" r="4.5"/>`
    case 1:
      return html`<rect class="mark" x="${x - 4}" y="${y - 4}" width="8" height="8"/>`
    case 2:
      return html`<path class="mark" d="M${x} ${y - 5.5}l5.5 9.5h-11z"/>`
    case 3:
      return html`<path class="mark" d="M${x} ${y - 6}l6 6l-6 6l-6 -6z"/>`
    case 4:
      return html`<path class="mark" d="M${x} ${y + 5.5}l5.5 -9.5h-11z"/>`
    default:
      return html`<path class="mark cross" d="M${x - 4} ${y - 4}l8 8m0 -8l-8 8"/>`
  }
}

/** The numbers of the plot. */
export function helpCurveTable(curves: readonly HelpCurve[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Numbers of the plot"><table>
<thead><tr><th scope="col">Help</th><th scope="col" class="number">Tokens</th><th scope="col" class="number">Passed</th><th scope="col" class="number">Rate</th><th scope="col" class="number">Fit</th></tr></thead>
${curves.map(
  ({
    subject,
    points,
  }) => html`<tbody><tr class="group"><th scope="rowgroup" colspan="5"><span class="subject">${subject}</span></th></tr>
${points.map((point) => html`<tr><th scope="row"><span class="condition">${point.condition}</span></th><td class="number">${number(point.tokens)}</td><td class="number">${number(point.passed)} of ${number(point.of)}</td><td class="number">${percentTenths(point.rate)} <span class="range">${point.interval === null ? '' : percentRange(point.interval)}</span></td><td class="number">${percentTenths(point.fit)}</td></tr>`)}</tbody>`,
)}</table></div>`
}
