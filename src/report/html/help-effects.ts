import type { Interval } from '../../stats/intervals.ts'
import { number, percent, plural } from '../format.ts'
import { groupBy } from '../group-by.ts'
import type { Ablation, Difference, HelpEffects, HelpNeededEntry, Lift, PooledLift } from '../help-effects-schema.ts'
import {
  describeMoreLess,
  describeNeeded,
  describeNeededRange,
  describeRungs,
  explainAblations,
  explainLifts,
  points,
  pointsRange,
  pValue,
} from '../help-words.ts'
import type { Report } from '../schema.ts'
import { helpCurvePlot, helpCurveTable } from './help-curve.ts'
import { round } from './interval-bar.ts'
import { html, type Markup } from './markup.ts'

/** Rates under growing help, lifts and ablations; null where nothing was compared. */
export function helpSection({ helpEffects }: Report): Markup | null {
  if (helpEffects === null) return null
  const { curves, lifts, ablations } = helpEffects
  if (curves.length + lifts.length + ablations.length === 0) return null
  return html`<section id="help" aria-labelledby="help-title">
<h2 id="help-title">What help buys</h2>
${curves.length === 0 ? null : curvesView(helpEffects)}
${lifts.length === 0 ? null : liftsView(helpEffects)}
${ablations.length === 0 ? null : ablationsView(helpEffects)}
</section>`
}

function curvesView({ curves }: HelpEffects): Markup {
  return html`<p class="note">Pass rates under growing amounts of help in the prompt, with 95 % intervals; the line is the nearest one that never falls.</p>
<div class="beside">${helpCurvePlot(curves)}${helpCurveTable(curves)}</div>`
}

function liftsView(effects: HelpEffects): Markup {
  const { lifts, pooledLifts, curves } = effects
  const neededOf = new Map(curves.map(({ subject, needed }) => [subject, needed]))
  const targets = curves[0]?.needed.map(({ target }) => target) ?? []
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Lifts"><table class="stacked">
<thead><tr><th scope="col">Subject</th><th scope="col">Help</th><th scope="col">Lift in points</th><th scope="col">${differenceScale()}</th><th scope="col">Problems</th>${targets.map((target) => html`<th scope="col">Tokens for ${percent(target)}</th>`)}</tr></thead>
<tbody>${lifts.map((lift) => liftRow(lift.subject, lift, targets, neededOf.get(lift.subject)))}${pooledLifts.map(
    (lift) => liftRow(`mean of ${plural(lift.subjects.length, 'subject')}`, lift, targets),
  )}</tbody></table></div>
${explainLifts(effects).map((words) => html`<p class="note">${words}</p>`)}`
}

function liftRow(
  name: string,
  lift: Lift | PooledLift,
  targets: readonly number[],
  needed: readonly HelpNeededEntry[] = [],
): Markup {
  return html`<tr><th scope="row"><span class="subject">${name}</span></th><td class="passed-of" data-label="Help">${describeRungs(lift)}</td>${differenceCells(lift, 'Lift in points')}${targets.map(
    (target) =>
      neededCell(
        target,
        needed.find((each) => each.target === target),
      ),
  )}</tr>
`
}

/** A dash where no curve was fitted. */
function neededCell(target: number, needed: HelpNeededEntry | undefined): Markup {
  const label = `Tokens for ${percent(target)}`
  if (needed === undefined) return html`<td data-label="${label}"><span class="unknown">–</span></td>`
  if (needed.kind === 'unknown')
    return html`<td data-label="${label}"><span class="unknown">${describeNeeded(needed)}</span></td>`
  return html`<td data-label="${label}"><div><b>${describeNeeded(needed)}</b> <span class="range">${describeNeededRange(needed) ?? ''}</span></div></td>`
}

function ablationsView(effects: HelpEffects): Markup {
  const sections = [...groupBy(effects.ablations, ({ subject }) => subject)]
  return html`<div class="words"><h3>Help without one of its sections</h3></div>
<div class="scroll" tabindex="0" role="region" aria-label="Help without one of its sections"><table class="stacked">
<thead><tr><th scope="col">Left out</th><th scope="col" class="number">Tokens</th><th scope="col">With less without</th><th scope="col">${differenceScale()}</th><th scope="col">Problems</th><th scope="col" class="number">p</th><th scope="col" class="number">p by Holm</th></tr></thead>
${sections.map(
  ([
    subject,
    ablations,
  ]) => html`<tbody><tr class="group"><th scope="rowgroup" colspan="7"><span class="subject">${subject}</span></th></tr>
${ablations.map(ablationRow)}</tbody>`,
)}</table></div>
${explainAblations(effects).map((words) => html`<p class="note">${words}</p>`)}`
}

function ablationRow(ablation: Ablation): Markup {
  const { base, section, tokens, p, adjustedP } = ablation
  return html`<tr><th scope="row"><span class="condition">${base}</span> without ${section}</th><td class="number" data-label="Tokens">${number(tokens)}</td>${differenceCells(ablation, 'With less without')}<td class="number" data-label="p">${p === null ? '' : pValue(p)}</td><td class="number" data-label="p by Holm">${adjustedP === null ? '' : pValue(adjustedP)}</td></tr>
`
}

/** Three cells: the difference with its interval, the same drawn, and on how many problems. */
function differenceCells(difference: Difference, label: string): Markup {
  const { difference: value, interval, reason, fixtures } = difference
  if (value === null)
    return html`<td colspan="3" data-label="${label}"><span class="unknown">${reason ?? ''}</span></td>`
  return html`<td data-label="${label}"><div><b>${points(value)}</b> <span class="range">${interval === null ? '' : pointsRange(interval)}</span></div></td><td data-label="−100 to +100">${differenceBar(value, interval)}</td><td class="passed-of" data-label="Problems"><div>${describeMoreLess(difference)} <span class="note">of ${number(fixtures)}</span></div></td>`
}

const WIDTH = 160
const HEIGHT = 24
const EDGE = 6

function differenceScale(): Markup {
  return html`<span class="scale"><span>−100</span><span>0</span><span>+100</span></span>`
}

/** A difference on a line from -100 to 100 points, with its interval; the numbers stand beside it. */
function differenceBar(difference: number, interval: Interval | null): Markup {
  const x = (value: number) => round(EDGE + ((value + 1) / 2) * (WIDTH - 2 * EDGE))
  const middle = HEIGHT / 2
  const ticks = [-1, 0, 1].map(
    (at) => html`<path class="tick" d="M${x(at)} ${middle - (at === 0 ? 10 : 5)}v${at === 0 ? 20 : 10}"/>`,
  )
  const band =
    interval === null ? null : html`<path class="band" d="M${x(interval.low)} ${middle}H${x(interval.high)}"/>`
  return html`<svg class="interval" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true"><path class="axis" d="M${x(-1)} ${middle}H${x(1)}"/>${ticks}${band}<circle class="dot" cx="${x(difference)}" cy="${middle}" r="5"/></svg>`
}
