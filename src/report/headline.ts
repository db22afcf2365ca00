import { shardText } from '../generate/shard.ts'
import { dollars, plural } from './format.ts'
import type { Report } from './schema.ts'
import { listTouched } from './training-words.ts'

const purposes = { run: null, smoke: 'smoke run', demo: 'demonstration' } as const

export interface Headline {
  readonly title: string
  /** What must be known before the first number is read. */
  readonly labels: readonly string[]
  /** Those of the labels that limit what the numbers mean. */
  readonly loud: readonly string[]
}

/** The headline of every output: what was measured, on what, by what, and whether it is whole. */
export function headlineOf(report: Report): Headline {
  const { subjects, fixtures, corpus } = report.plan
  const labels = listLabels(report)
  return {
    title: `Writing Vox: ${plural(subjects.length, 'subject')} on ${plural(fixtures.length, corpus.split === 'held-out' ? 'held-out problem' : 'problem')}`,
    labels: labels.map(({ text }) => text),
    loud: labels.filter(({ isLoud }) => isLoud).map(({ text }) => text),
  }
}

interface Label {
  readonly text: string
  readonly isLoud: boolean
}

function listLabels({ purpose, plan, engine, sandbox, preflight, run, comparisons, spend }: Report): Label[] {
  const what = purposes[purpose]
  return [
    ...(what === null ? [] : [loud(what)]),
    ...(plan.corpus.split === 'held-out' ? [] : [loud(`split: ${plan.corpus.split}`)]),
    ...(run.shard === null ? [] : [loud(`shard ${shardText(run.shard)}: a part of the attempts`)]),
    run.endedBecause === null ? quiet('complete') : loud(`incomplete: ${run.endedBecause}`),
    ...foundLabel(comparisons),
    ...spendLabel(spend),
    quiet(`corpus ${plan.corpus.name} (${plan.corpus.hash.slice(0, 12)})`),
    engineLabel(engine),
    ...sandboxLabel(sandbox),
    ...(plan.excluded.length === 0 ? [] : [loud(`${plural(plan.excluded.length, 'problem')} left out`)]),
    ...touchedLabels(plan),
    preflightLabel(preflight),
  ]
}

/** How many of the planned comparisons show a difference, in either direction. */
function foundLabel(comparisons: Report['comparisons']): Label[] {
  if (comparisons.length === 0) return []
  const found = comparisons.filter(({ outcome }) => outcome === 'higher' || outcome === 'lower').length
  return [quiet(`${found} of ${plural(comparisons.length, 'comparison')} show${found === 1 ? 's' : ''} a difference`)]
}

function spendLabel({ spentUsd, capUsd }: Report['spend']): Label[] {
  if (spentUsd === 0 && capUsd === null) return []
  return [quiet(`${dollars(spentUsd)} spent${capUsd === null ? '' : ` of ${dollars(capUsd)}`}`)]
}

/** More would push everything else out of the head; each stands at its row and in the caveat. */
const TOUCHED_SHOWN = 3

function touchedLabels(plan: Report['plan']): Label[] {
  const touched = listTouched(plan)
  const more = touched.length - TOUCHED_SHOWN
  return [
    ...touched.slice(0, TOUCHED_SHOWN).map(loud),
    ...(more > 0 ? [loud(`training data of ${plural(more, 'more subject')} touched`)] : []),
  ]
}

function engineLabel(engine: Report['engine']): Label {
  if (engine === null) return loud('engine unknown')
  const name = engine.kind === 'embedded' ? 'embedded engine' : `engine ${engine.version}`
  return engine.official ? quiet(name) : loud(`${name} (unofficial)`)
}

/** The embedded engine needs none. */
function sandboxLabel(sandbox: Report['sandbox']): Label[] {
  if (sandbox === null || sandbox.level === 'in-process') return []
  if (sandbox.level === 'none') return [loud('no sandbox')]
  const isClosed = Object.values(sandbox.closed).every(Boolean)
  return [isClosed ? quiet(`sandbox ${sandbox.level}`) : loud(`sandbox ${sandbox.level}, not all closed`)]
}

function preflightLabel(preflight: Report['preflight']): Label {
  if (preflight === null) return loud('no preflight')
  const { failures, references, saboteurs } = preflight
  if (failures.length > 0) return loud(`preflight failed: ${plural(failures.length, 'failure')}`)
  return quiet(
    `preflight: ${plural(references, 'reference')} passed, ${plural(saboteurs, 'planted bad program')} caught`,
  )
}

function loud(text: string): Label {
  return { text, isLoud: true }
}

function quiet(text: string): Label {
  return { text, isLoud: false }
}
