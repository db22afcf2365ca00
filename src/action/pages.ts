import path from 'node:path'
import type { LinkAttempt } from '../compare/comparison-markdown.ts'
import { nameAnchors } from '../report/html/anchors.ts'
import { uploadPage } from './artifact.ts'
import { artifactOptions, type Job } from './job.ts'
import type { Judged } from './judge.ts'

/** The file that is the page of a report. */
export const PAGE = 'report.html'

/** Addresses of pages by the name of their corpus. */
export type Pages = ReadonlyMap<string, string>

/** Uploads the page of each corpus once more by itself, for links to single programs; trouble with it is told, no more. */
export async function uploadPages(job: Job, judged: readonly Judged[], name: string): Promise<Pages> {
  const pages = new Map<string, string>()
  for (const { name: corpus, files } of judged) {
    const page = files.find((file) => path.basename(file) === PAGE)
    // A shard is only a part, and a cancelled job has no time.
    if (page === undefined || job.inputs.mode === 'shard' || job.signal.aborted) continue
    const own = judged.length === 1 ? name : `${name}-${corpus}`
    const uploaded = await uploadPage(own, page, job.scratch, artifactOptions(job))
    if (uploaded.kind === 'failed') job.note(`The page of ${corpus} was not uploaded by itself: ${uploaded.why}`)
    else if (uploaded.url !== null) pages.set(corpus, uploaded.url)
  }
  return pages
}

/** Leads to an attempt in the page of its report. */
export function linkInto(pages: Pages, { name, report }: Judged): LinkAttempt {
  const page = pages.get(name)
  if (page === undefined || report === null) return () => null
  const anchors = nameAnchors(report)
  return (attempt) => `${page}#${anchors.attempt(attempt)}`
}
