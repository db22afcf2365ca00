/** A half-open range of UTF-16 offsets into the normalised source text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One-based line and column (in code points) of an offset. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Position of `offset` in `text`; offsets past the end give the end. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line++
  return { line, column: [...before.slice(lineStart)].length + 1 }
}
