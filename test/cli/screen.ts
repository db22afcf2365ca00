import { EventEmitter } from 'node:events'
import { widthOf } from '../../src/cli/text-width.ts'

/** A screen of characters that obeys what our terminal sends, as xterm does: a resize wraps nothing anew. */
export class Screen extends EventEmitter {
  readonly isTTY = true
  /** What a program is told; a resize that it has not heard of yet leaves them behind the real size. */
  columns: number
  rows: number
  /** How often something was written. */
  writes = 0
  #width: number
  #height: number
  #lines: string[] = ['']
  #row = 0
  #column = 0
  #isWrapping = true

  constructor(columns: number, rows: number) {
    super()
    this.columns = this.#width = columns
    this.rows = this.#height = rows
  }

  /** @param isTold whether the program hears of it. */
  resize(columns: number, rows: number, isTold = true): void {
    this.#width = columns
    this.#height = rows
    // Lines below the cursor go first, then the top ones scroll away.
    while (this.#lines.length > rows && this.#lines.length - 1 > this.#row) this.#lines.pop()
    while (this.#lines.length > rows) this.#scroll()
    if (!isTold) return
    this.columns = columns
    this.rows = rows
    this.emit('resize')
  }

  write(text: string): boolean {
    this.writes++
    for (const [part] of text.matchAll(/\u001b\[\??\d*[A-Za-z]|[\s\S]/gu)) this.#obey(part)
    return true
  }

  /** What is to be seen now, and what has scrolled away above it. */
  readonly scrolled: string[] = []
  get shown(): string[] {
    return this.#lines.map((line) => line.trimEnd())
  }

  #obey(part: string): void {
    if (part === '\r') this.#column = 0
    else if (part === '\n') this.#feed()
    else if (part === '\u001b[K') this.#line = this.#beginning(this.#column)
    else if (part === '\u001b[J') {
      this.#line = this.#beginning(this.#column)
      this.#lines.length = this.#row + 1
    } else if (part === '\u001b[?7l') this.#isWrapping = false
    else if (part === '\u001b[?7h') this.#isWrapping = true
    else if (/^\u001b\[\d+A$/.test(part)) this.#row = Math.max(0, this.#row - Number.parseInt(part.slice(2), 10))
    else if (part.startsWith('\u001b')) throw new Error(`unknown sequence ${JSON.stringify(part)}`)
    else this.#put(part)
  }

  #put(character: string): void {
    const width = widthOf(character)
    if (this.#column + width > this.#width) {
      if (!this.#isWrapping) return
      this.#feed()
    }
    // What stood in these columns is gone, the rest stays.
    const rest = [...this.#line.padEnd(this.#column + width)].slice(
      [...this.#beginning(this.#column)].length + Math.min(width, 1),
    )
    this.#line = `${this.#beginning(this.#column)}${character}${rest.join('')}`
    this.#column += width
  }

  #feed(): void {
    this.#column = 0
    this.#row++
    if (this.#row === this.#lines.length) this.#lines.push('')
    if (this.#lines.length > this.#height) this.#scroll()
  }

  #scroll(): void {
    this.scrolled.push((this.#lines.shift() ?? '').trimEnd())
    this.#row--
  }

  get #line(): string {
    return this.#lines[this.#row] ?? ''
  }
  set #line(text: string) {
    this.#lines[this.#row] = text
  }

  #beginning(columns: number): string {
    let text = ''
    for (const character of this.#line) {
      if (widthOf(text + character) > columns) break
      text += character
    }
    return text + ' '.repeat(columns - widthOf(text))
  }
}
