import { cutToWidth } from './text-width.ts'

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** Gives the lines to show on a terminal of that size, of which those that fit are shown. */
export type LiveView = (size: TerminalSize) => readonly string[]

/** Where a command writes: results to `out`, everything else to `note`. */
export interface Terminal {
  out(text: string): void
  note(text: string): void
  /**
   * Replaces the live lines at the bottom; null removes them. A view is asked again whenever the lines are drawn, at most
   * ten times a second unless something is written above them. Does nothing where no one watches.
   */
  live(view: LiveView | string | null): void
  readonly isInteractive: boolean
}

/** The exit code for infrastructure; the table of them is in `command.ts`, which imports this file. */
const RESULTS_LOST = 3

/** Live lines are drawn again no sooner than this. */
const REDRAW_MS = 100

const ERASE_LINE_END = '\u001b[K'
const ERASE_SCREEN_END = '\u001b[J'
const WRAP_OFF = '\u001b[?7l'
const WRAP_ON = '\u001b[?7h'

/**
 * The real terminal. Untrusted text must be cleaned before it comes here.
 *
 * While there are live lines the cursor rests at the start of the first. Whatever a resize does to the lines, they begin
 * there, so that they can be erased; a cursor below them would have to know how they were wrapped anew. They are drawn
 * with wrapping off, so that a width which is out of date does no harm either.
 */
export function createTerminal(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
): Terminal {
  const isInteractive = stderr.isTTY === true && env.CI === undefined && env.TERM !== 'dumb'
  let view: LiveView | null = null
  let isDrawn = false
  let drawnAtMs = Number.NEGATIVE_INFINITY
  let isDue = false
  // Progress that nobody reads any more must not end a run; with nobody to hear of it, a broken pipe would.
  stderr.on('error', () => {})
  stdout.on('error', outFailed)

  /** A reader that has seen enough changes no result. Results that are lost are told, and are not fine. */
  function outFailed(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE') return
    note(`error: standard output cannot be written: ${error.message}`)
    process.once('exit', (code) => {
      if (code === 0) process.exitCode = RESULTS_LOST
    })
  }

  function erasure(): string {
    if (!isDrawn) return ''
    isDrawn = false
    return `\r${ERASE_SCREEN_END}`
  }

  function drawing(): string {
    const size = { columns: stderr.columns || 80, rows: stderr.rows || 24 }
    // One row less than there are: the last one would scroll the first away.
    const lines = view?.(size).slice(0, Math.max(1, size.rows - 1)) ?? []
    if (lines.length === 0) return erasure()
    isDrawn = true
    drawnAtMs = performance.now()
    // One column less than there are: erasing from the last one would take its character.
    const text = lines.map((line) => `${cutToWidth(line, size.columns - 1)}${ERASE_LINE_END}`).join('\n')
    const up = lines.length > 1 ? `\u001b[${lines.length - 1}A` : ''
    return `${WRAP_OFF}\r${text}${ERASE_SCREEN_END}\r${up}${WRAP_ON}`
  }

  function draw(): void {
    isDue = false
    const text = drawing()
    if (text !== '') stderr.write(text)
  }

  function drawSoon(): void {
    if (isDue) return
    isDue = true
    // Unreferenced: a table is no reason to go on.
    setTimeout(draw, Math.max(0, drawnAtMs + REDRAW_MS - performance.now())).unref()
  }

  function erase(): void {
    const text = erasure()
    if (text !== '') stderr.write(text)
  }

  function note(text: string): void {
    const above = `${erasure()}${text}\n`
    stderr.write(view === null ? above : above + drawing())
  }

  return {
    isInteractive,
    note,
    out(text) {
      erase()
      stdout.write(`${text}\n`)
      if (view !== null) draw()
    },
    live(next) {
      if (!isInteractive) return
      const hadView = view !== null
      view = typeof next === 'string' ? () => [next] : next
      if (view !== null) {
        if (!hadView) listen()
        if (performance.now() - drawnAtMs < REDRAW_MS) drawSoon()
        else draw()
      } else if (hadView) {
        stderr.off('resize', drawSoon)
        process.off('exit', erase)
        erase()
      }
    },
  }

  function listen(): void {
    stderr.on('resize', drawSoon)
    // A process that is ended in the middle leaves the cursor above its last words otherwise.
    process.on('exit', erase)
  }
}
