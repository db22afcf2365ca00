import { shardText } from '../generate/shard.ts'
import { dollars, duration, plural, UNKNOWN } from './format.ts'
import { FOLDER_RECORDING, SCRIPT_RECORDING } from './known-prompts.ts'
import { describeNames, listReturnedModels } from './returned-models.ts'
import type { Report } from './schema.ts'
import { listTrainingData } from './training-words.ts'

/** What was fixed before the first request and what the run took, as pairs of a name and a text. */
export function listFacts(report: Report): (readonly [string, string])[] {
  const { plan, run, timing, tool } = report
  const { corpus, versions } = plan
  const resumed = run.resumed === 0 ? '' : `, resumed ${run.resumed === 1 ? 'once' : `${run.resumed} times`}`
  const stored = report.attempts.filter(({ completion }) => completion.kind === 'answered' && completion.stored).length
  const ended = run.finishedAt === null ? '' : `, ended ${run.finishedAt}`
  return [
    [
      'Corpus',
      `${corpus.name}, split ${corpus.split}, ${plan.fixtures.length} of ${plural(corpus.total, 'problem')}, hash ${corpus.hash}`,
    ],
    ['Engine', describeEngine(report)],
    ['Sandbox', describeSandbox(report)],
    ...listReturnedModels(plan, report.attempts).map(
      ({ subject, asked, names }) =>
        ['Model', `${subject} was asked for as ${asked}; the endpoint names ${describeNames(names)}`] as const,
    ),
    ...plan.subjects.flatMap(({ id, served }) =>
      served === null
        ? []
        : [['Served', `${id} by ${served.command}, weights ${served.weights.slice(0, 12)}`] as const],
    ),
    ...listTrainingData(plan).map((text) => ['Training data', text] as const),
    ['Samples', `${plural(plan.samples, 'sample')} a problem; pass@k for k = ${plan.k.join(', ')}; seed ${plan.seed}`],
    [
      'Rules',
      `versions: prompt template ${versions.template}, extraction ${versions.extraction}, policy ${versions.policy}, composition ${versions.composition}`,
    ],
    ['Run', `${run.id}${describeShards(run)}, begun ${run.startedAt}${resumed}${ended}`],
    ['Plan', describeRegistration(report)],
    ...(plan.catalogue === null ? [] : [['Catalogue', describeCatalogue(plan.catalogue)] as const]),
    [
      'Time',
      `preflight ${duration(timing.preflightMs)}, answers ${duration(timing.answersMs)}, in all ${duration(timing.totalMs)}`,
    ],
    ...(stored === 0
      ? []
      : [
          [
            'Response store',
            `${stored} of ${plural(report.attempts.length, 'attempt')} had their answer from there: an earlier run sent the same request and paid for it`,
          ] as const,
        ]),
    ['Money', describeSpend(report)],
    ['Tool', `${tool.name} ${tool.version}, report schema ${report.schemaVersion}`],
  ]
}

function describeShards({ shard, shards }: Report['run']): string {
  if (shard !== null) return `, shard ${shardText(shard)}`
  return shards.length === 0 ? '' : `, merged from ${plural(shards.length, 'shard')}`
}

/** The list of models that prices, contexts and cutoffs were taken from. */
export function describeCatalogue({ source, fetchedAt, sha256 }: NonNullable<Report['plan']['catalogue']>): string {
  return `${source}, ${fetchedAt === null ? 'of an unknown date' : `fetched ${fetchedAt}`}, sha256 ${sha256}`
}

function describeRegistration({ registration }: Report): string {
  if (registration === null) return 'no plan was registered'
  const { hash, at, differences } = registration
  const name = `registered plan ${hash} of ${at}`
  return differences.length === 0 ? `followed its ${name}` : `not its ${name}: ${differences.join('; ')}`
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
  const { level, closed, passedOver } = sandbox
  if (level === 'in-process') return 'none needed: the embedded engine has no access to the host'
  const of = (isWanted: boolean) => Object.entries(closed).flatMap(([what, is]) => (is === isWanted ? [what] : []))
  return [
    level === 'none' ? `none, ${passedOver.length === 0 ? 'as asked' : 'since no other holds here'}` : level,
    ...(of(true).length === 0 ? [] : [`found closed: ${of(true).join(', ')}`]),
    ...(of(false).length === 0 ? [] : [`open: ${of(false).join(', ')}`]),
    ...passedOver.map(({ level, reason }) => `not ${level}: ${reason}`),
  ].join('; ')
}

