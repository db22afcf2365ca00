import { escapeHtml } from '../escape.ts'

/** HTML that is safe as it stands; made by `html` and `trust` alone. */
export interface Markup {
  readonly markup: string
}

type Value = string | number | Markup | readonly Markup[] | null

/** HTML from a template whose values are escaped, unless they were made by `html` themselves; null leaves nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let markup = parts[0] ?? ''
  for (const [index, value] of values.entries()) markup += render(value) + (parts[index + 1] ?? '')
  return { markup }
}

function render(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if ('markup' in value) return value.markup
  return value.map(({ markup }) => markup).join('')
}

/** Text of this program's own that stands in the page as it is; never a text from elsewhere. */
export function trust(markup: string): Markup {
  return { markup }
}
