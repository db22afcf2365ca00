import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'

/** How the artifacts of a run are named: `<base>-<run id>-<attempt>`, and `-shard-2-of-5` behind that. */
export interface ArtifactNames {
  readonly base: string
  readonly runId: string
  readonly attempt: number
}

export function artifactName({ base, runId, attempt }: ArtifactNames, shard: string | null): string {
  return `${base}-${runId}-${attempt}${suffixOf(shard)}`
}

function suffixOf(shard: string | null): string {
  return shard === null ? '' : `-shard-${shard.replace('/', '-of-')}`
}

export type UploadResult =
  | { readonly kind: 'uploaded'; readonly name: string; readonly url: string | null }
  | { readonly kind: 'failed'; readonly why: string }

/** Uploads files below `root` under a name that must be free. */
export async function uploadFolder(
  name: string,
  files: readonly string[],
  root: string,
  { env, retentionDays }: { readonly env: NodeJS.ProcessEnv; readonly retentionDays: number | null },
): Promise<UploadResult> {
  if (!hasService(env)) return { kind: 'failed', why: 'this job has no artifacts' }
  try {
    const client = await openClient()
    const { id } = await client.uploadArtifact(name, [...files], root, {
      ...(retentionDays === null ? {} : { retentionDays }),
    })
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env
    return {
      kind: 'uploaded',
      name,
      url: id === undefined ? null : `${server}/${repository}/actions/runs/${run}/artifacts/${id}`,
    }
  } catch (error) {
    return { kind: 'failed', why: (error as Error).message }
  }
}

/**
 * Downloads the artifact of the newest attempt before this one into `folder`. Null when there is none.
 * @throws when artifacts cannot be had at all.
 */
export async function downloadEarlierAttempt(
  names: ArtifactNames,
  shard: string | null,
  folder: string,
): Promise<string | null> {
  const client = await openClient()
  const { artifacts } = await client.listArtifacts({ latest: true })
  for (let attempt = names.attempt - 1; attempt >= 1; attempt--) {
    const name = artifactName({ ...names, attempt }, shard)
    const found = artifacts.find((artifact) => artifact.name === name)
    if (found === undefined) continue
    await mkdir(folder, { recursive: true })
    await client.downloadArtifact(found.id, { path: folder })
    return folder
  }
  return null
}

/**
 * Downloads, of each of `count` shards, the artifact of its newest attempt into a folder of its own; a shard that has none
 * is left out.
 * @throws when artifacts cannot be had at all.
 */
export async function downloadShards(names: ArtifactNames, count: number, folder: string): Promise<string[]> {
  const client = await openClient()
  const { artifacts } = await client.listArtifacts({ latest: true })
  const folders: string[] = []
  for (let index = 1; index <= count; index++) {
    for (let attempt = names.attempt; attempt >= 1; attempt--) {
      const name = artifactName({ ...names, attempt }, `${index}/${count}`)
      const found = artifacts.find((artifact) => artifact.name === name)
      if (found === undefined) continue
      const target = path.join(folder, `shard-${index}`)
      await mkdir(target, { recursive: true })
      await client.downloadArtifact(found.id, { path: target })
      folders.push(target)
      break
    }
  }
  return folders
}

/** The files of a run that are published, of those that are there. */
export function publishedFiles(folder: string, report: string): string[] {
  return [
    ...['attempts.jsonl', 'summary.md', 'report.html', 'leaderboard.json', 'scoreboard.json'],
    ...['comparison.json', 'comparison.md'],
  ]
    .map((name) => path.join(folder, name))
    .concat(report)
    .filter((file) => existsSync(file))
}

function hasService(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.ACTIONS_RESULTS_URL && env.ACTIONS_RUNTIME_TOKEN)
}

/** Loaded when needed: it is most of what the action is made of. */
async function openClient() {
  const { DefaultArtifactClient } = await import('@actions/artifact')
  return new DefaultArtifactClient()
}
