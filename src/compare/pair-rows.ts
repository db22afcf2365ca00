import { BenchError } from '../bench-error.ts'
import type { Cell, Condition, Subject } from '../generate/plan.ts'
import { groupBy } from '../report/group-by.ts'
import type { Report } from '../report/schema.ts'
import type { CompareOptions } from './compare-options.ts'

/** What rows are chosen from: a report, or a plan before there is one. */
type Planned = Pick<Report, 'plan'>

/** One row of a report, with what is needed to read it. */
export interface ReportRow<Source extends Planned = Report> {
  readonly report: Source
  readonly subject: Subject
  readonly condition: Condition
  readonly cell: Cell
}

export interface RowPair<Source extends Planned = Report> {
  readonly base: ReportRow<Source>
  readonly head: ReportRow<Source>
}

type Choice = Pick<CompareOptions, 'baseSubject' | 'headSubject' | 'condition'>

/**
 * The two rows to compare: subjects as named; else the only one of each report, the same subject in both, or two
 * checkpoints of one model; under the condition as named or the only one that both have. Where each row has one condition
 * and they differ, they are paired all the same: `listMismatches` tells it beside all else that differs.
 *
 * @throws BenchError `compare/no-subject`, `compare/no-condition`, or `compare/ambiguous` with all that fit.
 */
export function pairRows<Source extends Planned>(base: Source, head: Source, choice: Choice): RowPair<Source> {
  const [baseSubject, headSubject] = pairSubjects(
    findSubjects(base, choice.baseSubject, 'BASE'),
    findSubjects(head, choice.headSubject, 'HEAD'),
  )
  const [inBase, inHead] = [conditionsOf(base, baseSubject), conditionsOf(head, headSubject)]
  const [baseCondition, headCondition] = chooseConditions(inBase, inHead, choice.condition)
  return { base: rowOf(base, baseSubject, baseCondition), head: rowOf(head, headSubject, headCondition) }
}

/**
 * The row of HEAD alone, for a first run.
 * @throws BenchError as `pairRows`.
 */
export function findHeadRow<Source extends Planned>(head: Source, choice: Choice): ReportRow<Source> {
  const subjects = findSubjects(head, choice.headSubject, 'HEAD')
  const [subject] = subjects
  if (subject === undefined || subjects.length > 1) throw ambiguous('subjects of HEAD', namesOf(subjects))
  return rowOf(head, subject, chooseCondition(conditionsOf(head, subject), choice.condition))
}

function findSubjects({ plan }: Planned, id: string | null, side: 'BASE' | 'HEAD'): readonly Subject[] {
  if (id === null) return plan.subjects
  const found = plan.subjects.filter((subject) => subject.id === id)
  if (found.length > 0) return found
  throw new BenchError({
    code: 'compare/no-subject',
    message: `${side} has no subject "${id}".`,
    hint: `Its subjects are: ${listShown(namesOf(plan.subjects), ', ')}.`,
  })
}

function pairSubjects(base: readonly Subject[], head: readonly Subject[]): readonly [Subject, Subject] {
  const pairs = joinBy(base, head, () => '')
  const same = joinBy(base, head, ({ id }) => id)
  const ofModel = joinBy(base, head, modelOf)
  // Where some were left out, one that is left is not the only one.
  const checkpoints = ofModel.length === MAX_PAIRS ? ofModel : ofModel.filter(([one, other]) => isOneModel(one, other))
  const fitting = [pairs, same, checkpoints].find(({ length }) => length === 1)?.[0]
  if (fitting !== undefined) return fitting
  const shown = same.length > 0 ? same : checkpoints.length > 0 ? checkpoints : pairs
  throw ambiguous(
    'pairs of subjects',
    shown.map(([one, other]) => `${one.id} with ${other.id}`),
  )
}

/** More than are ever shown or chosen from. */
const MAX_PAIRS = 1000

