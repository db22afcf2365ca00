import type { Plan } from '../generate/plan.ts'
import { columns } from '../report/columns.ts'
import { describeCatalogue, describePrice } from '../report/facts.ts'
import { dollars, number, percent, plural, UNKNOWN } from '../report/format.ts'
import { plainText } from '../report/plain-text.ts'
import { capWords, kindWords } from '../report/plan-words.ts'
import { type ComparisonPower, type PlannedComparison, statePlanPower } from '../report/planned-comparisons.ts'
import { wordPower } from '../report/power-words.ts'
import type { Forecast, ForecastOptions } from '../sweep/forecast.ts'

export interface PlanView {
  readonly plan: Plan
  readonly hash: string
  readonly forecast: Forecast
  readonly options: ForecastOptions
  readonly comparisons: readonly PlannedComparison[]
  readonly powers: readonly ComparisonPower[]
  readonly notes: readonly string[]
}

/** What a terminal shows of a plan: what it asks, costs, compares and can see. */
export function planText(view: PlanView): string {
  const { plan, hash, forecast, notes } = view
  const { corpus } = plan
  return [
    `${corpus.name}: ${plural(plan.fixtures.length, 'problem')} (${corpus.split}), ${plural(plan.samples, 'sample')} each, in ${plural(forecast.rows, 'row')}: ${plural(forecast.attempts, 'attempt')}`,
    ...(plan.catalogue === null ? [] : [`catalogue of models: ${describeCatalogue(plan.catalogue)}`]),
    '',
    ...subjectLines(view),
    '',
    ...costLines(view),
    '',
    ...comparisonLines(view),
    '',
    ...powerLines(view),
    ...(notes.length === 0 ? [] : ['', 'Before the run:', ...notes.map((note) => `  ${note}`)]),
    '',
    `plan ${hash}`,
  ]
    .map(plainText)
    .join('\n')
}

function subjectLines({ plan, forecast }: PlanView): string[] {
  const rows = plan.subjects.map(({ id, cutoff, contextTokens }) => {
    const found = forecast.subjects.find(({ subject }) => subject === id)
    const conditions = plan.cells.filter(({ subject }) => subject === id).map(({ condition }) => condition)
    return [
      id,
      conditions.join(', '),
      number(found?.attempts ?? 0),
      contextTokens === null ? UNKNOWN : number(contextTokens),
      cutoff.date === null ? `${UNKNOWN} (${cutoff.source})` : `${cutoff.date} (${cutoff.source})`,
      found === undefined || found.uncontaminated === null
        ? UNKNOWN
        : `${number(found.uncontaminated)} of ${number(plan.fixtures.length)}`,
    ]
  })
  // The cutoff's column is the longest, so it comes last.
  const order = ([subject, help, attempts, context, cutoff, clean]: readonly string[]) =>
    [subject, help, attempts, context, clean, cutoff].map((cell) => cell ?? '')
  // Problems that training data touches are after the cutoff and still not clean, so the column is not called by it.
  const head = ['subject', 'help', 'attempts', 'context', 'knowledge cutoff', 'uncontaminated']
  return columns([order(head), ...rows.map(order)])
}

function costLines({ plan, forecast, options }: PlanView): string[] {
  const rows = forecast.subjects.map(({ subject, isAsked, promptTokens, expectedUsd, worstUsd }) => {
    const price = plan.subjects.find(({ id }) => id === subject)
    if (!isAsked || price === undefined) return [subject, 'not asked', '$0', '$0', '']
    const priced = price.price === null ? UNKNOWN : `${describePrice(price)}; ${price.price.source}`
    return [subject, number(promptTokens), dollars(expectedUsd), dollars(worstUsd), priced]
  })
  const { expectedUsd, worstUsd } = forecast
  const hasFixTurn = plan.subjects.some((subject) => subject.hasFixTurn)
  return [
    ...columns([
      ['cost', 'prompt tokens', 'expected', 'worst case', 'price of a million tokens, in and out'],
      ...rows,
      ['in all', '', dollars(expectedUsd), dollars(worstUsd), ''],
    ]),
    ...capWords(
      plan.caps,
      forecast,
      forecast.subjects.some(({ isAsked }) => isAsked),
    ),
    `Expected: prompts as counted with o200k_base, ${number(options.expectedTokens)} tokens an answer, no retries. Worst case: what the ledger would reserve: prompts at a token a byte, answers as long as allowed, ${plural(options.requestsPerSample, 'request')} billed for each ${hasFixTurn ? 'turn' : 'attempt'}.`,
    ...(hasFixTurn
      ? [
          'Subjects that end in +fix1: both amounts count a second turn for every attempt, as if every first answer failed; prompt tokens are those of first turns.',
        ]
      : []),
  ]
}

const COMPARISONS_SHOWN = 20

function comparisonLines({ comparisons }: PlanView): string[] {
  if (comparisons.length === 0) return ['comparisons: none, there is one row for each subject and kind of help']
  const shown = comparisons
    .slice(0, COMPARISONS_SHOWN)
    .map(({ kind, cells }) => ['', `${cells[0]} / ${cells[1]}`, kindWords[kind]])
  const more = comparisons.length - shown.length
  return [
    `comparisons, paired by problem: ${number(comparisons.length)}`,
    ...columns(shown),
    ...(more > 0 ? [`  and ${number(more)} more`] : []),
  ]
}

function powerLines({ plan, comparisons, powers }: PlanView): string[] {
  const [first] = powers[0]?.statements ?? []
  if (first === undefined) return [`against another run: ${wordPower(statePlanPower(plan), 'independent problem')}`]
  const alpha = `5 %${comparisons.length === 1 ? '' : ` / ${number(comparisons.length)}`}`
  const gaps = powers[0]?.statements.map(({ gap }) => `${points(gap)} seen`) ?? []
  const rows = powers.map(({ kind, statements }) => [
    kindWords[kind],
    ...statements.map(({ power }) => range(percent(power.min), percent(power.max))),
    ...statements
      .slice(0, 1)
      .map(({ neededN: { min, max } }) =>
        min === null || max === null ? 'no practical number' : range(number(min), number(max)),
      ),
  ])
  return [
    `what it can see, over ${plural(first.n, 'independent problem')}: chance that a true difference is noticed, at alpha ${alpha}`,
    ...columns([['', ...gaps, `problems to see ${points(first.gap)} ${percent(first.target)} of the time`], ...rows]),
    'Method: exact two-sided McNemar test on first samples, at the strictest level of the Holm procedure over all comparisons; ranges are over the planned share of problems that only the worse row passes.',
  ]
}

function range(low: string, high: string): string {
  return low === high ? low : `${low} to ${high}`
}

function points(gap: number): string {
  return `${number(gap * 100)} points`
}
