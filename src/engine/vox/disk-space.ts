import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'

const GIB = 2 ** 30

/** Free bytes for us on the file system that holds `folder`, which must exist. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Refuses a build for which there is too little room. What a failed build left in its target folder is used again, so a third is
 * enough then.
 * @throws BenchError `infra/vox-disk`
 */
export async function demandDisk(targetFolder: string, profileFolder: string, minDiskGb: number): Promise<void> {
  const hasBuild = existsSync(path.join(targetFolder, profileFolder, '.fingerprint'))
  const neededGb = hasBuild ? minDiskGb / 3 : minDiskGb
  const freeGb = (await freeBytes(targetFolder)) / GIB
  if (freeGb >= neededGb) return
  throw new BenchError({
    code: 'infra/vox-disk',
    message: `building vox needs ${round(neededGb)} GiB of free disk for ${targetFolder}; there are ${round(freeGb)} GiB.`,
    hint: 'Free some space, point --vox-cache to a larger disk, or lower --vox-disk-gb if you know that it fits.',
  })
}

/** A build that met a full disk when it wrote to `folder`; `tail` is what it said at the end. */
export function diskFull(folder: string, tail: string): BenchError {
  return new BenchError({
    code: 'infra/vox-disk',
    message: `the build of vox filled the disk that holds ${folder}.\n${tail}`.trim(),
    hint: 'Free some space or point --vox-cache to a larger disk, then run again: what was built is kept.',
  })
}

/** The same for what is fetched or unpacked. */
export function noRoom(folder: string): BenchError {
  return new BenchError({
    code: 'infra/vox-disk',
    message: `the disk that holds ${folder} is full.`,
    hint: 'Free some space or point --vox-cache to a larger disk, then run again.',
  })
}

const round = (gb: number) => Math.round(gb * 10) / 10
