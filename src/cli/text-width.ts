/** Characters that a terminal draws two columns wide: scripts of East Asia, full-width forms, pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d8f}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
/** Characters that take no column of their own. */
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u

/** Columns that a line takes on a terminal. A picture that is made of several counts as all of them. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** The longest beginning of a line that takes at most `columns`; never half a character. */
export function cutToWidth(text: string, columns: number): string {
  let width = 0
  let end = 0
  for (const character of text) {
    width += columnsOf(character)
    if (width > columns) return text.slice(0, end)
    end += character.length
  }
  return text
}

/** A name in exactly `columns` columns: filled up, or shortened in the middle, since both its ends tell it apart. */
export function fitName(name: string, columns: number): string {
  const width = widthOf(name)
  if (width <= columns) return name + ' '.repeat(columns - width)
  const tailColumns = Math.floor((columns - 1) / 2)
  let tail = ''
  for (const character of [...name].reverse()) {
    if (widthOf(character + tail) > tailColumns) break
    tail = character + tail
  }
  const shortened = `${cutToWidth(name, columns - 1 - widthOf(tail))}…${tail}`
  return shortened + ' '.repeat(columns - widthOf(shortened))
}

function columnsOf(character: string): number {
  if (character < '\u007f') return 1
  if (ZERO.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
