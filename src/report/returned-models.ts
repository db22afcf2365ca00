import type { Plan } from '../generate/plan.ts'
import type { AttemptRecord } from '../score/record.ts'
import { clip } from './escape.ts'
import { plural } from './format.ts'
import { groupBy } from './group-by.ts'

/** Model names of one subject's answers, as the endpoint told them, where any is not the name that was asked for. */
export interface ReturnedModels {
  readonly subject: string
  /** The name asked for. */
  readonly asked: string
  /** Answers by each name, the name asked for included; the most frequent first. */
  readonly names: readonly { readonly name: string; readonly answers: number; readonly isOther: boolean }[]
}

const NAMES_SHOWN = 3
const NAME_CHARACTERS = 80

/** Of every subject whose endpoint named another model than was asked, for any answer. */
export function listReturnedModels({ subjects }: Plan, attempts: readonly AttemptRecord[]): ReturnedModels[] {
  const ofSubject = groupBy(attempts, ({ subject }) => subject)
  return subjects
    .filter(({ endpoint, recording }) => endpoint !== null && recording === null)
    .map(({ id, model }) => ({ subject: id, asked: model, names: countNames(model, ofSubject.get(id) ?? []) }))
    .filter(({ asked, names }) => names.some(({ name }) => name !== asked))
}

function countNames(asked: string, attempts: readonly AttemptRecord[]): ReturnedModels['names'] {
  const returned = attempts.flatMap(({ completion }) =>
    completion.kind === 'answered' && completion.modelReturned !== null ? [completion.modelReturned] : [],
  )
  return [...groupBy(returned, (name) => name)]
    .map(([name, all]) => ({ name, answers: all.length, isOther: baseName(name) !== baseName(asked) }))
    .sort((a, b) => b.answers - a.answers)
}

/** `vendor/nova:free`, `nova-2026-01-01`, `nova@20260101` and `nova-latest` are all `nova`: what an endpoint may add to a name. */
function baseName(name: string): string {
  const last = name.toLowerCase().split('/').at(-1) ?? ''
  return last.replace(/:[a-z-]+$/, '').replace(/[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest)$/, '')
}

/** `nova-2026-01-01 (31 answers), nova-2026-03-01 (1 answer)`; foreign text. */
export function describeNames(names: ReturnedModels['names']): string {
  const shown = names
    .slice(0, NAMES_SHOWN)
    .map(({ name, answers }) => `${clip(name.replace(/\s+/g, ' '), NAME_CHARACTERS)} (${plural(answers, 'answer')})`)
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${plural(more, 'more name', 'more names')}` : ''}`
}
