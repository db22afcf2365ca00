import type { Fixture } from './fixture.ts'

/** A model's knowledge cutoff. An unknown one stays unknown: it never reads as clean. */
export type Cutoff =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'known'
      /** ISO date; the later of the sources that gave one. */
      readonly date: string
      /** What each source said, for display. */
      readonly catalogue: string | null
      readonly user: string | null
    }

/** Which fixtures a model cannot have seen, as far as dates tell. */
export type CutoffSplit =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'known'
      readonly date: string
      /** Added strictly after the cutoff. */
      readonly after: readonly Fixture[]
      readonly upTo: readonly Fixture[]
    }

/** The later of the catalogue's date and the user's (both ISO, null where not given); unknown when there is neither. */
export function resolveCutoff(dates: { readonly catalogue: string | null; readonly user: string | null }): Cutoff {
  const { catalogue, user } = dates
  const date = catalogue !== null && (user === null || catalogue > user) ? catalogue : user
  return date === null ? { kind: 'unknown' } : { kind: 'known', date, catalogue, user }
}

/** Fixtures added strictly after the cutoff, and the rest; the day itself counts as seen. */
export function splitByCutoff(fixtures: readonly Fixture[], cutoff: Cutoff): CutoffSplit {
  if (cutoff.kind === 'unknown') return { kind: 'unknown' }
  const { date } = cutoff
  return {
    kind: 'known',
    date,
    after: fixtures.filter((fixture) => fixture.addedAt > date),
    upTo: fixtures.filter((fixture) => fixture.addedAt <= date),
  }
}

/** True for a date of the calendar written `YYYY-MM-DD`; such dates compare as text. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
