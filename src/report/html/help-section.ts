import { number, percent } from '../format.ts'
import type { HelpCurve } from '../help-curves.ts'
import { helpCurvePlot } from './help-curve.ts'
import { html, type Markup } from './markup.ts'

/** Pass rates under growing help, as a plot and in numbers; null where no subject has two rungs. */
export function helpSection(curves: readonly HelpCurve[]): Markup | null {
  if (curves.length === 0) return null
  return html`<section id="help" aria-labelledby="help-title">
<h2 id="help-title">Language help and pass rate</h2>
<p class="note">Problems whose first sample passed, under growing amounts of help in the prompt; 95 % Clopper-Pearson intervals.</p>
<div class="beside">${helpCurvePlot(curves)}${helpCurveTable(curves)}</div>
</section>`
}

/** The numbers of the plot. */
function helpCurveTable(curves: readonly HelpCurve[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Numbers of the plot"><table>
<thead><tr><th scope="col">Help</th><th scope="col" class="number">Tokens</th><th scope="col" class="number">Passed</th><th scope="col" class="number">Rate</th></tr></thead>
${curves.map(
  ({
    subject,
    points,
  }) => html`<tbody><tr class="group"><th scope="rowgroup" colspan="4"><span class="subject">${subject}</span></th></tr>
${points.map((point) => html`<tr><th scope="row"><span class="condition">${point.condition}</span></th><td class="number">${number(point.tokens)}</td><td class="number">${point.passed} of ${point.fixtures}</td><td class="number">${percent(point.rate)}</td></tr>`)}</tbody>`,
)}</table></div>`
}
