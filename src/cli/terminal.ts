import type { WriteStream } from 'node:tty'

/** Where a command writes: results to `out`, everything else to `note`. */
export interface Terminal {
  out(text: string): void
  note(text: string): void
  /** Replaces the live line at the bottom; null removes it. Does nothing where no one watches. */
  live(text: string | null): void
  readonly isInteractive: boolean
}

/** The real terminal. Untrusted text must be cleaned before it comes here. */
export function createTerminal(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
): Terminal {
  const isInteractive = stderr.isTTY === true && env.CI === undefined && env.TERM !== 'dumb'
  let shown = ''
  const clear = () => {
    if (shown !== '') stderr.write('\r\u001b[2K')
  }
  const redraw = () => {
    if (shown !== '') stderr.write(shown)
  }
  return {
    isInteractive,
    out(text) {
      clear()
      stdout.write(`${text}\n`)
      redraw()
    },
    note(text) {
      clear()
      stderr.write(`${text}\n`)
      redraw()
    },
    live(text) {
      if (!isInteractive) return
      clear()
      // A line that wraps could not be cleared.
      shown = text === null ? '' : text.slice(0, ((stderr as WriteStream).columns ?? 80) - 1)
      redraw()
    },
  }
}
