import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { Figure, Place } from './figure.ts'
import { median, times } from './figure.ts'

const ROUNDS = 15

/** Start-up of `--version` against a Node that does nothing, taking turns so that both meet the same load. */
export function bench({ root }: Place): readonly Figure[] {
  const emptyMs: number[] = []
  const versionMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    emptyMs.push(timeOf(['-e', '0']))
    versionMs.push(timeOf([path.join(root, 'dist/cli.js'), '--version']))
  }
  const [empty, version] = [median(emptyMs), median(versionMs)]
  return [
    {
      what: '`node dist/cli.js --version` to `node -e 0`',
      ratio: times(version / empty),
      aim: 'under 2 x',
      note: `${version.toFixed(0)} ms to ${empty.toFixed(0)} ms, medians of ${ROUNDS}`,
    },
  ]
}

function timeOf(args: readonly string[]): number {
  const startedAt = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`)
  return performance.now() - startedAt
}
