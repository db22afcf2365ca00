import { compareText } from '../compare-text.ts'
import type { Verdict } from '../verify/verdict.ts'
import { classOf } from '../verify/verdict-text.ts'
import type { Failure } from './row.ts'

/** The failures among judged attempts by kind and class, the most frequent first. */
export function rankFailures(judged: readonly { readonly fixture: string; readonly verdict: Verdict }[]): Failure[] {
  const groups = new Map<string, { kind: string; class: string | null; fixtures: string[] }>()
  for (const { fixture, verdict } of judged) {
    if (verdict.kind === 'passed') continue
    const name = classOf(verdict)
    const key = JSON.stringify([verdict.kind, name])
    const group = groups.get(key) ?? { kind: verdict.kind, class: name, fixtures: [] }
    group.fixtures.push(fixture)
    groups.set(key, group)
  }
  return [...groups.values()]
    .map(({ kind, class: name, fixtures }) => ({
      kind,
      class: name,
      count: fixtures.length,
      share: fixtures.length / judged.length,
      fixtures: [...new Set(fixtures)],
    }))
    .sort((a, b) => b.count - a.count || compareText(a.kind, b.kind) || compareText(a.class ?? '', b.class ?? ''))
}
