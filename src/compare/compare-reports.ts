import { BenchError } from '../bench-error.ts'
import { testWords } from '../report/comparisons.ts'
import { matchCosts } from '../report/matched-cost.ts'
import { tabulatePassShares } from '../report/pass-shares.ts'
import type { Report } from '../report/schema.ts'
import { decideGate, findLookAlpha, type GateDecision } from '../stats/gate.ts'
import { averageFamilies } from '../stats/units.ts'
import { VERSION } from '../version.ts'
import { listAttemptBlocks, listFixtureBlocks, listIdentityBlocks, listReportBlocks } from './blocks.ts'
import { listChanges } from './changes.ts'
import { countClean } from './clean-problems.ts'
import type { CompareOptions } from './compare-options.ts'
import { COMPARISON_VERSION, type Comparison, type Side } from './comparison-schema.ts'
import { readDraws } from './further-draws.ts'
import { attemptsOf, type JoinedRows, joinRows } from './joined-rows.ts'
import { listMismatches } from './mismatches.ts'
import { statePairPower } from './pair-power.ts'
import { findHeadRow, kindOfPair, pairRows, type ReportRow, type RowPair } from './pair-rows.ts'
import { applyUpstreamPreset } from './upstream-preset.ts'

/**
 * What the gate says of HEAD's row against BASE's. Everything comes from the reports' plans and attempts; of what else
 * they claim only what speaks against them is heard.
 *
 * @param base null where there is nothing to compare with
 * @throws BenchError `compare/...` where it is not clear which rows are meant, draws are of something else, or there are
 *   more than 10,000 problems.
 * @throws RangeError for alpha, margin or look out of range.
 */
export function compareReports(base: Report | null, head: Report, options: CompareOptions): Comparison {
  refuseTooMany(head, 'HEAD')
  if (base !== null) refuseTooMany(base, 'BASE')
  return base === null ? judgeAlone(head, options) : judgePair(pairRows(base, head, options), options)
}

/** Far more than any corpus has: what a comparison of so many can see takes seconds to work out. */
const MAX_PROBLEMS = 10_000

function refuseTooMany(report: Report, side: 'BASE' | 'HEAD'): void {
  const { length } = report.plan.fixtures
  if (length <= MAX_PROBLEMS) return
  throw new BenchError({
    code: 'compare/too-many',
    message: `${side} plans ${length} problems, and no more than ${MAX_PROBLEMS} are compared.`,
    hint: 'Give the report.json that a run wrote.',
  })
}

/** A first run: no comparison, but what would block one is told. */
function judgeAlone(report: Report, options: CompareOptions): Comparison {
  const head = findHeadRow(report, options)
  const ids = report.plan.fixtures.map(({ id }) => id)
  const blocks = [...listReportBlocks('head', head), ...listAttemptBlocks('head', head, ids)]
  const preset = options.preset === null ? null : applyUpstreamPreset(head, null)
  const units = averageFamilies(
    ids.map(() => 0),
    report.plan.fixtures.map(({ family }) => family),
  ).length
  return {
    ...frame(options, 'checkpoints', units),
    outcome: blocks.length > 0 ? 'blocked' : 'no-baseline',
    passes: blocks.length === 0 && !isBroken(preset),
    base: null,
    head: describeSide(head, new Set(ids)),
    mismatches: [],
    blocks,
    decision: null,
    fixtures: { both: 0, onlyInBase: [], onlyInHead: [], ...countPlanned(report) },
    regressions: [],
    improvements: [],
    clean: { kind: 'unknown', reason: 'there is no baseline' },
    touched: [],
    cost: null,
    preset,
  }
}

