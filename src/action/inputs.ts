import { nearest } from '../config/nearest.ts'
import { optionTable } from '../config/option-table.ts'
import type { GivenOptions } from '../config/read-flags.ts'
import { MAX_SHARDS } from '../generate/shard.ts'
import type { Look } from '../stats/gate.ts'
import {
  type ActionInputName,
  actionInputs,
  type InputEntry,
  listInputs,
  type Mode,
  modes,
  wordsForNone,
} from './input-table.ts'
import { variableOf } from './input-variable.ts'
import { isVariable } from './keys.ts'

/** What the workflow gave, read and checked but for the options of the sweep. */
export interface ActionInputs {
  readonly mode: Mode
  /** Options of the sweep as text, without the corpus. */
  readonly given: GivenOptions
  /** Folders; empty where the workflow names none. */
  readonly corpora: readonly string[]
  readonly configPath: string | null
  readonly baseline: BaselineChoice
  readonly baseSubject: string | null
  readonly headSubject: string | null
  readonly compareCondition: string | null
  readonly alpha: number
  readonly margin: number
  /** Null where it is to be found out. */
  readonly look: Look | null
  readonly isGated: boolean
  readonly wantsComment: boolean
  readonly artifactName: string
  readonly retentionDays: number | null
  readonly rerun: 'resume' | 'fresh'
  readonly shards: number
  readonly mergeFrom: string | null
  readonly reportPath: string | null
}

export type BaselineChoice =
  | { readonly kind: 'none' | 'auto' | 'same-run' }
  | { readonly kind: 'path'; readonly path: string }

/** How an input is named in messages. */
export const nameInput = (name: string) => `input ${name}`

const ARTIFACT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/

/**
 * The inputs of a step. An empty input is one that was not given, but for those that have a word for that; where there are no keys,
 * there are no variables of the repository either, and those are not given. What cannot be read is a problem, and stands for
 * something harmless.
 */
export function readInputs(
  env: NodeJS.ProcessEnv,
  { isKeyless }: { readonly isKeyless: boolean },
): { readonly inputs: ActionInputs; readonly problems: readonly string[] } {
  const problems = listMisspelt(env)
  const text = (name: ActionInputName) => {
    const entry: InputEntry | undefined = actionInputs.find((input) => input.name === name)
    return (env[variableOf(name)]?.trim() || entry?.fallback) ?? ''
  }
  const refuse = (name: string, why: string) => void problems.push(`${nameInput(name)}: ${why}`)
  const flag = (name: ActionInputName) => {
    if (!['true', 'false'].includes(text(name))) refuse(name, `"${text(name)}" is neither true nor false`)
    return text(name) === 'true'
  }
  const number = (name: ActionInputName, isGood: (value: number) => boolean, what: string) => {
    const value = Number(text(name))
    if (text(name) === '' || !isGood(value)) refuse(name, `"${text(name)}" is not ${what}`)
    return value
  }
  const isShare = (value: number) => value > 0 && value < 1
  const upTo = (most: number) => (value: number) => Number.isInteger(value) && value >= 1 && value <= most
  const optional = (name: ActionInputName, most: number, what: string) =>
    text(name) === '' ? null : number(name, upTo(most), what)
  const oneOf = <Word extends string>(name: ActionInputName, words: readonly Word[]): Word => {
    const word = words.find((each) => each === text(name))
    if (word === undefined) refuse(name, `"${text(name)}" is none of ${words.join(', ')}`)
    return word ?? (words[0] as Word)
  }

  const given = readOptions(env, isKeyless ? () => {} : refuse)
  const push = optional('push', 1e6, 'the number of a push, 1 for the first')
  const horizon = optional('horizon', 1e6, 'a number of scheduled runs')
  if (push !== null && horizon !== null) refuse('push', 'excludes "horizon"')
  const artifactName = text('artifact-name')
  if (!ARTIFACT_NAME.test(artifactName)) refuse('artifact-name', 'takes letters, digits, ".", "_" and "-", 80 at most')
  const mode = oneOf('mode', modes)
  if (mode === 'shard' && given.shard === undefined) refuse('shard', 'is missing; mode shard needs one like 2/5')
  if (mode !== 'shard' && given.shard !== undefined) refuse('shard', 'is of mode shard')
  if (mode === 'compare' && text('report') === '')
    refuse('report', 'is missing; mode compare needs the path of a report')
  const keyVariable = env[variableOf('api-key-env')]?.trim() ?? ''
  if (keyVariable !== '' && !isVariable(keyVariable)) refuse('api-key-env', 'is not the name of a variable for a key')
  const baseline = readBaseline(text('baseline'))
  if (mode === 'compare' && (baseline.kind === 'none' || baseline.kind === 'same-run') && text('base-subject') === '')
    refuse('baseline', 'is missing; mode compare needs auto, a path, or same-run with a base-subject')
  const inputs: ActionInputs = {
    mode,
    given,
    corpora: (env[variableOf('corpus')] ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    configPath: text('config') || null,
    baseline,
    baseSubject: text('base-subject') || null,
    headSubject: text('head-subject') || null,
    compareCondition: text('compare-condition') || null,
    alpha: number('alpha', isShare, 'between 0 and 1'),
    margin: number('margin', isShare, 'a share between 0 and 1'),
    look: push !== null ? { kind: 'push', j: push } : horizon !== null ? { kind: 'scheduled', horizon } : null,
    isGated: flag('gate'),
    wantsComment: flag('comment'),
    artifactName,
    retentionDays: optional('retention-days', 400, 'a number of days'),
    rerun: oneOf('rerun', ['resume', 'fresh']),
    shards: number('shards', upTo(MAX_SHARDS), `a number of shards from 1 to ${MAX_SHARDS}`),
    mergeFrom: text('merge-from') || null,
    reportPath: text('report') || null,
  }
  return { inputs, problems }
}

/**
 * Inputs that there are not, and that are like one that there is: the runner only warns of them. A variable of the machine may
 * begin like an input, so what is like none is passed over.
 */
function listMisspelt(env: NodeJS.ProcessEnv): string[] {
  const names = listInputs().map(({ name }) => name)
  const known = new Set(names.map(variableOf))
  return Object.entries(env).flatMap(([variable, value]) => {
    if (!variable.startsWith('INPUT_') || known.has(variable) || (value ?? '').trim() === '') return []
    const typed = variable.slice('INPUT_'.length).toLowerCase()
    const meant = nearest(typed, names)
    return meant === null ? [] : [`${nameInput(typed)}: there is no such input. Did you mean ${meant}?`]
  })
}

/** Options of the sweep. The runner hands on every declared input, empty where the workflow does not give it. */
function readOptions(env: NodeJS.ProcessEnv, refuse: (name: string, why: string) => void): GivenOptions {
  const given: Record<string, string> = {}
  for (const { name } of optionTable) {
    const text = env[variableOf(name)]?.trim()
    const none = wordsForNone[name]
    if (name === 'corpus' || text === undefined || text === none) continue
    if (text !== '') given[name] = text
    else if (none !== undefined) {
      refuse(
        name,
        `is present but empty. Set the secret or variable that it is taken from (Settings > Secrets and variables > Actions); to have none write ${none}`,
      )
    }
  }
  return given
}

function readBaseline(text: string): BaselineChoice {
  if (text === 'none' || text === 'auto' || text === 'same-run') return { kind: text }
  return { kind: 'path', path: text }
}
