import type { Plan, Subject } from '../generate/plan.ts'
import { fileSize, number, percent, plural } from './format.ts'
import type { Caveat } from './schema.ts'

type TrainingData = NonNullable<Subject['trainingData']>

const TOUCHED_SHOWN = 20

/** The fact on each subject whose training data was searched, or should have been. */
export function listTrainingData({ subjects }: Plan): string[] {
  return subjects.flatMap((subject) => {
    const { id, trainingData } = subject
    if (trainingData !== null) return [`${id}: ${describeSearch(trainingData)}; ${describeFindings(trainingData)}`]
    return isOwnModel(subject) ? [`${id}: not checked`] : []
  })
}

/** What a reader must know of the training data of each subject; nothing of those whose data is nobody's here. */
export function trainingDataCaveats({ subjects }: Plan): Caveat[] {
  const searched = subjects.flatMap(({ id, trainingData }) =>
    trainingData === null
      ? []
      : [
          {
            id: 'training-data',
            text: wordCaveat(id, trainingData),
            numbers: { subject: id, touched: trainingData.touched.length },
          },
        ],
  )
  const unchecked = subjects.filter((subject) => subject.trainingData === null && isOwnModel(subject))
  if (unchecked.length === 0) return searched
  const ids = unchecked.map(({ id }) => id).join(', ')
  const who = unchecked.length === 1 ? ids : `${number(unchecked.length)} subjects`
  const list = unchecked.length === 1 ? '' : ` (${ids})`
  return [
    ...searched,
    {
      id: 'training-data',
      text: `The training data of ${who} was not checked${list}: whether it holds these problems cannot be told.`,
      numbers: { unchecked: unchecked.length },
    },
  ]
}

/** What was found in the training data of a subject, where something was: `a canary`, `text of 2 problems`. */
export function describeTouched({ trainingData }: Pick<Subject, 'trainingData'>): string | null {
  if (trainingData === null) return null
  const { canaries, touched } = trainingData
  const found = [
    ...(canaries.hits === 0 ? [] : ['a canary']),
    ...(touched.length === 0 ? [] : [`text of ${plural(touched.length, 'problem')}`]),
  ]
  return found.length === 0 ? null : found.join(' and ')
}

/** For each subject whose training data was touched, what was found in it; for places where little room is. */
export function listTouched({ subjects }: Plan): string[] {
  return subjects.flatMap((subject) => {
    const found = describeTouched(subject)
    return found === null ? [] : [`training data of ${subject.id} holds ${found}`]
  })
}

/** The project trains these models, so that it can look into what they were trained on. */
function isOwnModel({ model }: Subject): boolean {
  return model.startsWith('mens/')
}

function describeSearch({ files, bytes, dataHash, at }: TrainingData): string {
  return `searched on ${at.slice(0, 10)} (${plural(files, 'file')}, ${fileSize(bytes)}, hash ${dataHash.slice(0, 12)})`
}

/** `no canary, no overlap`, `overlap with problems 003, 017: not clean`, … */
function describeFindings({ canaries, touched, unsearched }: TrainingData): string {
  const canary =
    canaries.searched === 0
      ? 'the corpus has no canary to search for'
      : canaries.hits === 0
        ? 'no canary'
        : `a canary at ${plural(canaries.hits, 'place')}: not clean`
  const overlap = touched.length === 0 ? 'no overlap' : `overlap with ${nameTouched(touched)}: not clean`
  const missing = [
    ...(unsearched.files === 0 ? [] : [`${plural(unsearched.files, 'file')} not searched in full`]),
    ...(unsearched.fixtures.length === 0
      ? []
      : [`${plural(unsearched.fixtures.length, 'problem')} without text of its own to search for`]),
  ]
  return [canary, overlap, ...missing].join(', ')
}

function nameTouched(touched: TrainingData['touched']): string {
  const shown = touched.slice(0, TOUCHED_SHOWN).map(({ id, share }) => `${id} (${percent(share)})`)
  const more = touched.length > shown.length ? ` and ${number(touched.length - shown.length)} more` : ''
  return `${touched.length === 1 ? 'problem' : 'problems'} ${shown.join(', ')}${more}`
}

const consequences: Readonly<Record<TrainingData['kind'], string>> = {
  canary:
    'Whoever copies a canary copies what stands beside it: any problem may have been trained on, and none counts as uncontaminated.',
  overlap: 'These problems count as contaminated, whatever the cutoff says.',
  incomplete: 'What was not searched may hold any problem, so this does not read as clean.',
  clean:
    'That is about copies in this data: it does not see a paraphrase, a translation, or what a model it began from was trained on.',
}

function wordCaveat(id: string, data: TrainingData): string {
  return `Training data of ${id}, as the file that was given says: ${describeSearch(data)}; ${describeFindings(data)}. ${consequences[data.kind]}`
}
