import { dollars, duration, plural, UNKNOWN } from './format.ts'
import type { Report } from './schema.ts'

/** What was fixed before the first request and what the run took, as pairs of a name and a text. */
export function listFacts(report: Report): (readonly [string, string])[] {
  const { plan, run, timing, tool } = report
  const { corpus, versions } = plan
  const ended = run.finishedAt === null ? '' : `, ended ${run.finishedAt}`
  return [
    [
      'Corpus',
      `${corpus.name}, split ${corpus.split}, ${plan.fixtures.length} of ${plural(corpus.total, 'problem')}, hash ${corpus.hash}`,
    ],
    ['Engine', describeEngine(report)],
    ['Sandbox', describeSandbox(report)],
    ['Samples', `${plural(plan.samples, 'sample')} a problem; pass@k for k = ${plan.k.join(', ')}; seed ${plan.seed}`],
    [
      'Rules',
      `versions: prompt template ${versions.template}, extraction ${versions.extraction}, policy ${versions.policy}, composition ${versions.composition}`,
    ],
    ['Run', `${run.id}, begun ${run.startedAt}${ended}`],
    [
      'Time',
      `preflight ${duration(timing.preflightMs)}, answers ${duration(timing.answersMs)}, in all ${duration(timing.totalMs)}`,
    ],
    ['Money', describeSpend(report)],
    ['Tool', `${tool.name} ${tool.version}, report schema ${report.schemaVersion}`],
  ]
}

function describeEngine({ engine }: Report): string {
  if (engine === null) return UNKNOWN
  return [
    `${engine.version} (${engine.kind}${engine.official ? '' : ', unofficial'})`,
    ...(engine.sha256 === null ? [] : [`sha256 ${engine.sha256}`]),
    ...(engine.sourceCommit === null ? [] : [`source ${engine.sourceCommit}`]),
    ...(engine.toolchain === null ? [] : [`toolchain ${engine.toolchain}`]),
    ...(engine.profile === null ? [] : [`profile ${engine.profile}`]),
    ...(engine.sourceGate === null ? [] : [`its tree's own checks: ${engine.sourceGate.outcome}`]),
  ].join(', ')
}

function describeSandbox({ sandbox }: Report): string {
  if (sandbox === null) return UNKNOWN
  const open = Object.entries(sandbox.closed).flatMap(([what, isClosed]) => (isClosed ? [] : [what]))
  const level = sandbox.level === 'in-process' ? 'none needed: no access to the host by construction' : sandbox.level
  return open.length === 0 ? level : `${level}; open: ${open.join(', ')}`
}

function describeSpend({ spend }: Report): string {
  return [
    `${spend.isUpperBound ? 'at most ' : ''}${dollars(spend.spentUsd)} booked`,
    describeCap(spend),
    ...(spend.answersOfUnknownCost === 0
      ? []
      : [`the cost of ${plural(spend.answersOfUnknownCost, 'answer')} is unknown`]),
    ...(spend.overruns.length === 0 ? [] : [`${plural(spend.overruns.length, 'bill')} passed the reservation`]),
  ].join(', ')
}

/** The cap is told when a run ends, so that of a killed run it is not known. */
function describeCap({ capUsd, isUpperBound }: Report['spend']): string {
  if (capUsd !== null) return `cap ${dollars(capUsd)}`
  return isUpperBound ? `cap ${UNKNOWN}` : 'no cap'
}

/** How a subject was asked, on one line; null in a recording says that nobody told. */
export function describeSampling({ sampling, recording }: Report['plan']['subjects'][number]): string {
  const left = recording === null ? 'left to the endpoint' : UNKNOWN
  return [
    `temperature ${sampling.temperature ?? left}`,
    `top_p ${sampling.topP ?? left}`,
    sampling.maxTokens === null ? `tokens of an answer ${left}` : `at most ${sampling.maxTokens} tokens`,
    ...(sampling.reasoningEffort === null ? [] : [`reasoning effort ${sampling.reasoningEffort}`]),
  ].join(', ')
}
