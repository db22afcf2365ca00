import { createHash } from 'node:crypto'
import { headlineOf } from './headline.ts'
import { nameAnchors } from './html/anchors.ts'
import { attemptsSection } from './html/attempts.ts'
import { caveatLead, caveatSection } from './html/caveat.ts'
import { comparisonsSection } from './html/comparisons.ts'
import { failuresSection } from './html/failures.ts'
import { fixesSection } from './html/fixes.ts'
import { groupsSection } from './html/groups.ts'
import { helpSection } from './html/help-effects.ts'
import { html, trust } from './html/markup.ts'
import { matchedCostSection } from './html/matched-cost.ts'
import { matrixSection } from './html/matrix.ts'
import { promptsSection } from './html/prompts.ts'
import { provenanceSection } from './html/provenance.ts'
import { rowsSection } from './html/rows.ts'
import { style } from './html/style.ts'
import type { Report } from './schema.ts'

/**
 * `report.html`: one self-contained file that works from disk. It has no script, and its policy allows nothing but the
 * one style sheet it carries, so that no text of a model can do or fetch anything.
 */
export function renderHtml(report: Report): string {
  const anchors = nameAnchors(report)
  const [help, matchedCost] = [helpSection(report), matchedCostSection(report)]
  const hasFixes = report.rows.some(({ fix }) => fix !== null)
  const shown = sections.filter(
    ([id]) =>
      (id !== 'comparisons' || report.comparisons.length > 0) &&
      (id !== 'help' || help !== null) &&
      (id !== 'matched' || matchedCost !== null) &&
      (id !== 'fixes' || hasFixes),
  )
  const { title, labels, loud } = headlineOf(report)
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trust(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trust(style)}</style>
</head>
<body>
<header>
<p class="eyebrow">Vox Efficacy Benchmark</p>
<h1>${title}</h1>
<ul class="labels">${labels.map((text) => html`<li${loud.includes(text) ? html` class="loud"` : null}>${text}</li>`)}</ul>
${caveatLead(report)}
</header>
<nav aria-label="Sections"><ul>${shown.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<main>
${rowsSection(report)}
${comparisonsSection(report)}
${help}
${failuresSection(report)}
${fixesSection(report)}
${matchedCost}
${caveatSection(report)}
${groupsSection(report)}
${matrixSection(report, anchors)}
${attemptsSection(report, anchors)}
${promptsSection(report, anchors)}
${provenanceSection(report)}
</main>
<footer><p>Made by ${report.tool.name} ${report.tool.version} from the journal of run ${report.run.id}. report.json beside this file has every number.</p></footer>
</body>
</html>
`
  return page.markup
}

const sections = [
  ['rows', 'Rows'],
  ['comparisons', 'Comparisons'],
  ['help', 'What help buys'],
  ['failures', 'Where attempts end'],
  ['fixes', 'What diagnostics mend'],
  ['matched', 'Cost on problems both solve'],
  ['caveat', 'Before you quote a number'],
  ['groups', 'By difficulty and tag'],
  ['problems', 'Problem by problem'],
  ['attempts', 'Attempts'],
  ['prompts', 'Prompts'],
  ['provenance', 'What was run'],
] as const
