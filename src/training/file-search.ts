import { StringDecoder } from 'node:string_decoder'
import { createCanarySearch } from './canary-search.ts'
import type { Place } from './data-check.ts'
import { HEAD_BYTES, isJson, whyInPart, whyNoText } from './file-kind.ts'
import { createJsonStrings, type JsonStrings } from './json-strings.ts'
import type { NgramIndex } from './ngram-index.ts'
import type { OverlapSearch } from './overlap.ts'
import { createTokenizer } from './tokenizer.ts'

/** What files are searched for. */
export interface SearchedFor {
  readonly index: NgramIndex
  readonly overlap: OverlapSearch
  readonly canaries: readonly string[]
  onCanary(place: Place): void
}

/** What a decoder gives for bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd'

/** The search of one file, whose bytes, already unpacked, come in parts of any size. */
export interface FileSearch {
  push(bytes: Uint8Array): void
  /** Tokens read, and why its words could not be searched, or not all of them; null when they were. */
  end(): { readonly tokens: number; readonly unsearched: string | null }
}

/**
 * Searches a file in memory that does not grow with it. JSON is searched twice: as it stands, so that text which is no
 * JSON is found too, and by its string values alone, so that a text in several strings is.
 */
export function createFileSearch(name: string, { index, overlap, canaries, onCanary }: SearchedFor): FileSearch {
  const canarySearch = createCanarySearch(canaries, (line) => onCanary({ file: name, line }))
  const decoder = new StringDecoder('utf8')
  let readers: readonly JsonStrings[] = []
  let tokens = 0
  const seen = { bytes: 0, invalid: 0, hasNul: false }
  let head: Uint8Array[] = []
  let headBytes = 0
  /** Undefined until the head is complete. */
  let unsearched: string | null | undefined

  function createReaders(beginning: string): readonly JsonStrings[] {
    const onToken = overlap.openText(name)
    const whole = createTokenizer(index.numberOf, (token, line) => {
      tokens++
      onToken(token, line)
    })
    if (!isJson(name, beginning)) return [whole]
    return [whole, createJsonStrings(createTokenizer(index.numberOf, overlap.openText(name)))]
  }

  function decide(): void {
    const bytes = Buffer.concat(head)
    head = []
    unsearched = whyNoText(name, bytes.subarray(0, HEAD_BYTES))
    if (unsearched !== null) return
    const text = decoder.write(bytes)
    readers = createReaders(text)
    look(bytes)
    read(text)
  }

  function look(bytes: Uint8Array): void {
    seen.bytes += bytes.length
    seen.hasNul ||= bytes.includes(0)
  }

  function read(text: string): void {
    for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, at + 1)) seen.invalid++
    for (const reader of readers) reader.feed(text)
  }

  return {
    push(bytes) {
      canarySearch.push(bytes)
      if (unsearched === null) {
        look(bytes)
        return read(decoder.write(bytes))
      }
      if (unsearched !== undefined) return
      // A copy: the caller may use its memory again.
      head.push(Uint8Array.from(bytes))
      headBytes += bytes.length
      if (headBytes >= HEAD_BYTES) decide()
    },
    end() {
      if (unsearched === undefined) decide()
      if (unsearched === null) {
        read(decoder.end())
        for (const reader of readers) reader.end()
      }
      return { tokens, unsearched: unsearched ?? whyInPart(seen) }
    },
  }
}
