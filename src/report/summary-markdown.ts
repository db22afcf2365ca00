import { caveatTitles } from './caveat-titles.ts'
import { describeOrigin, describeSampling, listFacts } from './facts.ts'
import { plural } from './format.ts'
import { headlineOf } from './headline.ts'
import type { Report } from './schema.ts'
import { comparisonsSection, rankedSection } from './summary/comparisons.ts'
import { failuresSection, problemsSection } from './summary/details.ts'
import { fixesSection } from './summary/fixes.ts'
import { helpSection } from './summary/help-effects.ts'
import { matchedCostSection } from './summary/matched-cost.ts'
import { consumptionSection, rowsTable } from './summary/rows.ts'
import { folded, text } from './summary/text.ts'

/** A job summary is cut off at 1 MiB; this leaves room for what stands around it. */
export const SUMMARY_BYTES = 900 * 1024

/** How much of what always stands in a summary is shown: all of it as a rule, less where texts are huge. */
const LEVELS = [
  { rows: 100, caveats: 30, characters: 1000 },
  { rows: 20, caveats: 10, characters: 300 },
  { rows: 5, caveats: 2, characters: 300 },
] as const
type Level = (typeof LEVELS)[number]
/** Pairs grow with the square of the rows. */
const MATCHED_SHOWN = 20

/**
 * `summary.md`: GitHub-flavoured Markdown of at most `limitBytes` (at least 64 KiB). Headline, power statement, rows
 * and caveat always stand in it; where it would be too long, details are left out, the longest first, with a pointer
 * to report.json.
 */
export function renderSummary(report: Report, limitBytes = SUMMARY_BYTES): string {
  for (const level of LEVELS) {
    const parts = listParts(report, level)
    const longestFirst = parts.filter(({ isCore }) => !isCore).sort((a, b) => b.markdown.length - a.markdown.length)
    for (let left = 0; left <= longestFirst.length; left++) {
      const gone = new Set(longestFirst.slice(0, left))
      const kept = parts.filter((part) => !gone.has(part)).map(({ markdown }) => markdown)
      const summary = `${[...kept, footer(left)].join('\n\n')}\n`
      if (Buffer.byteLength(summary) <= limitBytes) return summary
    }
  }
  throw new Error(`no summary of ${limitBytes} bytes can be made`)
}

interface Part {
  readonly markdown: string
  /** Stands in every summary, however short. */
  readonly isCore: boolean
}

function listParts(report: Report, level: Level): Part[] {
  const core = (markdown: string) => ({ markdown, isCore: true })
  const detail = (markdown: string | null) => (markdown === null ? [] : [{ markdown, isCore: false }])
  return [
    core(headline(report)),
    core(rowsTable(report, level.rows)),
    ...detail(comparisonsSection(report, level.rows)),
    ...detail(rankedSection(report)),
    ...detail(helpSection(report, level.rows)),
    ...detail(failuresSection(report)),
    ...detail(fixesSection(report)),
    ...detail(consumptionSection(report, level.rows)),
    ...detail(matchedCostSection(report, MATCHED_SHOWN)),
    core(caveat(report, level)),
    ...detail(problemsSection(report)),
    ...detail(aboutRun(report)),
  ]
}

function headline(report: Report): string {
  const { title, labels, loud } = headlineOf(report)
  const words = labels.map((label) => (loud.includes(label) ? `**${text(label, 300)}**` : text(label, 300)))
  const [power] = report.caveat
  const claims = report.caveat.find(({ id }) => id === 'claims')
  return `## ${text(title)}

${words.join(' · ')}

> **What these numbers can show.** ${text(power?.text ?? '', 1000)}
>
> ${text(claims?.text ?? '', 1000)}`
}

/** All of the caveat but what stands under the headline. */
function caveat(report: Report, { caveats, characters }: Level): string {
  const others = report.caveat.slice(1).filter(({ id }) => id !== 'claims')
  const items = others
    .slice(0, caveats)
    .map(({ id, text: words }) => `- **${text(caveatTitles[id] ?? id)}.** ${text(words, characters)}`)
  const more = others.length > caveats ? [`- ${plural(others.length - caveats, 'point')} more in report.json.`] : []
  return `### Before you quote a number\n\n${[...items, ...more].join('\n')}`
}

function aboutRun(report: Report): string {
  const subjects = report.plan.subjects.map((subject) => {
    const cutoff = subject.cutoff.date ?? 'unknown'
    return `- **${text(subject.id)}**: harness ${text(subject.harness)}, ${text(describeSampling(subject))}, ${text(describeOrigin(subject))}, knowledge cutoff ${text(cutoff)} (${text(subject.cutoff.source)})`
  })
  const facts = listFacts(report).map(([name, words]) => `- ${name}: ${text(words, 400)}`)
  return folded('What was run', [...subjects, ...facts].join('\n'))
}

function footer(left: number): string {
  const gone =
    left === 0 ? '' : ` ${plural(left, 'section')} did not fit here and ${left === 1 ? 'is' : 'are'} left out.`
  return `Every program, answer and verdict: \`report.html\`. Every number: \`report.json\`.${gone}`
}
