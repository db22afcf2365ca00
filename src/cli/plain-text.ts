/** Text that cannot move the cursor, colour the screen or end a line: control characters become visible. */
export function plainText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd'
  })
}
