import { capOf, countAttempts, shardText } from '../generate/shard.ts'
import { plural } from '../report/format.ts'
import { plainText } from '../report/plain-text.ts'
import type { SweepEvent } from '../sweep/run-sweep.ts'
import { createPace, type Pace } from './pace.ts'
import { type CellProgress, progressLines, type RunProgress, totalsLine } from './progress-table.ts'
import type { LiveView, Terminal } from './terminal.ts'

export interface Progress {
  show(event: SweepEvent): void
  end(): void
}

type Counted = { -readonly [Field in keyof CellProgress]: CellProgress[Field] } & { readonly endpoint: string }

/** Where no one watches, a line is printed at each tenth, and after this time when there is news. */
const PLAIN_MS = 30_000
/** The estimate of what is left changes while nothing comes in. */
const REFRESH_MS = 1000

/**
 * A live table on a terminal, plain lines elsewhere.
 * @param now in milliseconds, from any moment on.
 */
export function createProgress(terminal: Terminal, now: () => number = () => performance.now()): Progress {
  const cells = new Map<string, Counted>()
  let capUsd: number | null = null
  let spentUsd = 0
  let pace: Pace | null = null
  let tenths = 0
  let notedAtMs = now()
  let refresh: NodeJS.Timeout | undefined

  const table: LiveView = (size) => progressLines(run(), size)

  function run(): RunProgress {
    const left = new Map<string, number>()
    for (const { endpoint, planned, done } of cells.values()) {
      left.set(endpoint, (left.get(endpoint) ?? 0) + planned - done)
    }
    return { cells: [...cells.values()], spentUsd, capUsd, remainingMs: pace?.remainingMs(left, now()) ?? null }
  }

  function begin({
    plan,
    shard,
    attempts,
    kept,
    spentByCell,
    spentUsd: earlierUsd,
  }: Extract<SweepEvent, { kind: 'planned' }>): void {
    const planned = countAttempts(plan, shard)
    const endpoints = new Map(plan.subjects.map(({ id, endpoint }) => [id, endpoint]))
    for (const { id, subject } of plan.cells) {
      cells.set(id, {
        name: plainText(id),
        endpoint: endpoints.get(subject) ?? `none, subject ${subject}`,
        planned: planned.get(id) ?? 0,
        ...{ done: 0, passed: 0, infraErrors: 0, notAttempted: 0 },
        spentUsd: spentByCell.get(id) ?? 0,
      })
    }
    capUsd = capOf(plan.caps.runUsd, shard)
    spentUsd = earlierUsd
    terminal.note(
      plainText(
        `${plan.corpus.name}: ${plural(plan.fixtures.length, 'problem')} (${plan.corpus.split}), ${plural(plan.cells.length, 'row')}, ${plural(plan.samples, 'sample')} each: ${plural(attempts, 'attempt')}${shard === null ? '' : ` in shard ${shardText(shard)}`}`,
      ),
    )
    if (kept > 0) terminal.note(`resumed: ${plural(kept, 'answer')} kept, to be verified again`)
    for (const { fixture, reason } of plan.excluded) {
      terminal.note(plainText(`left out, because its reference fails: ${fixture} (${reason})`))
    }
    terminal.live('preflight: checking that references pass and planted bad programs fail ...')
  }

  function endPreflight({ line }: Extract<SweepEvent, { kind: 'preflight' }>): void {
    const { references, saboteurs, failures, elapsedMs } = line
    const outcome =
      failures.length === 0
        ? `${references} of ${references} references pass, ${saboteurs} of ${saboteurs} planted bad programs caught`
        : plural(failures.length, 'failure')
    terminal.note(`preflight: ${outcome} (${(elapsedMs / 1000).toFixed(1)} s)`)
    pace = createPace(now())
    terminal.live(table)
    if (terminal.isInteractive) refresh = setInterval(() => terminal.live(table), REFRESH_MS).unref()
  }

  function count(event: Extract<SweepEvent, { kind: 'attempt' }>): void {
    const cell = cells.get(event.cell)
    if (cell === undefined) return
    const last = event.completions.at(-1)
    cell.done++
    if (event.verdict?.kind === 'passed') cell.passed++
    if (last?.kind === 'infra-error') cell.infraErrors++
    if (last?.kind === 'not-attempted') cell.notAttempted++
    cell.spentUsd = event.cellSpentUsd
    spentUsd = event.spentUsd
    if (event.isAsked) pace?.add(cell.endpoint, now())
    if (terminal.isInteractive) terminal.live(table)
    else noteIfDue()
  }

  function noteIfDue(): void {
    const all = [...cells.values()]
    const done = all.reduce((sum, cell) => sum + cell.done, 0)
    const planned = all.reduce((sum, cell) => sum + cell.planned, 0)
    const tenth = Math.floor((10 * done) / planned)
    if (tenth === tenths && now() - notedAtMs < PLAIN_MS) return
    tenths = tenth
    notedAtMs = now()
    terminal.note(totalsLine(run()))
  }

  return {
    show(event) {
      if (event.kind === 'warning') terminal.note(plainText(`warning: ${event.text}`))
      else if (event.kind === 'planned') begin(event)
      else if (event.kind === 'preflight') endPreflight(event)
      else count(event)
    },
    end() {
      clearInterval(refresh)
      terminal.live(null)
    },
  }
}