const OVERRUNS_SHOWN = 3

function describeSpend(report: Report): string {
  const { spend } = report
  const { answers, differenceUsd } = spend.contradictions
  return [
    `${spend.isUpperBound ? 'at most ' : ''}${dollars(spend.spentUsd)} booked`,
    ...describeCaps(report.plan.caps),
    ...(spend.answersOfUnknownCost === 0
      ? []
      : [`the cost of ${plural(spend.answersOfUnknownCost, 'answer')} is unknown`]),
    ...(answers === 0
      ? []
      : [
          `costs told for ${plural(answers, 'answer')} differ from their token counts by ${dollars(differenceUsd)} in all (the larger was booked)`,
        ]),
    ...spend.overruns.slice(0, OVERRUNS_SHOWN).map((overrun) => describeOverrun(report, overrun)),
    ...(spend.overruns.length <= OVERRUNS_SHOWN
      ? []
      : [`${plural(spend.overruns.length - OVERRUNS_SHOWN, 'more bill')} passed the worst case`]),
  ].join(', ')
}

function describeCaps({ runUsd, monthUsd }: Report['plan']['caps']): string[] {
  if (runUsd === null && monthUsd === null) return ['no cap']
  return [
    ...(runUsd === null ? [] : [`cap ${dollars(runUsd)}`]),
    ...(monthUsd === null ? [] : [`cap of the month ${dollars(monthUsd)}`]),
  ]
}

function describeOverrun({ plan, attempts }: Report, overrun: Report['spend']['overruns'][number]): string {
  const record = attempts.find(({ attempt }) => attempt === overrun.attempt)
  const told = record?.completion.kind === 'answered' ? record.completion.providerReturned : null
  const provider =
    told?.slice(0, 100) ?? plan.subjects.find(({ id }) => id === record?.subject)?.endpoint ?? 'its provider'
  return `${provider} billed ${dollars(overrun.billedUsd)} for ${overrun.attempt}, for which ${dollars(overrun.reservedUsd)} was the worst case`
}

/** The price of a million tokens in and out, and its further parts where they were told. */
export function describePrice({ price }: Report['plan']['subjects'][number]): string {
  if (price === null) return UNKNOWN
  const { cachedPromptUsdPerM: cached, cacheWriteUsdPerM: written, requestUsd } = price
  const further = [
    ...(cached === null ? [] : [`cached ${dollars(cached)}`]),
    ...(written === null ? [] : [`cache write ${dollars(written)}`]),
    ...(requestUsd === null ? [] : [`request ${dollars(requestUsd)}`]),
  ]
  const main = `${dollars(price.promptUsdPerM)}, ${dollars(price.completionUsdPerM)}`
  return further.length === 0 ? main : `${main} (${further.join(', ')})`
}

/** Where the answers of a subject came from. */
export function describeOrigin({ endpoint, recording }: Report['plan']['subjects'][number]): string {
  if (recording?.obtained === SCRIPT_RECORDING) return 'a script'
  if (recording?.obtained === FOLDER_RECORDING) return 'a folder of answers'
  return recording === null ? `endpoint ${endpoint ?? 'none'}` : 'recorded answers'
}

/** How a subject was asked, on one line; null in a recording says that nobody told. */
export function describeSampling({ sampling, recording }: Report['plan']['subjects'][number]): string {
  const left = recording === null ? 'left to the endpoint' : UNKNOWN
  const { maxTokensField, reasoningMaxTokens, providers, extraBody } = sampling
  const as = maxTokensField === undefined ? '' : ` (as ${maxTokensField})`
  return [
    `temperature ${sampling.temperature ?? left}`,
    `top_p ${sampling.topP ?? left}`,
    sampling.maxTokens === null ? `tokens of an answer ${left}` : `at most ${sampling.maxTokens} tokens${as}`,
    ...(sampling.reasoningEffort === null ? [] : [`reasoning effort ${sampling.reasoningEffort}`]),
    ...(reasoningMaxTokens === undefined ? [] : [`at most ${reasoningMaxTokens} tokens of thinking`]),
    ...(providers === undefined ? [] : [`provider ${providers.join(', else ')}, no other`]),
    ...(extraBody === undefined ? [] : [`further fields ${JSON.stringify(extraBody)}`]),
  ].join(', ')
}
