import { html, type Markup } from './markup.ts'

export interface SourceNote {
  readonly severity: 'error' | 'warning'
  readonly code: string | null
  readonly message: string
  /** From 1; foreign reports may hold anything. */
  readonly line: number
  readonly column: number
}

/** A program with its line numbers, and each note under the line it is about; what lies outside comes at the end. */
export function sourceView(source: string, notes: readonly SourceNote[]): Markup {
  const lines = source.replace(/\n$/, '').split('\n')
  const placed = notes.map((note) => ({ note, line: Math.min(lines.length, Math.max(1, Math.trunc(note.line) || 1)) }))
  const breaks = [...new Set([...placed.map(({ line }) => line), lines.length])].sort((a, b) => a - b)
  return html`<div class="source" tabindex="0" role="group" aria-label="Program">${breaks.map((end, index) => {
    const start = breaks[index - 1] ?? 0
    const text = lines.slice(start, end)
    return html`<pre class="gutter" aria-hidden="true">${text.map((_, offset) => start + offset + 1).join('\n')}</pre><pre class="code">${text.join('\n')}</pre>${placed.filter(({ line }) => line === end).map(({ note }) => noteView(note, lines[end - 1] ?? ''))}`
  })}</div>`
}

function noteView({ severity, code, message, line, column }: SourceNote, text: string): Markup {
  const at = Math.min(text.length, Math.max(0, (Math.trunc(column) || 1) - 1))
  // Tabs stay tabs, so that the caret stands below its character.
  const lead = text.slice(0, at).replace(/[^\t]/g, ' ')
  return html`<span class="gutter"></span><pre class="diagnostic ${severity}">${lead}<span aria-hidden="true">↑</span> ${severity}${code === null ? '' : ` ${code}`} (line ${line}): ${message}</pre>`
}
