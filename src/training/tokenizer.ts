import { EMPTY_HASH, hashUnit } from './vocabulary.ts'

/** Cuts a text that comes in parts into tokens. However it is cut into parts, the tokens are the same. */
export interface Tokenizer {
  feed(text: string): void
  /** Lines that are passed over without their text. */
  skipLines(count: number): void
  /** The text is over: gives the token under way. */
  end(): void
}

/** Gives a token the number it is known by; 0 for one that is not known. */
export type NumberToken = (units: Uint16Array, length: number, hash: number) => number

/** Longer words are no one's: their number is 0. It keeps a text without any blank from filling the memory. */
const MAX_WORD_UNITS = 1024

const BACKSLASH = 0x5c
const LOWER_U = 0x75

/**
 * Tokens are lower-case words, `[\p{L}\p{N}_]+`, and every other character that is not blank; those that nobody sees,
 * `\p{Cf}`, are blank. Backslashes are none: any
 * number of them before `n`, `r` or `t` is a blank, before `u` and four hexadecimal digits that code unit, before
 * anything else nothing. So a text has the same tokens as it stands and as a string literal in a file, at any depth of
 * quoting.
 * @param onToken is given each token's number and the line of its first character, counted from 1
 */
export function createTokenizer(numberOf: NumberToken, onToken: (token: number, line: number) => void): Tokenizer {
  const word = new Uint16Array(MAX_WORD_UNITS)
  const single = new Uint16Array(2)
  let wordUnits = 0
  let wordHash = EMPTY_HASH
  let wordLine = 1
  let line = 1
  let isEscaped = false
  /** The hexadecimal digits behind `\u`, as far as they were read; null outside of such an escape. */
  let digits: string | null = null
  let highSurrogate = 0

  function addUnit(unit: number): void {
    if (wordUnits === 0) wordLine = line
    if (wordUnits < MAX_WORD_UNITS) word[wordUnits] = unit
    wordUnits++
    wordHash = hashUnit(wordHash, unit)
  }

  function endWord(): void {
    if (wordUnits === 0) return
    onToken(wordUnits > MAX_WORD_UNITS ? 0 : numberOf(word, wordUnits, wordHash), wordLine)
    wordUnits = 0
    wordHash = EMPTY_HASH
  }

  function addCodePoint(code: number): void {
    const kind = kindOf(code)
    if (kind === WORD) {
      const lower = lowerOf(code)
      for (let at = 0; at < lower.length; at++) addUnit(lower.charCodeAt(at))
      return
    }
    endWord()
    if (kind === OTHER) addSingle(code)
  }

  function addSingle(code: number): void {
    const units = code > 0xffff ? 2 : 1
    single[0] = units === 1 ? code : 0xd800 + ((code - 0x10000) >> 10)
    single[1] = 0xdc00 + ((code - 0x10000) & 0x3ff)
    let hash = hashUnit(EMPTY_HASH, single[0])
    if (units === 2) hash = hashUnit(hash, single[1])
    onToken(numberOf(single, units, hash), line)
  }

  function addTextUnit(unit: number): void {
    if (highSurrogate !== 0) {
      const high = highSurrogate
      highSurrogate = 0
      if (unit >= 0xdc00 && unit <= 0xdfff) {
        addCodePoint(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00))
        return
      }
      addCodePoint(high)
    }
    if (unit >= 0xd800 && unit <= 0xdbff) highSurrogate = unit
    else addCodePoint(unit)
  }

  function endDigits(): void {
    if (digits === null) return
    const text = `u${digits}`
    digits = null
    for (let at = 0; at < text.length; at++) addTextUnit(text.charCodeAt(at))
  }

  function addEscaped(unit: number): void {
    isEscaped = false
    if (unit === LOWER_U) digits = ''
    else if (unit === 0x6e || unit === 0x72 || unit === 0x74) addTextUnit(0x20)
    else addTextUnit(unit)
  }

  function addUnitOfText(unit: number): void {
    if (digits !== null) {
      if (isHexDigit(unit)) {
        digits += String.fromCharCode(unit)
        if (digits.length < 4) return
        const code = Number.parseInt(digits, 16)
        digits = null
        addTextUnit(code)
        return
      }
      endDigits()
    }
    if (unit === BACKSLASH) isEscaped = true
    else if (isEscaped) addEscaped(unit)
    else addTextUnit(unit)
    if (unit === 0x0a) line++
  }

  return {
    feed(text) {
      let at = 0
      while (at < text.length) {
        const unit = text.charCodeAt(at)
        at++
        if (unit >= 0x80 || unit === BACKSLASH || isEscaped || digits !== null || highSurrogate !== 0) {
          addUnitOfText(unit)
        } else if (kinds[unit] === WORD) {
          // By far most of any text, so its state is kept at hand.
          let [units, hash, next] = [wordUnits, wordHash, unit]
          if (units === 0) wordLine = line
          for (;;) {
            const lower = asciiLower[next] as number
            if (units < MAX_WORD_UNITS) word[units] = lower
            units++
            hash = hashUnit(hash, lower)
            if (at === text.length) break
            next = text.charCodeAt(at)
            if (next >= 0x80 || kinds[next] !== WORD) break
            at++
          }
          wordUnits = units
          wordHash = hash
        } else {
          endWord()
          if (kinds[unit] === OTHER) addSingle(unit)
          else if (unit === 0x0a) line++
        }
      }
    },
    skipLines(count) {
      line += count
    },
    end() {
      endDigits()
      if (highSurrogate !== 0) addTextUnit(0x20)
      endWord()
    },
  }
}

const [BLANK, WORD, OTHER] = [1, 2, 3]

/** The kind of each code point that was met so far; 0 for the others. */
const kinds = new Uint8Array(0x110000)
for (let code = 0; code < 0x80; code++) kindOf(code)

function kindOf(code: number): number {
  const known = kinds[code] as number
  if (known !== 0) return known
  const character = String.fromCodePoint(code)
  const kind = /[\p{L}\p{N}_]/u.test(character) ? WORD : /[\s\p{Cf}]/u.test(character) ? BLANK : OTHER
  kinds[code] = kind as number
  return kind as number
}

const asciiLower = Uint8Array.from({ length: 0x80 }, (_, code) => (code >= 0x41 && code <= 0x5a ? code + 0x20 : code))

const lowers = new Map<number, string>()

/** Of one character alone, so that its neighbours, which may not have come yet, change nothing. */
function lowerOf(code: number): string {
  let lower = lowers.get(code)
  if (lower === undefined) {
    lower = String.fromCodePoint(code).toLowerCase()
    lowers.set(code, lower)
  }
  return lower
}

function isHexDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66)
}