function judgePair(pair: RowPair, options: CompareOptions): Comparison {
  const { base, head } = pair
  const draws = options.draws === null ? null : readDraws(head, options.draws)
  const joined = joinRows(pair)
  const ids = joined.plan.fixtures.map(({ id }) => id)
  const mismatches = listMismatches(base, head)
  const blocks = [
    ...listIdentityBlocks(pair),
    ...listReportBlocks('base', base),
    ...listReportBlocks('head', head),
    ...listFixtureBlocks(joined),
    ...listAttemptBlocks('base', base, ids),
    ...listAttemptBlocks('head', head, ids),
  ]
  // What is not alike is not laid side by side, not even problem by problem.
  const changes = mismatches.length > 0 ? { regressions: [], improvements: [] } : listChanges(joined, draws)
  const decision = mismatches.length + blocks.length > 0 ? null : decide(joined, options)
  const preset = options.preset === null ? null : applyUpstreamPreset(head, changes.regressions)
  const outcome = decision?.kind ?? 'blocked'
  const units = averageFamilies(
    ids.map(() => 0),
    joined.plan.fixtures.map(({ family }) => family),
  ).length
  return {
    ...frame(options, kindOfPair(pair), units),
    outcome,
    passes: outcome !== 'regressed' && outcome !== 'blocked' && !isBroken(preset),
    base: describeSide(base, new Set(ids)),
    head: describeSide(head, new Set(ids)),
    mismatches,
    blocks,
    decision: decision === null ? null : describeDecision(decision),
    fixtures: {
      both: ids.length,
      onlyInBase: [...joined.onlyInBase],
      onlyInHead: [...joined.onlyInHead],
      ...countPlanned(head.report),
    },
    ...changes,
    ...countClean(pair, joined),
    cost: mismatches.length > 0 ? null : matchRows(joined),
    preset,
  }
}

/** What every comparison has: the tool, the levels of its test, and what that can see over so many problems. */
function frame(
  { alpha, look, margin }: CompareOptions,
  kind: Comparison['power']['kind'],
  n: number,
): Pick<Comparison, 'schemaVersion' | 'tool' | 'look' | 'alpha' | 'margin' | 'power'> {
  const lookAlpha = findLookAlpha(alpha, look)
  return {
    schemaVersion: COMPARISON_VERSION,
    tool: { name: 'vox-efficacy', version: VERSION },
    look,
    alpha: { overall: alpha, look: lookAlpha },
    margin,
    power: statePairPower(kind, n, lookAlpha),
  }
}

function decide({ plan, attempts }: JoinedRows, { alpha, margin, look }: CompareOptions): GateDecision {
  const shares = tabulatePassShares(plan, attempts)
  const fixtures = plan.fixtures.map(({ family }, index) => ({
    base: shareOf(shares.cells.get('base')?.[index]),
    head: shareOf(shares.cells.get('head')?.[index]),
    family,
  }))
  return decideGate(fixtures, { alpha, margin, look, samples: plan.samples, seed: shares.seed })
}

function countPlanned({ plan }: Report): { readonly inHead: number; readonly inSplit: number } {
  const { split, total, heldOut } = plan.corpus
  const inSplit = { all: total, 'held-out': heldOut, 'training-eligible': total - heldOut }[split]
  return { inHead: plan.fixtures.length, inSplit }
}

function shareOf(place: { readonly share: number | null } | undefined): number {
  const share = place?.share ?? null
  if (share === null) throw new Error('a problem without a verdict came to the gate')
  return share
}

function describeDecision({ kind, alpha, margin, test, ...decision }: GateDecision): Comparison['decision'] {
  const { b, c } = decision.discordant
  // From 0 to 0 it would read as a certainty.
  return { ...decision, testInterval: b + c === 0 ? null : decision.testInterval, test: testWords[test] }
}

function describeSide(row: ReportRow, fixtures: ReadonlySet<string>): Side {
  const { report, subject, condition } = row
  const judged = attemptsOf(row).filter(({ fixture, verification }) => fixtures.has(fixture) && verification !== null)
  return {
    runId: report.run.id,
    startedAt: report.run.startedAt,
    subject: subject.id,
    harness: subject.harness,
    condition: condition.name,
    seed: report.plan.seed,
    endpoint: subject.endpoint,
    passed: judged.filter(({ verification }) => verification?.verdict.kind === 'passed').length,
    judged: judged.length,
  }
}

function matchRows({ plan, attempts }: JoinedRows): Comparison['cost'] {
  return matchCosts(plan, attempts, [{ kind: 'subjects', first: 'base', second: 'head' }])[0] ?? null
}

function isBroken(preset: Comparison['preset']): boolean {
  return preset?.rules.some((rule) => rule.isBroken) ?? false
}
