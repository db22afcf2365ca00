import { lstatSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../bench-error.ts'
import type { OutputFolder } from '../sweep/output-folder.ts'

/** How the artifacts of a run are named: `<base>-<run id>-<attempt>`, and behind that what it is of. */
export interface ArtifactNames {
  readonly base: string
  readonly runId: string
  readonly attempt: number
}

/** What an artifact is of: a whole sweep, a shard like `2/5`, or a plan. */
export type ArtifactPart =
  | { readonly kind: 'whole' }
  | { readonly kind: 'plan' }
  | { readonly kind: 'shard'; readonly shard: string }

/** The part of a sweep that a step makes. */
export function partOf(shard: string | null): ArtifactPart {
  return shard === null ? { kind: 'whole' } : { kind: 'shard', shard }
}

export function artifactName({ base, runId, attempt }: ArtifactNames, part: ArtifactPart): string {
  const name = `${base}-${runId}-${attempt}`
  if (part.kind === 'whole') return name
  return part.kind === 'plan' ? `${name}-plan` : `${name}-shard-${part.shard.replace('/', '-of-')}`
}

/** Stands beside what a paid sweep will publish from its first request on, so that a re-run knows of spending that nothing tells of. */
function askingName(names: ArtifactNames, part: ArtifactPart): string {
  return `${artifactName(names, part)}-asking`
}

export type UploadResult =
  | { readonly kind: 'uploaded'; readonly name: string; readonly url: string | null }
  /** `isLost`: where they were to be kept there is a place for them. */
  | { readonly kind: 'failed'; readonly why: string; readonly isLost: boolean }

/** Uploads files below `root` under a name that must be free. */
export async function uploadFolder(
  name: string,
  files: readonly string[],
  root: string,
  { env, retentionDays }: ArtifactOptions,
): Promise<UploadResult> {
  if (!hasService(env)) return { kind: 'failed', why: 'this job has no artifacts', isLost: false }
  try {
    const client = await openClient()
    const { id } = await client.uploadArtifact(name, [...files], root, {
      ...(retentionDays === null ? {} : { retentionDays }),
    })
    return { kind: 'uploaded', name, url: addressOf(id, env) }
  } catch (error) {
    return { kind: 'failed', why: (error as Error).message, isLost: true }
  }
}

/** Uploads one page as it is, so that a browser shows it where a link leads to it; its name is that of the file. */
export async function uploadPage(
  name: string,
  page: string,
  scratch: string,
  { env, retentionDays }: ArtifactOptions,
): Promise<UploadResult> {
  if (!hasService(env)) return { kind: 'failed', why: 'this job has no artifacts', isLost: false }
  const copy = path.join(scratch, `${name}.html`)
  try {
    await copyFile(page, copy)
    const days = retentionDays === null ? {} : { retentionDays }
    const { id } = await (await openClient()).uploadArtifact(name, [copy], scratch, { ...days, skipArchive: true })
    return { kind: 'uploaded', name: `${name}.html`, url: addressOf(id, env) }
  } catch (error) {
    return { kind: 'failed', why: (error as Error).message, isLost: true }
  }
}

/** Null where there is none, or none that is safe in Markdown. */
function addressOf(id: number | undefined, env: NodeJS.ProcessEnv): string | null {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env
  const address = `${server}/${repository}/actions/runs/${run}/artifacts/${id}`
  return id !== undefined && /^https?:\/\/[^\s()<>"\\]+$/.test(address) ? address : null
}

export interface ArtifactOptions {
  readonly env: NodeJS.ProcessEnv
  readonly retentionDays: number | null
}

/** Says, before the first request that costs money, that it will be made. Does nothing where a job has no artifacts. */
export async function markAsking(
  names: ArtifactNames,
  part: ArtifactPart,
  scratch: string,
  options: ArtifactOptions,
): Promise<UploadResult | { readonly kind: 'none' }> {
  if (!hasService(options.env)) return { kind: 'none' }
  const file = path.join(scratch, 'asking.txt')
  await writeFile(file, 'A sweep that costs money asks its models. This goes when its files are published.\n')
  return uploadFolder(askingName(names, part), [file], scratch, options)
}

/** Takes that back once the files are published; where it cannot be, a reader only sees one artifact more. */
export async function unmarkAsking(names: ArtifactNames, part: ArtifactPart): Promise<void> {
  try {
    await (await openClient()).deleteArtifact(askingName(names, part))
  } catch {
    // The files beside it are what a re-run looks for first.
  }
}

export type EarlierAttempt =
  | { readonly kind: 'found'; readonly folder: string }
  /** `asked`: it began to ask, and left nothing that says what that came to. */
  | { readonly kind: 'asked' | 'nothing' }

/**
 * Downloads the artifact of the newest attempt before this one into `folder`.
 * @throws when artifacts cannot be had at all.
 */
export async function downloadEarlierAttempt(
  names: ArtifactNames,
  part: ArtifactPart,
  folder: string,
): Promise<EarlierAttempt> {
  const client = await openClient()
  const { artifacts } = await client.listArtifacts({ latest: true })
  for (let attempt = names.attempt - 1; attempt >= 1; attempt--) {
    const has = (name: string) => artifacts.find((artifact) => artifact.name === name)
    const found = has(artifactName({ ...names, attempt }, part))
    if (found === undefined && has(askingName({ ...names, attempt }, part))) return { kind: 'asked' }
    if (found === undefined) continue
    await mkdir(folder, { recursive: true })
    await client.downloadArtifact(found.id, { path: folder })
    return { kind: 'found', folder }
  }
  return { kind: 'nothing' }
}

/**
 * Downloads what the newest attempt so far has of a plan. Null where there is none.
 * @throws when artifacts cannot be had at all.
 */
export async function downloadPlan(names: ArtifactNames, folder: string): Promise<string | null> {
  const found = await downloadEarlierAttempt({ ...names, attempt: names.attempt + 1 }, { kind: 'plan' }, folder)
  return found.kind === 'found' ? found.folder : null
}

/**
 * Downloads, of each shard of this run, the artifact of its newest attempt into a folder of its own. How many there are say the
 * names; a shard that has none is left out.
 * @throws when artifacts cannot be had at all.
 */
export async function downloadShards(names: ArtifactNames, folder: string): Promise<string[]> {
  const client = await openClient()
  const { artifacts } = await client.listArtifacts({ latest: true })
  const newest = new Map<string, { readonly id: number; readonly attempt: number }>()
  const before = `${names.base}-${names.runId}-`
  for (const { id, name } of artifacts.filter((artifact) => artifact.name.startsWith(before))) {
    const [, attempt, shard] = /^(\d+)-(shard-\d+-of-\d+)$/.exec(name.slice(before.length)) ?? []
    if (shard === undefined || Number(attempt) > names.attempt) continue
    if (Number(attempt) > (newest.get(shard)?.attempt ?? 0)) newest.set(shard, { id, attempt: Number(attempt) })
  }
  const folders: string[] = []
  for (const [shard, { id }] of newest) {
    const target = path.join(folder, shard)
    await mkdir(target, { recursive: true })
    await client.downloadArtifact(id, { path: target })
    folders.push(target)
  }
  return folders.sort()
}

/** The files of a run that are published, of those that are there. */
export function runFiles({ folder, report, journal }: Pick<OutputFolder, 'folder' | 'report' | 'journal'>): string[] {
  const names = ['summary.md', 'report.html', 'leaderboard.json', 'scoreboard.json']
  return [journal, report, ...names.map((name) => path.join(folder, name))].filter(isOwnFile)
}

/** The files of a comparison. */
export function comparisonFiles(folder: string): string[] {
  return ['comparison.json', 'comparison.md'].map((name) => path.join(folder, name)).filter(isOwnFile)
}

/** What a link points to is not of this run. */
function isOwnFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}

function hasService(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.ACTIONS_RESULTS_URL && env.ACTIONS_RUNTIME_TOKEN)
}

/** Loaded when needed: it is most of what the action is made of. */
async function openClient() {
  if (!hasService(process.env)) {
    throw new BenchError({
      code: 'action/no-artifacts',
      message: 'This job has no artifacts: the runner tells no place for them.',
      hint: 'Run it on a runner that has them; to merge shards without them give merge-from.',
    })
  }
  const { DefaultArtifactClient } = await import('@actions/artifact')
  return new DefaultArtifactClient()
}
