/** Endpoints without keys are given words such as `test`, which an answer may well have. */
const MIN_SECRET_LENGTH = 8

const ENTITIES: Readonly<Record<string, string>> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' }

/**
 * A function that takes a key out of a text in which an endpoint repeated it: as it is, as JSON, HTML and URLs write it, and in
 * base64, whatever stands before it there. A key of fewer than 8 characters is left in.
 */
export function createKeyMask(key: string): (text: string) => string {
  if (key.length < MIN_SECRET_LENGTH) return (text) => text
  const base64 = (['utf8', 'latin1'] as const).flatMap((encoding) => base64Patterns(Buffer.from(key, encoding)))
  const pattern = new RegExp([writtenPattern(key), ...new Set(base64)].join('|'), 'gu')
  return (text) => text.replaceAll(pattern, '***')
}

/** All ways to write a text, other than in base64. */
function writtenPattern(text: string): string {
  const parts = text.match(/\\+|[^\\]/gu) ?? []
  // How often each of several backslashes was doubled would be tried in every combination.
  return parts
    .map((part) =>
      part.startsWith('\\')
        ? `(?:\\\\{${part.length},${8 * part.length}}|(?:%5[cC]){${part.length}})`
        : characterPattern(part),
    )
    .join('')
}

/** All ways to write a character that is no backslash, of which letters and digits have one. */
function characterPattern(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  const units = Array.from({ length: character.length }, (_, at) => hex(character.charCodeAt(at), 4))
  const entity = ENTITIES[character]
  const ways = [
    units.map((unit) => `\\\\{1,8}u${anyCase(unit)}`).join(''),
    `&#(?:0{0,8}${code}|[xX]0{0,8}${anyCase(code.toString(16))});`,
    ...(entity === undefined ? [] : [`&${entity};`]),
    ...[...new Set([percents(character, 'utf8'), percents(character, 'latin1')])],
    ...(character === ' ' ? ['\\+'] : []),
    // Last, since it may be the beginning of another. Backslashes double with each text that is quoted within another.
    `\\\\{0,8}\\u{${code.toString(16)}}`,
  ]
  return `(?:${ways.join('|')})`
}

function percents(character: string, encoding: BufferEncoding): string {
  return [...Buffer.from(character, encoding)].map((byte) => `%${anyCase(hex(byte, 2))}`).join('')
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}

function anyCase(digits: string): string {
  return digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

/**
 * Three bytes are four characters, so a text's base64 depends on how many bytes stand before it: one pattern for each remainder, with
 * the characters at both ends that carry bits of what stands beside.
 */
function base64Patterns(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const shared = [0, 2, 3][before] ?? 0
    const whole = Math.floor(((before + bytes.length) * 4) / 3)
    const inner = text
      .slice(shared, whole)
      .replaceAll(/[+/]/g, (sign) => (sign === '+' ? '(?:[+\\-]|%2[bB])' : '(?:\\\\{0,8}\\/|_|%2[fF])'))
    return `[\\w+\\/\\-]{0,${shared}}${inner}[\\w+\\/\\-]{0,3}`
  })
}
