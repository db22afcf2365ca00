import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'

/** How the artifacts of a run are named: `<base>-<run id>-<attempt>`, and behind that what it is of. */
export interface ArtifactNames {
  readonly base: string
  readonly runId: string
  readonly attempt: number
}

/** What an artifact is of: a whole sweep, a shard like `2/5`, a plan, or a comparison of reports that were there already. */
export type ArtifactPart =
  | { readonly kind: 'whole' }
  | { readonly kind: 'plan' }
  | { readonly kind: 'compare' }
  | { readonly kind: 'shard'; readonly shard: string }

/** The part of a sweep that a step makes. */
export function partOf(shard: string | null): ArtifactPart {
  return shard === null ? { kind: 'whole' } : { kind: 'shard', shard }
}

export function artifactName({ base, runId, attempt }: ArtifactNames, part: ArtifactPart): string {
  const name = `${base}-${runId}-${attempt}`
  if (part.kind === 'whole') return name
  return part.kind === 'shard' ? `${name}-shard-${part.shard.replace('/', '-of-')}` : `${name}-${part.kind}`
}

export interface Artifact {
  readonly id: number
  readonly name: string
}

/** Of a part of a sweep the artifact of the newest attempt, up to that of `names`; null where there is none. */
export function findNewest(artifacts: readonly Artifact[], names: ArtifactNames, part: ArtifactPart): Artifact | null {
  for (let attempt = names.attempt; attempt >= 1; attempt--) {
    const name = artifactName({ ...names, attempt }, part)
    const found = artifacts.find((artifact) => artifact.name === name)
    if (found !== undefined) return found
  }
  return null
}

export interface ArtifactOptions {
  readonly env: NodeJS.ProcessEnv
  readonly retentionDays: number | null
}

export type UploadResult =
  | { readonly kind: 'uploaded'; readonly name: string; readonly url: string | null }
  /** `isLost`: where they were to be kept there is a place for them. */
  | { readonly kind: 'failed'; readonly why: string; readonly isLost: boolean }

/** Uploads files below `root` under a name that must be free. */
export function uploadFolder(
  name: string,
  files: readonly string[],
  root: string,
  options: ArtifactOptions,
): Promise<UploadResult> {
  return send(name, options, (client, days) => client.uploadArtifact(name, [...files], root, days))
}

/** Uploads one page as it is, so that a browser shows it where a link leads to it. Such an artifact is named like its file. */
export function uploadPage(
  name: string,
  page: string,
  scratch: string,
  options: ArtifactOptions,
): Promise<UploadResult> {
  const copy = path.join(scratch, `${name}.html`)
  return send(path.basename(copy), options, async (client, days) => {
    await copyFile(page, copy)
    return client.uploadArtifact(name, [copy], scratch, { ...days, skipArchive: true })
  })
}

async function send(
  name: string,
  { env, retentionDays }: ArtifactOptions,
  upload: (client: Client, days: { readonly retentionDays?: number }) => Promise<{ id?: number }>,
): Promise<UploadResult> {
  if (!hasArtifacts(env)) return { kind: 'failed', why: 'this job has no artifacts', isLost: false }
  try {
    const { id } = await upload(await openClient(), retentionDays === null ? {} : { retentionDays })
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env
    const url = id === undefined ? null : safeUrl(`${server}/${repository}/actions/runs/${run}/artifacts/${id}`)
    return { kind: 'uploaded', name, url }
  } catch (error) {
    return { kind: 'failed', why: (error as Error).message, isLost: true }
  }
}

/** An address that needs no escape in Markdown; null for any other. */
export function safeUrl(url: string): string | null {
  return /^https?:\/\/[^\s()<>"'\\[\]|`]+$/.test(url) ? url : null
}

/** @throws when it cannot be deleted. */
export async function deleteArtifact(name: string): Promise<void> {
  await (await openClient()).deleteArtifact(name)
}

/** The artifacts of this run. @throws when they cannot be had. */
export async function listArtifacts(): Promise<readonly Artifact[]> {
  return (await (await openClient()).listArtifacts({ latest: true })).artifacts
}

/** Downloads an artifact into a folder, and gives that. @throws when it cannot be had. */
export async function downloadArtifact({ id }: Artifact, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await (await openClient()).downloadArtifact(id, { path: folder })
  return folder
}

/**
 * Downloads, of each shard of this run, the artifact of its newest attempt into a folder of its own. How many there are say the
 * names; a shard that has none is left out.
 * @throws when artifacts cannot be had at all.
 */
export async function downloadShards(names: ArtifactNames, folder: string): Promise<string[]> {
  const artifacts = await listArtifacts()
  const before = `${names.base}-${names.runId}-`
  const shards = artifacts.flatMap(({ name }) => {
    const behind = name.startsWith(before) ? name.slice(before.length) : ''
    const [, shard] = /^\d+-shard-(\d+-of-\d+)$/.exec(behind) ?? []
    return shard === undefined ? [] : [shard.replace('-of-', '/')]
  })
  const folders: string[] = []
  for (const shard of new Set(shards)) {
    const found = findNewest(artifacts, names, partOf(shard))
    if (found !== null) folders.push(await downloadArtifact(found, path.join(folder, found.name)))
  }
  return folders
}

/** Whether the runner tells a place for artifacts that the toolkit can use: those of an Enterprise Server it cannot. */
export function hasArtifacts(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.ACTIONS_RESULTS_URL && env.ACTIONS_RUNTIME_TOKEN) && !isEnterpriseServer(env)
}

/** As the toolkit tells it. */
function isEnterpriseServer({ GITHUB_SERVER_URL: server = 'https://github.com' }: NodeJS.ProcessEnv): boolean {
  const host = URL.canParse(server) ? new URL(server).hostname.toLowerCase() : 'github.com'
  return host !== 'github.com' && !host.endsWith('.ghe.com') && !host.endsWith('.localhost')
}

type Client = Awaited<ReturnType<typeof openClient>>

/** Loaded when needed: it is most of what the action is made of. */
async function openClient() {
  if (!hasArtifacts(process.env)) {
    throw new BenchError({
      code: 'action/no-artifacts',
      message: 'This job has no artifacts: the runner tells no place for them.',
      hint: 'Run it on a runner that has them; to merge shards without them give merge-from.',
    })
  }
  const { DefaultArtifactClient } = await import('@actions/artifact')
  return new DefaultArtifactClient()
}
