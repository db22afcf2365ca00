import type { Plan } from '../generate/plan.ts'
import { dollars, number, percent, plural } from '../report/format.ts'
import { capWords, kindWords } from '../report/plan-words.ts'
import { type ComparisonPower, listComparisons, statePlanPower, statePowers } from '../report/planned-comparisons.ts'
import { renderPowerChart } from '../report/power-chart.ts'
import { gapWords, neededWords, powerRange } from '../report/power-plan-words.ts'
import { wordPower } from '../report/power-words.ts'
import { table, text, unbroken } from '../report/summary/text.ts'
import type { Forecast, ForecastOptions } from '../sweep/forecast.ts'

export interface PlanView {
  readonly plan: Plan
  readonly hash: string
  readonly forecast: Forecast
  readonly options: ForecastOptions
  /** What to know before the run. */
  readonly notes: readonly string[]
}

const WORDS = 1000
const SUBJECTS_SHOWN = 100
const CONDITIONS_SHOWN = 10

/** What a run of a plan would ask, cost and be able to see, as Markdown of a job summary. */
export function renderPlan(view: PlanView): string {
  const { plan, hash, forecast, notes } = view
  return [
    `## Plan: ${text(plan.corpus.name)}, ${plural(plan.fixtures.length, 'problem')}, ${plural(forecast.attempts, 'attempt')}`,
    costs(view),
    sight(plan),
    ...(notes.length === 0
      ? []
      : [
          `### Before the run\n\n${notes
            .slice(0, 20)
            .map((note) => `- ${text(note, WORDS)}`)
            .join('\n')}`,
        ]),
    `Nothing was asked yet. Plan \`${hash.slice(0, 12)}\`.`,
  ].join('\n\n')
}

function costs({ plan, forecast, options }: PlanView): string {
  const helpOf = (subject: string) =>
    plan.cells.filter((cell) => cell.subject === subject).map(({ condition }) => text(condition))
  const rows = forecast.subjects
    .slice(0, SUBJECTS_SHOWN)
    .map(({ subject, attempts, isAsked, expectedUsd, worstUsd }) => [
      `**${text(subject)}**`,
      listHelp(helpOf(subject)),
      number(attempts),
      isAsked ? text(dollars(expectedUsd)) : 'not asked',
      isAsked ? text(dollars(worstUsd)) : '',
    ])
  const { expectedUsd, worstUsd } = forecast
  const all = ['in all', '', number(forecast.attempts), text(dollars(expectedUsd)), text(dollars(worstUsd))]
  const isAsked = forecast.subjects.some((subject) => subject.isAsked)
  const caps = capWords(plan.caps, forecast, isAsked)
  return [
    table(
      ['Subject', 'Help', 'Attempts', 'Expected', 'At worst'],
      forecast.subjects.length > 1 ? [...rows, all] : rows,
      'llrrr',
    ),
    ...(forecast.subjects.length > SUBJECTS_SHOWN
      ? [`${plural(forecast.subjects.length - SUBJECTS_SHOWN, 'subject')} more.`]
      : []),
    ...caps.map((line) => `**${text(line[0]?.toUpperCase() + line.slice(1), WORDS)}.**`),
    ...(isAsked
      ? [
          `Expected: ${number(options.expectedTokens)} tokens an answer and no retries. At worst: a prompt token a byte, answers as long as allowed, ${plural(options.requestsPerSample, 'request')} billed for each.`,
        ]
      : []),
  ].join('\n\n')
}

function listHelp(names: readonly string[]): string {
  const more = names.length - CONDITIONS_SHOWN
  return names.slice(0, CONDITIONS_SHOWN).join(', ') + (more > 0 ? ` and ${number(more)} more` : '')
}

function sight(plan: Plan): string {
  const powers = statePowers(plan, listComparisons(plan))
  const statement = statePlanPower(plan)
  const lead = `> ${text(wordPower(statement, 'independent problem'), WORDS)}`
  const compared =
    powers.length === 0
      ? [`It compares nothing of itself; against another run:\n\n${lead}`]
      : [lead, sightTable(powers)]
  return ['### What it could see', ...compared, renderPowerChart(statement)].join('\n\n')
}

function sightTable(powers: readonly ComparisonPower[]): string {
  const gaps = powers[0]?.statements.map(({ gap }) => gapWords(gap)) ?? []
  const rows = powers.map(({ kind, comparisons, statements }) => [
    kindWords[kind],
    number(comparisons),
    ...statements.map(({ power }) => unbroken(powerRange(power))),
    ...statements.slice(0, 1).map(({ neededN }) => neededWords(neededN)),
  ])
  const target = percent(powers[0]?.statements[0]?.target ?? 0)
  return table(
    ['Compared', 'How many', ...gaps.map((gap) => `${gap} seen`), `Problems to see ${gaps[0]} ${target} of the time`],
    rows,
    `lr${'r'.repeat(gaps.length)}r`,
  )
}
