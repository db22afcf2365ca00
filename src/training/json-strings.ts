import type { Tokenizer } from './tokenizer.ts'

/** What of a JSON text that comes in parts is told on. */
export type JsonStrings = Pick<Tokenizer, 'feed' | 'end'>

/** Longer strings are taken for values before what stands behind them is known. */
const MAX_KEY_UNITS = 4096

type State = 'outside' | 'string' | 'behind'

/**
 * Feeds `target` the string values of JSON texts, one or many behind each other, as one text; keys are left out. Their
 * escapes are left to the tokenizer. It takes any text: a line break inside a string, which JSON does not allow, ends it.
 */
export function createJsonStrings(target: Tokenizer): JsonStrings {
  let state: State = 'outside'
  let isEscaped = false
  /** A string that may still turn out to be a key; null once it was told on. */
  let held: string | null = ''
  /** Line breaks since the held string, whose line must be told first. */
  let linesBehind = 0

  function settle(isKey: boolean): void {
    if (held !== null && !isKey) target.feed(held)
    // A blank: the end of one string and the start of the next are no word.
    if (!isKey) target.feed(' ')
    target.skipLines(linesBehind)
    held = ''
    linesBehind = 0
  }

  function take(part: string): void {
    if (held === null) target.feed(part)
    else {
      held += part
      if (held.length <= MAX_KEY_UNITS) return
      target.feed(held)
      held = null
    }
  }

  /** Gives the place behind what it took of `text` from `at` on. */
  function takeString(text: string, at: number): number {
    for (let end = at; end < text.length; end++) {
      const unit = text.charCodeAt(end)
      if (unit === 0x0a) {
        take(text.slice(at, end))
        state = 'outside'
        isEscaped = false
        settle(false)
        return end
      }
      if (isEscaped) isEscaped = false
      else if (unit === 0x5c) isEscaped = true
      else if (unit === 0x22) {
        take(text.slice(at, end))
        state = 'behind'
        return end + 1
      }
    }
    take(text.slice(at))
    return text.length
  }

  return {
    feed(text) {
      let at = 0
      while (at < text.length) {
        if (state === 'string') {
          at = takeString(text, at)
          continue
        }
        const unit = text.charCodeAt(at)
        at++
        if (unit === 0x0a) {
          if (state === 'behind') linesBehind++
          else target.skipLines(1)
        } else if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0d) {
          if (state === 'behind') settle(unit === 0x3a)
          state = unit === 0x22 ? 'string' : 'outside'
        }
      }
    },
    end() {
      if (state !== 'outside') settle(false)
      target.end()
    },
  }
}
