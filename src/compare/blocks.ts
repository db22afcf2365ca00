import { number, plural } from '../report/format.ts'
import { listGateRefusals } from '../report/gate-refusals.ts'
import { groupBy } from '../report/group-by.ts'
import type { AttemptRecord } from '../score/record.ts'
import { attemptsOf, type JoinedRows } from './joined-rows.ts'
import type { ReportRow, RowPair } from './pair-rows.ts'

/** Why nothing may be decided, although all that must agree does. */
export interface Block {
  readonly side: 'base' | 'head'
  readonly reason: string
}

/** What a report says, or its own plan and end say, against gating on it; and cheating of HEAD's row. */
export function listReportBlocks(side: Block['side'], row: ReportRow): Block[] {
  const { report } = row
  // Worked out again: the list in a file may have been emptied.
  const refusals = new Set([...report.gateRefusals, ...listGateRefusals(report)])
  const { fixtures, cells, subjects, conditions, prompts } = report.plan
  const cheated = side === 'head' ? attemptsOf(row).filter(isCheated).length : 0
  return [
    ...[...refusals].map((reason) => ({ side, reason })),
    ...[
      countTwice('problem', fixtures, ({ id }) => id),
      countTwice('row', cells, ({ id }) => id),
      countTwice('subject', subjects, ({ id }) => id),
      countTwice('condition', conditions, ({ name }) => name),
      countTwice('prompt', prompts, ({ fixture, condition }) => JSON.stringify([fixture, condition])),
    ].flatMap((reason) => (reason === null ? [] : [{ side, reason }])),
    ...(cheated === 0 ? [] : [{ side, reason: `${plural(cheated, 'attempt')} cheated` }]),
  ]
}

/** A plan from elsewhere may name a thing twice: it would then count twice, or which is meant be anyone's guess. */
function countTwice<Item>(noun: string, items: readonly Item[], nameOf: (item: Item) => string): string | null {
  const twice = items.length - new Set(items.map(nameOf)).size
  return twice === 0 ? null : `plans ${plural(twice, noun)} more than once`
}

/** What keeps the attempts of a row over these problems from being the planned ones, each with a verdict. */
export function listAttemptBlocks(side: Block['side'], row: ReportRow, fixtures: readonly string[]): Block[] {
  const { samples } = row.report.plan
  const wanted = new Set(fixtures)
  const attempts = attemptsOf(row).filter(({ fixture }) => wanted.has(fixture))
  const ofFixture = groupBy(attempts, ({ fixture }) => fixture)
  const reasons = fixtures.flatMap((fixture) => listGaps(ofFixture.get(fixture) ?? [], samples))
  return [...groupBy(reasons, (reason) => reason)].map(([reason, all]) => ({
    side,
    reason: `${reason}: ${plural(all.length, 'attempt')}`,
  }))
}

/** One reason for each sample that has no verdict, or that nobody planned. */
function listGaps(attempts: readonly AttemptRecord[], samples: number): string[] {
  const drawn = new Set(attempts.map(({ sample }) => sample).filter((sample) => sample >= 0 && sample < samples))
  return [
    ...Array.from({ length: attempts.length - drawn.size }, () => 'not of the plan'),
    ...Array.from({ length: samples - drawn.size }, () => 'not recorded'),
    ...attempts.flatMap(({ completion, verification }) => {
      if (completion.kind === 'infra-error') return [`infra error (${completion.class})`]
      if (completion.kind === 'not-attempted') return [`not attempted (${completion.why})`]
      return verification === null ? ['not verified'] : []
    }),
  ]
}

const NAMED = 20

/** Problems that HEAD lost, or that there is nothing to compare on. */
export function listFixtureBlocks({ onlyInBase, plan }: JoinedRows): Block[] {
  const named = onlyInBase.slice(0, NAMED).join(', ')
  const more = onlyInBase.length > NAMED ? ` and ${number(onlyInBase.length - NAMED)} more` : ''
  return [
    ...(onlyInBase.length === 0
      ? []
      : [{ side: 'head' as const, reason: `lacks ${plural(onlyInBase.length, 'problem')} of BASE: ${named}${more}` }]),
    ...(plan.fixtures.length > 0 ? [] : [{ side: 'head' as const, reason: 'shares no problem with BASE' }]),
  ]
}

/** The same run under the same row tells nothing. */
export function listIdentityBlocks({ base, head }: RowPair): Block[] {
  const isSame = base.report.run.id === head.report.run.id && base.cell.id === head.cell.id
  return isSame ? [{ side: 'head', reason: 'is the very row of BASE' }] : []
}

function isCheated({ verification, first }: AttemptRecord): boolean {
  return [verification, first?.verification].some((each) => each?.verdict.kind === 'cheated')
}
