import { number, percent, plural } from './format.ts'
import { round } from './html/interval-bar.ts'
import { html, type Markup, trust } from './html/markup.ts'
import { problemsAxis } from './power-axis.ts'
import type { GapPower, PowerPlan } from './power-plan.ts'
import { gapWords, methodWords, neededWords, powerRange } from './power-plan-words.ts'

const VIEW = { width: 900, height: 530 } as const
const PLOT = { left: 64, top: 92, width: 540, height: 380 } as const
const BOTTOM = PLOT.top + PLOT.height
const KEY_LEFT = PLOT.left + PLOT.width + 28
const KEY_STEP = 66
/** Told apart in grey and by people who see few colours: from dark to light as the gap grows. */
const COLOURS = ['#3b2a6b', '#1b5a9c', '#17805f', '#b0690f', '#9b2743', '#5b6470']

const style = `text{font-family:ui-sans-serif,system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-size:13px;fill:#59626c}
.title{font-size:19px;font-weight:600;fill:#1c2127}.strong{font-weight:600;fill:#1c2127}.grid{stroke:#e6e2d8;fill:none}
.target{stroke:#1c2127;stroke-dasharray:6 4;fill:none}.asked{stroke:#a83a20;fill:none}.asked-text{fill:#a83a20}.band{stroke:none;fill-opacity:.22}.edge{stroke-width:1.5;fill:none}`

/**
 * A power plan as one SVG picture without scripts: power against the number of problems, a band a gap over the planned
 * discordance, the target as a line, and a mark at either end of each needed number of problems. The same plan gives
 * the same bytes.
 */
export function renderPowerSvg(plan: PowerPlan): string {
  const { n, target } = plan.statement
  const axis = problemsAxis(plan)
  const x = (problems: number) => round(PLOT.left + axis.place(problems) * PLOT.width)
  const y = (power: number) => round(PLOT.top + (1 - power) * PLOT.height)
  const lines = methodWords(plan)
  const label = plan.gaps
    .map((each) => `${gapWords(each.gap)}: power ${powerRange(each.power)}, needed ${neededWords(each.neededN)}`)
    .join('; ')
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${VIEW.width} ${VIEW.height}" width="${VIEW.width}" height="${VIEW.height}" role="img" aria-label="Power against the number of problems. ${label}">
<style>${trust(style)}</style>
<rect width="${VIEW.width}" height="${VIEW.height}" fill="#fcfbf8"/>
<text class="title" x="${PLOT.left}" y="32">What a comparison can see: power against the number of problems</text>
${lines.map((line, index) => html`<text x="${PLOT.left}" y="${54 + index * 18}">${line}</text>`)}
${[0, 0.2, 0.4, 0.6, 0.8, 1].map((power) => html`<path class="grid" d="M${PLOT.left} ${y(power)}h${PLOT.width}"/><text x="${PLOT.left - 8}" y="${y(power) + 4}" text-anchor="end">${percent(power)}</text>`)}
${axis.ticks.map((tick) => html`<path class="grid" d="M${x(tick)} ${PLOT.top}V${BOTTOM}"/><text x="${x(tick)}" y="${BOTTOM + 18}" text-anchor="middle">${number(tick)}</text>`)}
${plan.gaps.map((each, index) => band(each, colourOf(index), x, y))}
<path class="target" d="M${PLOT.left} ${y(target)}h${PLOT.width}"/>
${plan.gaps.flatMap((each, index) => neededMarks(each, target, colourOf(index), x, y))}
${askedLine(n, axis.place(n), x(n))}
<text x="${PLOT.left + PLOT.width / 2}" y="${BOTTOM + 42}" text-anchor="middle">problems (logarithmic)</text>
<text class="strong" x="${KEY_LEFT}" y="${PLOT.top + 6}">True gap</text>
${plan.gaps.map((each, index) => keyEntry(each, index, n, target))}
</svg>
`
  return picture.markup
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] as string
}

type Scale = (value: number) => number

function band({ points }: GapPower, colour: string, x: Scale, y: Scale): Markup {
  const upper = points.map(({ n, max }) => `${x(n)} ${y(max)}`)
  const lower = points.map(({ n, min }) => `${x(n)} ${y(min)}`)
  return html`<path class="band" fill="${colour}" d="M${[...upper, ...lower.toReversed()].join('L')}Z"/>
<path class="edge" stroke="${colour}" d="M${upper.join('L')}M${lower.join('L')}"/>
`
}

function neededMarks({ neededN, points }: GapPower, target: number, colour: string, x: Scale, y: Scale): Markup[] {
  const last = points.at(-1)?.n ?? 0
  return [...new Set([neededN.min, neededN.max])]
    .filter((needed) => needed !== null && needed <= last)
    .map(
      (needed) =>
        html`<circle cx="${x(needed as number)}" cy="${y(target)}" r="5" fill="${colour}" stroke="#fcfbf8" stroke-width="1.5"/>`,
    )
}

/** Nothing for a number that the axis does not hold. */
function askedLine(n: number, place: number, at: number): Markup | null {
  if (!(place >= 0 && place <= 1)) return null
  const isLate = place > 0.8
  return html`<path class="asked" d="M${at} ${PLOT.top}V${BOTTOM}"/><text class="asked-text" x="${at + (isLate ? -6 : 6)}" y="${PLOT.top + 14}" text-anchor="${isLate ? 'end' : 'start'}">${plural(n, 'problem')}</text>`
}

function keyEntry({ gap, power, neededN }: GapPower, index: number, n: number, target: number): Markup {
  const top = PLOT.top + 26 + index * KEY_STEP
  return html`<rect x="${KEY_LEFT}" y="${top - 11}" width="14" height="14" fill="${colourOf(index)}" fill-opacity=".6" stroke="${colourOf(index)}"/><text class="strong" x="${KEY_LEFT + 22}" y="${top}">${gapWords(gap)}</text>
<text x="${KEY_LEFT + 22}" y="${top + 18}">with ${number(n)}: ${powerRange(power)}</text>
<text x="${KEY_LEFT + 22}" y="${top + 35}">${percent(target)} takes ${neededWords(neededN)}</text>
`
}
