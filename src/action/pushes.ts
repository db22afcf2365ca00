import { z } from 'zod'
import { type GitHubApi, inForm } from './github-api.ts'

const ownSchema = z.object({
  workflow_id: z.number().int(),
  run_number: z.number().int(),
  head_repository: z.object({ id: z.number() }).nullish(),
})
const countSchema = z.object({
  workflow_runs: z.array(
    z.object({
      id: z.number().int(),
      head_sha: z.string(),
      run_number: z.number().int(),
      created_at: z.string().nullish(),
      head_repository: z.object({ id: z.number() }).nullish(),
      /** None where it is of a fork. */
      pull_requests: z.array(z.object({ number: z.number() })).nullish(),
    }),
  ),
})

type CountedRun = z.infer<typeof countSchema>['workflow_runs'][number]

/** What its event tells of a pull request. */
export interface CountedPull {
  readonly number: number
  readonly head: { readonly ref: string }
  /** When it was opened; null where that is not known: then pushes to all pull requests of the branch count. */
  readonly createdAt: string | null
}

/** Which push to a pull request this is, by the commits that this workflow ran on; null where GitHub does not tell. */
export async function countPushes(api: GitHubApi, runId: string, pull: CountedPull): Promise<number | null> {
  const own = inForm(await api.get(`actions/runs/${encodeURIComponent(runId)}`), ownSchema)
  if (own.kind === 'failed') return null
  const { workflow_id, run_number, head_repository } = own.value
  const shas = new Set<string>()
  const since = pull.createdAt === null ? '' : `&created=${encodeURIComponent(`>=${pull.createdAt}`)}`
  for (let page = 1; page <= 10; page++) {
    const query = `event=pull_request&branch=${encodeURIComponent(pull.head.ref)}${since}&per_page=100&page=${page}`
    const runs = inForm(await api.get(`actions/workflows/${workflow_id}/runs?${query}`), countSchema)
    if (runs.kind === 'failed') return null
    for (const run of runs.value.workflow_runs) {
      const isBefore = run.run_number <= run_number && run.head_repository?.id === head_repository?.id
      if (isBefore && isOf(pull, run)) shas.add(run.head_sha)
    }
    if (runs.value.workflow_runs.length < 100) break
  }
  return Math.max(1, shas.size)
}

function isOf({ number, createdAt }: CountedPull, { created_at, pull_requests }: CountedRun): boolean {
  if (createdAt === null) return true
  const isEarlier = Date.parse(created_at ?? '') < Date.parse(createdAt)
  return !isEarlier && (!pull_requests?.length || pull_requests.some((each) => each.number === number))
}