/** Pairs of the same key, the first so many: of reports from elsewhere there may be any number. */
function joinBy(base: readonly Subject[], head: readonly Subject[], keyOf: (subject: Subject) => string) {
  const heads = groupBy(head, keyOf)
  const pairs: (readonly [Subject, Subject])[] = []
  for (const one of base) {
    for (const other of heads.get(keyOf(one)) ?? []) {
      if (pairs.length === MAX_PAIRS) return pairs
      pairs.push([one, other])
    }
  }
  return pairs
}

function modelOf({ model, harness }: Subject): string {
  return JSON.stringify([model, harness])
}

/** Another checkpoint of one model, under one harness. */
function isOneModel(one: Subject, other: Subject): boolean {
  return modelOf(one) === modelOf(other) && one.checkpoint !== other.checkpoint
}

/** What kind of difference is planned for: checkpoints of a model fail on much the same problems, other models do not. */
export function kindOfPair({ base, head }: RowPair): 'checkpoints' | 'subjects' {
  return base.subject.id === head.subject.id || isOneModel(base.subject, head.subject) ? 'checkpoints' : 'subjects'
}

function conditionsOf({ plan }: Planned, { id }: Subject): string[] {
  return plan.cells.filter(({ subject }) => subject === id).map(({ condition }) => condition)
}

function chooseConditions(
  inBase: readonly string[],
  inHead: readonly string[],
  wanted: string | null,
): readonly [string, string] {
  const names = new Set(inHead)
  const both = inBase.filter((name) => names.has(name))
  const [[base, ...moreInBase], [head, ...moreInHead]] = [inBase, inHead]
  if (both.length > 0) {
    const condition = chooseCondition(both, wanted)
    return [condition, condition]
  }
  const isOnly = moreInBase.length + moreInHead.length === 0
  if (wanted === null && isOnly && base !== undefined && head !== undefined) return [base, head]
  throw new BenchError({
    code: 'compare/no-condition',
    message: `The two rows share no condition: BASE has ${nameAll(inBase)}, HEAD has ${nameAll(inHead)}.`,
    hint: 'Run both under the same condition.',
  })
}

function nameAll(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'none' : listShown(conditions, ', ')
}

function chooseCondition(both: readonly string[], wanted: string | null): string {
  const fitting = wanted === null ? both : both.filter((name) => name === wanted)
  const [condition] = fitting
  if (condition === undefined) {
    throw new BenchError({
      code: 'compare/no-condition',
      message: wanted === null ? 'The row has no condition.' : `There is no condition "${wanted}" to compare.`,
      hint:
        both.length === 0
          ? 'Run both under the same condition.'
          : `Give --condition one of these: ${listShown(both, ', ')}.`,
    })
  }
  if (fitting.length > 1) throw ambiguous('conditions', fitting)
  return condition
}

function rowOf<Source extends Planned>(report: Source, subject: Subject, name: string): ReportRow<Source> {
  const { plan } = report
  const condition = plan.conditions.find((each) => each.name === name)
  const cell = plan.cells.find((each) => each.subject === subject.id && each.condition === name)
  if (condition === undefined || cell === undefined) throw new Error(`no cell of ${subject.id} under ${name}`)
  return { report, subject, condition, cell }
}

const SHOWN = 20

function ambiguous(what: string, all: readonly string[]): BenchError {
  return new BenchError({
    code: 'compare/ambiguous',
    message: `There are several ${what} that could be compared: ${listShown(all, '; ')}.`,
    hint: 'Choose with --base-subject, --head-subject and --condition; choose before you look at the results.',
  })
}

function listShown(all: readonly string[], separator: string): string {
  const more = all.length > SHOWN ? `, and ${all.length - SHOWN} more` : ''
  return `${all.slice(0, SHOWN).join(separator)}${more}`
}

function namesOf(subjects: readonly Subject[]): string[] {
  return subjects.map(({ id }) => id)
}
