import { isDeepStrictEqual } from 'node:util'
import type { Plan } from '../generate/plan.ts'
import { number } from '../report/format.ts'

const SHOWN = 20

/**
 * Where a plan is another than the one before, one line for each; empty where it is the same. The version of the tool,
 * the catalogue, and who told a price or a cutoff do not count: what they come to does.
 */
export function listPlanDifferences(before: Plan, now: Plan): string[] {
  const scalars = (['corpus', 'samples', 'k', 'seed', 'caps', 'versions', 'purpose'] as const).flatMap((part) =>
    listLeaves(part, before[part], now[part]),
  )
  const items = [
    ...compareLists('problem', before.fixtures, now.fixtures, ({ id }) => id),
    ...compareLists('problem left out', before.excluded, now.excluded, ({ fixture }) => fixture),
    ...compareLists('subject', before.subjects, now.subjects, ({ id }) => id),
    ...compareLists('condition', before.conditions, now.conditions, ({ name }) => name),
    ...compareLists('row', before.cells, now.cells, ({ id }) => id),
    ...compareLists('prompt', before.prompts, now.prompts, (prompt) => `${prompt.fixture} under ${prompt.condition}`),
  ]
  const all = [...scalars, ...items]
  return all.length <= SHOWN ? all : [...all.slice(0, SHOWN), `and ${number(all.length - SHOWN)} more`]
}

function compareLists<Item>(
  what: string,
  itemsBefore: readonly Item[],
  itemsNow: readonly Item[],
  nameOf: (item: Item) => string,
): string[] {
  const byName = (items: readonly Item[]) => new Map(items.map((item) => [nameOf(item), item]))
  const [before, now] = [byName(itemsBefore), byName(itemsNow)]
  const gone = [...before.keys()].filter((name) => !now.has(name))
  const added = [...now.keys()].filter((name) => !before.has(name))
  const changed = [...before].flatMap(([name, item]) =>
    now.has(name) ? listLeaves(`${what} ${name}`, item, now.get(name)) : [],
  )
  return [
    ...(gone.length === 0 ? [] : [`${what}: no longer ${listNames(gone)}`]),
    ...(added.length === 0 ? [] : [`${what}: newly ${listNames(added)}`]),
    // Of prompts there are many, and one change of a template or a help text changes them all.
    ...(changed.length > SHOWN && what === 'prompt'
      ? [`${what}: ${number(changed.length)} texts are others`]
      : changed),
  ]
}

const NAMES_SHOWN = 8

function listNames(names: readonly string[]): string {
  const more = names.length > NAMES_SHOWN ? ` and ${number(names.length - NAMES_SHOWN)} more` : ''
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more}`
}

function listLeaves(place: string, before: unknown, now: unknown): string[] {
  if (isDeepStrictEqual(before, now)) return []
  const isOfServer = place.endsWith(', served') && isMap(before) && isMap(now)
  if (isOfServer) return listServerDifferences(place.slice(0, -', served'.length), before, now)
  if (!isMap(before) || !isMap(now)) return [`${place}: was ${show(before)}, is ${show(now)}`]
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) =>
    key === 'source' ? [] : listLeaves(`${place}, ${key}`, before[key], now[key]),
  )
}

/** Of a subject whose checkpoint the run serves itself. */
function listServerDifferences(
  subject: string,
  before: Record<string, unknown>,
  now: Record<string, unknown>,
): string[] {
  const { weights, command } = before
  return [
    ...(weights === now.weights
      ? []
      : [
          `${subject}: its checkpoint has other weights (sha256 was ${String(weights).slice(0, 12)}, is ${String(now.weights).slice(0, 12)})`,
        ]),
    ...(command === now.command
      ? []
      : [`${subject}: it is served by another command (was ${show(command)}, is ${show(now.command)})`]),
  ]
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
