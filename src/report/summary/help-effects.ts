import { number, percent, percentRange, percentTenths, plural } from '../format.ts'
import type { HelpCurve, HelpEffects, Lift, PooledLift } from '../help-effects-schema.ts'
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
import { blocks, table, text, unbroken } from './text.ts'

/** Rates under growing help, lifts and ablations, at most `limit` lines of each; null where nothing was compared. */
export function helpSection({ helpEffects }: Report, limit: number): string | null {
  if (helpEffects === null) return null
  const parts = [
    curvesTable(helpEffects.curves.slice(0, limit)),
    liftsTable(helpEffects, limit),
    ...explainLifts(helpEffects).map((words) => text(words, 1000)),
    ablationsTable(helpEffects, limit),
    ...explainAblations(helpEffects).map((words) => text(words, 1000)),
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : ['### What help buys', ...parts].join('\n\n')
}

/** Pass rates under growing help, a line a subject. */
function curvesTable(curves: readonly HelpCurve[]): string | null {
  if (curves.length === 0) return null
  const rungs = new Map(curves.flatMap(({ points }) => points.map((point) => [point.condition, point.tokens] as const)))
  const conditions = [...rungs].sort(([, a], [, b]) => a - b)
  const body = curves.map(({ subject, points }) => [
    `**${text(subject)}**`,
    ...conditions.map(([condition]) => {
      const point = points.find((each) => each.condition === condition)
      return point === undefined
        ? ''
        : `${blocks(point.rate)}<br>${unbroken(`${number(point.passed)} of ${number(point.of)} (${percentTenths(point.rate)})`)}${inBrackets(point.interval === null ? null : percentRange(point.interval))}`
    }),
  ])
  const head = [
    '',
    ...conditions.map(([condition, tokens]) => `${text(condition)}<br>${unbroken(`${number(tokens)} tokens`)}`),
  ]
  return table(head, body, `l${'l'.repeat(conditions.length)}`)
}

function liftsTable({ lifts, pooledLifts, curves }: HelpEffects, limit: number): string | null {
  if (lifts.length === 0) return null
  const neededOf = new Map(curves.map(({ subject, needed }) => [subject, needed]))
  const targets = curves[0]?.needed.map(({ target }) => target) ?? []
  const body = [
    ...lifts.slice(0, limit).map((lift) => [
      `**${text(lift.subject)}**`,
      ...liftCells(lift),
      ...targets.map((target) => {
        const needed = neededOf.get(lift.subject)?.find((each) => each.target === target)
        if (needed === undefined) return '–'
        return `${text(describeNeeded(needed))}${inBrackets(describeNeededRange(needed))}`
      }),
    ]),
    ...pooledLifts.map((lift) => [
      `mean of ${plural(lift.subjects.length, 'subject')}`,
      ...liftCells(lift),
      ...targets.map(() => '–'),
    ]),
  ]
  const head = ['', 'Help', 'Lift', 'Problems', ...targets.map((target) => `Tokens for ${percent(target)}`)]
  const more = lifts.length > limit ? `\n\n${plural(lifts.length - limit, 'subject')} more in report.json.` : ''
  return table(head, body, `lllr${'l'.repeat(targets.length)}`) + more
}

function liftCells(lift: Lift | PooledLift): string[] {
  if (lift.difference === null) return [unbroken(text(describeRungs(lift))), text(lift.reason ?? ''), '']
  return [
    unbroken(text(describeRungs(lift))),
    `${points(lift.difference)}${inBrackets(lift.interval === null ? null : pointsRange(lift.interval))}`,
    `${describeMoreLess(lift)}<br>of ${number(lift.fixtures)}`,
  ]
}

function ablationsTable({ ablations }: HelpEffects, limit: number): string | null {
  if (ablations.length === 0) return null
  const body = ablations
    .slice(0, limit)
    .map((each) => [
      `**${text(each.subject)}**`,
      `${text(each.base)} without ${text(each.section)}`,
      number(each.tokens),
      each.difference === null
        ? text(each.reason ?? '')
        : `${points(each.difference)}${inBrackets(each.interval === null ? null : pointsRange(each.interval))}`,
      each.difference === null ? '' : `${describeMoreLess(each)}<br>of ${number(each.fixtures)}`,
      each.p === null ? '' : pValue(each.p),
      each.adjustedP === null ? '' : pValue(each.adjustedP),
    ])
  const head = ['', 'Left out', 'Tokens', 'With less without', 'Problems', 'p', 'p by Holm']
  const more = ablations.length > limit ? `\n\n${plural(ablations.length - limit, 'line')} more in report.json.` : ''
  return table(head, body, 'llrlrrr') + more
}

function inBrackets(range: string | null): string {
  return range === null ? '' : `<br>${unbroken(`(${range})`)}`
}
