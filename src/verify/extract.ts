import type { Token } from '../language/lexer.ts'
import { lex, normalise } from '../language/lexer.ts'
import { parse } from '../language/parser/parser.ts'
import { isForeign } from '../language/token.ts'
import type { FencedBlock } from './fenced-block.ts'
import { findBlocks } from './fenced-block.ts'
import { withoutThinking } from './thinking.ts'

/** Names of the extraction rules, in the order they are tried. */
export type ExtractionRule =
  /** The answer, thinking and fences included, is one program by itself. */
  | 'program'
  /** The last block tagged vox that lexes and declares the entry function. */
  | 'vox-block'
  /** The last block of any tag that does. */
  | 'any-block'
  /** The whole text behind the thinking, if it does. */
  | 'whole-text'
  /** The last block tagged vox, whatever is in it. */
  | 'vox-block-as-is'
  /** The last block of any tag that declares the entry function but does not lex. */
  | 'any-block-as-is'
  /** The whole text when it starts like a program and declares the entry function but does not lex. */
  | 'whole-text-as-is'

export type Extraction =
  | {
      readonly kind: 'extracted'
      readonly code: string
      /** The block the code was taken from has no closing fence. */
      readonly truncated: boolean
      readonly rule: ExtractionRule
    }
  | { readonly kind: 'none'; readonly why: string }

interface Piece {
  readonly code: string
  readonly isVox: boolean
  readonly isOpen: boolean
  readonly lexes: boolean
  readonly hasEntry: boolean
}

/**
 * Takes one program from a model's answer by a fixed rule (`EXTRACTION_VERSION`); never throws, linear in the length of the answer.
 * Blocks are never joined. With `entryName` null any declared function counts as the entry.
 */
export function extract(answer: string, entryName: string | null): Extraction {
  const text = normalise(answer)
  if (isProgram(text, entryName)) return { kind: 'extracted', code: text, truncated: false, rule: 'program' }
  const visible = withoutThinking(text)
  const blocks = findBlocks(visible).map((block) => pieceOf(block, entryName))
  const whole = pieceOf({ code: visible, isVox: false, isOpen: false }, entryName)
  const isSound = (piece: Piece) => piece.lexes && piece.hasEntry

  const chosen =
    choose(
      'vox-block',
      blocks.findLast((block) => block.isVox && isSound(block)),
    ) ??
    choose('any-block', blocks.findLast(isSound)) ??
    choose('whole-text', isSound(whole) ? whole : undefined) ??
    choose(
      'vox-block-as-is',
      blocks.findLast((block) => block.isVox),
    ) ??
    choose(
      'any-block-as-is',
      blocks.findLast((block) => block.hasEntry),
    ) ??
    choose('whole-text-as-is', blocks.length === 0 && whole.hasEntry && startsLikeProgram(visible) ? whole : undefined)
  return chosen ?? { kind: 'none', why: visible.trim() === '' ? 'the answer is empty' : 'the answer holds no program' }
}

function choose(rule: ExtractionRule, piece: Piece | undefined): Extraction | null {
  return piece === undefined ? null : { kind: 'extracted', code: piece.code, truncated: piece.isOpen, rule }
}

function pieceOf(block: FencedBlock, entryName: string | null): Piece {
  // Spares lexing megabytes that cannot hold the declaration.
  if (!block.code.includes(entryName ?? 'fn')) return { ...block, lexes: false, hasEntry: false }
  const tokens = lex(block.code)
  return { ...block, lexes: tokens.every(isLexed), hasEntry: declares(tokens, entryName) }
}

/** A lone `;` is no token of Vox, yet tolerated behind a statement. */
function isLexed(token: Token): boolean {
  return token.text === ';' || !isForeign(token)
}

function declares(tokens: readonly Token[], entryName: string | null): boolean {
  return tokens.some((token, at) => {
    const name = tokens[at + 1]
    if (token.kind !== 'keyword' || token.text !== 'fn' || name === undefined) return false
    return entryName === null ? name.kind === 'ident' : name.text === entryName
  })
}

/**
 * Whether a text is nothing but declarations. Such a text may hold fences and thinking tags in its strings and comments, which must
 * not be taken for the answer's own.
 */
function isProgram(text: string, entryName: string | null): boolean {
  if (!startsLikeProgram(text)) return false
  const parsed = parse(text)
  if (parsed.kind !== 'parsed') return false
  const { items } = parsed.module
  return (
    items.every((item) => item.kind !== 'statement') &&
    items.some((item) => item.kind === 'fn' && (entryName === null || item.name === entryName))
  )
}

function startsLikeProgram(text: string): boolean {
  return /^\s*(?:\/\/|#(?!#)|(?:fn|pub|async|type|import|let)\b|@)/.test(text)
}
