import { BenchError } from '../bench-error.ts'
import { groupBy } from '../report/group-by.ts'
import type { Report } from '../report/schema.ts'
import { attemptsOf } from './joined-rows.ts'
import { listMismatches } from './mismatches.ts'
import type { ReportRow } from './pair-rows.ts'

/** What became of one problem when it was asked again. */
export interface Draws {
  readonly passed: number
  readonly judged: number
}

/**
 * Further draws of HEAD's row, by problem. They label the list of changes and enter no test: only problems under
 * suspicion are drawn again, so counting them would pull every loss towards none.
 *
 * @throws BenchError `compare/draws` where they are not draws of the same thing, listing every difference.
 */
export function readDraws(head: ReportRow, draws: Report): Map<string, Draws> {
  const row = findRow(head, draws)
  const problems =
    row === null
      ? [`it has no row of ${head.subject.id} under ${head.condition.name}`]
      : [
          ...(draws.run.id === head.report.run.id ? ['it is the run of HEAD itself'] : []),
          ...listMismatches(head, row, { samples: false }).map(
            ({ field, base, head: drawn }) => `${field} is ${base} in HEAD and ${drawn} in it`,
          ),
          ...(head.subject.served?.weights === row.subject.served?.weights ? [] : ['its weights are others']),
        ]
  if (row === null || problems.length > 0) {
    throw new BenchError({
      code: 'compare/draws',
      message: `The report given with --draws is not of further draws of HEAD: ${problems.slice(0, 5).join('; ')}.`,
      hint: 'Ask the same subject again, with the same corpus, engine, condition and sampling, in a run of its own.',
    })
  }
  return new Map([...groupBy(attemptsOf(row), ({ fixture }) => fixture)].map(([id, all]) => [id, countDraws(all)]))
}

function findRow({ subject, condition }: ReportRow, draws: Report): ReportRow | null {
  const { plan } = draws
  const cell = plan.cells.find((each) => each.subject === subject.id && each.condition === condition.name)
  const own = plan.subjects.find(({ id }) => id === subject.id)
  const help = plan.conditions.find(({ name }) => name === condition.name)
  const isOther = own?.model !== subject.model || own.checkpoint !== subject.checkpoint
  if (cell === undefined || own === undefined || help === undefined || isOther) return null
  return { report: draws, cell, subject: own, condition: help }
}

function countDraws(attempts: Report['attempts']): Draws {
  const judged = attempts.filter(
    ({ completion, verification }) => completion.kind === 'answered' && verification !== null,
  )
  return {
    judged: judged.length,
    passed: judged.filter(({ verification }) => verification?.verdict.kind === 'passed').length,
  }
}
