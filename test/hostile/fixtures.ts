import type { Problem } from '../verify/temp-corpus.ts'

export { TWICE } from '../verify/temp-corpus.ts'

/** A problem whose answers are texts, which a candidate fills with what it likes. */
export const LABEL: Problem = {
  signature: 'fn label(s: str) to str',
  reference: '    return "<" + s + ">"',
  asserts: [
    ['label("a")', '"<a>"'],
    ['label("")', '"<>"'],
    ['label("ü b")', '"<ü b>"'],
  ],
  domain: 's = { length = [0, 6], alphabet = "abc " }',
}
