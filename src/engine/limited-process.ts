import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { atExit } from './at-exit.ts'
import { createCapture } from './captured-text.ts'
import type { CapturedText } from './engine.ts'
import type { LaunchedProcess } from './launch.ts'

/** How long a stream may stay open once its process group was killed. */
const DRAIN_MS = 1000

export interface ProcessEnd {
  readonly end:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'signalled'; readonly signal: string }
    | { readonly kind: 'timeout' }
    | { readonly kind: 'output-limit' }
  readonly stdout: CapturedText
  readonly stderr: CapturedText
  readonly elapsedMs: number
}

/**
 * Watches a process until it ends, its wall time is over or its two streams together pass `outputBytes`; the group is killed in every
 * case, so that nothing outlives the call. Rejects when the command could not be started.
 */
export async function endOf(
  launched: LaunchedProcess,
  limits: { readonly wallMs: number; readonly outputBytes: number },
): Promise<ProcessEnd> {
  const stdout = createCapture()
  const stderr = createCapture()
  const startedAt = performance.now()
  let overrun: 'timeout' | 'output-limit' | null = null

  function stop(why: 'timeout' | 'output-limit'): void {
    overrun ??= why
    launched.kill()
  }
  function feed(stream: Readable, capture: typeof stdout): Promise<unknown> {
    stream.on('data', (piece: Uint8Array) => {
      if (overrun === 'output-limit') return
      capture.add(piece)
      if (stdout.bytes() + stderr.bytes() > limits.outputBytes) stop('output-limit')
    })
    return once(stream, 'close')
  }

  const drained = Promise.allSettled([feed(launched.stdout, stdout), feed(launched.stderr, stderr)])
  const timer = setTimeout(() => stop('timeout'), limits.wallMs)
  const forget = atExit(() => launched.kill())
  try {
    const { code, signal } = await launched.ended
    const elapsedMs = performance.now() - startedAt
    launched.kill()
    await withinDrainTime(drained, launched)
    const end: ProcessEnd['end'] =
      overrun !== null
        ? { kind: overrun }
        : code === null
          ? { kind: 'signalled', signal: signal ?? 'unknown' }
          : { kind: 'exited', code }
    return { end, stdout: stdout.text(), stderr: stderr.text(), elapsedMs }
  } finally {
    forget()
    clearTimeout(timer)
  }
}

/** A process that left the group may hold a stream open for ever; what it writes is not waited for. */
async function withinDrainTime(drained: Promise<unknown>, launched: LaunchedProcess): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS)
  })
  await Promise.race([drained, overdue])
  clearTimeout(timer)
  launched.stdout.destroy()
  launched.stderr.destroy()
}
