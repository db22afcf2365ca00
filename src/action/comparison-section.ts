import { COMPARISON_BYTES, type LinkAttempt, renderComparison } from '../compare/comparison-markdown.ts'
import { text } from '../report/summary/text.ts'
import { safeUrl } from './artifact.ts'
import { isCommit } from './base-file.ts'
import type { NamedRun, Origin } from './baseline.ts'
import type { Judged } from './judge.ts'

const URL_CHARACTERS = 500

/** What was compared, and below its title with what; empty where nothing was. Some 2 KiB at most over what a comparison has. */
export function renderCompared({ comparison, origin = null }: Judged, linkAttempt: LinkAttempt): string {
  const told = origin === null ? '' : renderOrigin(origin)
  if (comparison === null) return told
  const markdown = renderComparison(comparison, COMPARISON_BYTES, linkAttempt)
  const belowTitle = markdown.indexOf('\n\n') + 2
  return markdown.slice(0, belowTitle) + told + markdown.slice(belowTitle)
}

function renderOrigin({ newer, ...run }: Origin): string {
  const baseline = `Baseline: ${linked(run)}.\n\n`
  if (newer === null) return baseline
  const why = `is newer and leads to the base too, but is no success (${text(newer.state)})`
  return `${baseline}> **Not the newest state of the base.** ${linked(newer)} ${why}. What came in between counts as HEAD's.\n\n`
}

function linked({ id, event, commit, url }: NamedRun): string {
  const address = url.length > URL_CHARACTERS ? null : safeUrl(url)
  const run = address === null ? `run ${id}` : `[run ${id}](${address})`
  return `${run} (${text(event)}) of ${isCommit(commit) ? `\`${commit.slice(0, 7)}\`` : text(commit.slice(0, 12))}`
}
