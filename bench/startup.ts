import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Figure, Place } from './figure.ts'
import { median, times } from './figure.ts'

const ROUNDS = 15

/**
 * Start-up of `--version`, and of the action until its first line, against a Node that does nothing: by turns, so that all meet
 * the same load.
 */
export async function bench({ root }: Place): Promise<readonly Figure[]> {
  const node24 = path.join(root, 'tools/node24/node_modules/node-bin/bin/node')
  const runner = existsSync(node24) ? node24 : process.execPath
  const cli = { empty: [] as number[], own: [] as number[] }
  const action = { empty: [] as number[], own: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    cli.empty.push((await timeOf(process.execPath, ['-e', '0'])).endMs)
    const version = await timeOf(process.execPath, [path.join(root, 'dist/cli.js'), '--version'])
    if (version.code !== 0) throw new Error('dist/cli.js --version failed')
    cli.own.push(version.endMs)
    action.empty.push((await timeOf(runner, ['-e', '0'])).endMs)
    // The line says what is about to be done, and comes before anything is read; a mode that there is not ends it soon after.
    const { lineMs } = await timeOf(runner, [path.join(root, 'dist/action.js')], { INPUT_MODE: 'none' })
    if (Number.isNaN(lineMs)) throw new Error('dist/action.js wrote nothing')
    action.own.push(lineMs)
  }
  return [
    figure('`node dist/cli.js --version` to `node -e 0`', 'under 2 x', cli),
    figure(
      `first line of \`dist/action.js\`, which says what it will do, to \`node -e 0\`, on ${runner === node24 ? 'Node 24' : `Node ${process.version}`}`,
      'under 3 x',
      action,
    ),
  ]
}

function figure(
  what: string,
  aim: string,
  { empty, own }: { readonly empty: number[]; readonly own: number[] },
): Figure {
  const [emptyMs, ownMs] = [median(empty), median(own)]
  return {
    what,
    ratio: times(ownMs / emptyMs),
    aim,
    note: `${ownMs.toFixed(0)} ms to ${emptyMs.toFixed(0)} ms, medians of ${ROUNDS}`,
  }
}

/** Milliseconds until a process ended, and until it had written something. */
function timeOf(
  node: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly code: number | null; readonly endMs: number; readonly lineMs: number }> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let lineMs = Number.NaN
    const child = spawn(node, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.once('data', () => {
      lineMs = performance.now() - startedAt
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, endMs: performance.now() - startedAt, lineMs }))
  })
}
