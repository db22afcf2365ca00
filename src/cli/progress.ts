import { plural } from '../report/format.ts'
import type { SweepEvent } from '../sweep/run-sweep.ts'
import { plainText } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

export interface Progress {
  show(event: SweepEvent): void
  end(): void
}

interface CellCount {
  done: number
  passed: number
  missing: number
}

/** Where no one watches, a line is printed at most this often. */
const PLAIN_SHARE = 0.1

/** Live progress on a terminal, a plain line at every tenth elsewhere. */
export function createProgress(terminal: Terminal): Progress {
  const cells = new Map<string, CellCount>()
  let total = 0
  let done = 0
  let printed = 0
  return {
    show(event) {
      if (event.kind === 'warning') {
        terminal.note(plainText(`warning: ${event.text}`))
      } else if (event.kind === 'planned') {
        const { plan } = event
        total = event.attempts
        for (const cell of plan.cells) cells.set(cell.id, { done: 0, passed: 0, missing: 0 })
        terminal.note(
          plainText(
            `${plan.corpus.name}: ${plural(plan.fixtures.length, 'problem')} (${plan.corpus.split}), ${plural(plan.cells.length, 'row')}, ${plural(plan.samples, 'sample')} each: ${plural(total, 'attempt')}`,
          ),
        )
        if (event.kept > 0) terminal.note(`resumed: ${plural(event.kept, 'answer')} kept, to be verified again`)
        for (const { fixture, reason } of plan.excluded) {
          terminal.note(plainText(`left out, because its reference fails: ${fixture} (${reason})`))
        }
        terminal.live('preflight: checking that references pass and planted bad programs fail ...')
      } else if (event.kind === 'preflight') {
        const { references, saboteurs, failures, elapsedMs } = event.line
        const outcome =
          failures.length === 0
            ? `${references} of ${references} references pass, ${saboteurs} of ${saboteurs} planted bad programs caught`
            : plural(failures.length, 'failure')
        terminal.note(`preflight: ${outcome} (${(elapsedMs / 1000).toFixed(1)} s)`)
      } else {
        const cell = cells.get(event.cell)
        if (cell === undefined) return
        done++
        cell.done++
        if (event.verdict === null) cell.missing++
        if (event.verdict?.kind === 'passed') cell.passed++
        terminal.live(line(event.spentUsd))
        if (!terminal.isInteractive && (done >= printed + total * PLAIN_SHARE || done === total)) {
          printed = done
          terminal.note(line(event.spentUsd))
        }
      }
    },
    end: () => terminal.live(null),
  }

  function line(spentUsd: number): string {
    const missing = [...cells.values()].reduce((sum, cell) => sum + cell.missing, 0)
    const parts = [`${done}/${total} attempts`]
    if (missing > 0) parts.push(`${missing} without an answer`)
    if (spentUsd > 0) parts.push(`$${spentUsd.toFixed(4)} spent`)
    const perCell = [...cells].map(([id, cell]) => `${id} ${cell.passed}/${cell.done - cell.missing}`)
    return plainText(`${parts.join(', ')} | ${perCell.join(', ')}`)
  }
}
