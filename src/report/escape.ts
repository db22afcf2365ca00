/** C0 and C1 controls but tab and newline, and the marks that turn the direction of text around. */
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
/** Half of a character, which no file in UTF-8 can hold. */
const LONE_SURROGATE = /\p{Surrogate}/gu

/** Text with every control character shown instead of obeyed, so that it cannot steer a terminal or a reader's eye. */
export function showControls(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(INVISIBLE, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`)
    .replace(LONE_SURROGATE, '\ufffd')
}

/** Text for a log: as above, and no line of it is a command to the runner of a workflow. */
export function escapeLog(text: string): string {
  return showControls(text)
    .replace(/^([^\S\n]*):(?=:)/gm, '$1:\u200b')
    .replaceAll('##[', '##\u200b[')
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as text of HTML, in an element or in a quoted attribute; a page that is printed in a log commands no runner. */
export function escapeHtml(text: string): string {
  return showControls(text)
    .replace(/[&<>"']/g, (character) => HTML[character] ?? character)
    .replace(/^([^\S\n]*):(?=:)/gm, '$1&#58;')
    .replaceAll('##[', '#&#35;[')
}

const BREAK = '&#8203;'
/**
 * What begins or is a construct of Markdown, or something GitHub makes a link or a notification of. Left alone is what
 * cannot: an underscore inside a word, the @ of `C1@50`, the colons of a time.
 */
const CONSTRUCTS =
  /[\\`*~[\]&<>|$#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<![A-Za-z0-9])@|@(?!\d+(?![\w.-]))|(?<!\d):(?=\S)|:(?=[^\s\d])|\bwww(?=\.)|\bGH-(?=\d)/gi

/**
 * Text as one line of text in GitHub-flavoured Markdown, also in a table cell. GitHub looks for mentions, issue
 * numbers and addresses after character references are resolved, so those are broken up by a zero-width space; a
 * reference alone would not stop them.
 */
export function escapeMarkdown(text: string): string {
  return showControls(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(CONSTRUCTS, (found) => {
      if (/^[&<>|$]$/.test(found)) return reference(found)
      return /^[\\`*_~[\]]$/.test(found) ? `\\${found}` : `${found}${BREAK}`
    })
    .replace(/^[-+=]/, reference)
    .replace(/^(\d+)([.)])/, (_, digits: string, mark: string) => `${digits}${reference(mark)}`)
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

/** At most `limit` characters of a text, never half of one. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
