import { z } from 'zod'
import { askGit, type BaseFileDeps, baseFileDeps, isCommit } from './base-file.ts'
import type { JobEvent } from './event.ts'
import { inForm } from './github-api.ts'
import type { Job } from './job.ts'

const commitSchema = z.object({ parents: z.array(z.object({ sha: z.string().refine(isCommit) })) })

/**
 * The event, with the base of a pull request as the measured commit has it. GitHub lets a workflow check out a merge of the pull request,
 * and makes that anew on a newer base than the event tells: what the base got in between would be taken for the pull request's.
 */
export async function withMergedBase(job: Job): Promise<JobEvent> {
  const { event, keys } = job
  if (event.kind !== 'pull-request') return event
  const commit = keys.env.GITHUB_SHA ?? ''
  const parents = await parentsOf(commit, baseFileDeps(job))
  const told = event.base.sha.slice(0, 12)
  if (parents === null) {
    const what = commit === '' ? 'GITHUB_SHA is not set' : `the parents of ${commit.slice(0, 12)} cannot be read`
    job.note(`base: ${told}, as the event tells it, since ${what}`)
    return event
  }
  const [base, head] = parents
  // Any other commit is no merge that GitHub made of this pull request.
  if (base === undefined || head !== event.head.sha || parents.length !== 2) return event
  if (base !== event.base.sha)
    job.note(`base: ${base.slice(0, 12)}, into which the pull request is merged here; its event tells ${told}`)
  return { ...event, base: { ...event.base, sha: base } }
}

/** By git, else by GitHub; null where neither tells. */
async function parentsOf(commit: string, deps: BaseFileDeps): Promise<string[] | null> {
  if (!isCommit(commit)) return null
  // As it is written: what lists commits hides the parents from a checkout of the newest commit only.
  const object = await askGit(['--no-replace-objects', 'cat-file', 'commit', commit], deps)
  if (object === null) return askParents(commit, deps)
  const [headers = ''] = object.split('\n\n', 1)
  return [...headers.matchAll(/^parent (\w+)$/gm)].map(([, parent = '']) => parent)
}

async function askParents(commit: string, { api }: BaseFileDeps): Promise<string[] | null> {
  if (api === null) return null
  const answer = inForm(await api.get(`git/commits/${commit}`), commitSchema)
  return answer.kind === 'ok' ? answer.value.parents.map(({ sha }) => sha) : null
}
