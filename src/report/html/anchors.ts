import type { Report } from '../schema.ts'

/** Ids of places in the page: short, and free of foreign text. */
export interface Anchors {
  attempt(id: string): string
  /** Null when the plan has no such prompt. */
  prompt(fixture: string, condition: string): string | null
}

export function nameAnchors({ attempts, plan }: Report): Anchors {
  const attemptPlace = new Map(attempts.map(({ attempt }, index) => [attempt, index]))
  const promptPlace = new Map(
    plan.prompts.map(({ fixture, condition }, index) => [JSON.stringify([fixture, condition]), index]),
  )
  return {
    attempt: (id) => `a${attemptPlace.get(id) ?? ''}`,
    prompt(fixture, condition) {
      const place = promptPlace.get(JSON.stringify([fixture, condition]))
      return place === undefined ? null : `p${place}`
    },
  }
}
