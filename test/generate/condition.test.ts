import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { resolveCondition } from '../../src/generate/condition.ts'
import { countTokens } from '../../src/generate/count-tokens.ts'
import { example } from '../../src/generate/help/example.ts'
import { grammar } from '../../src/generate/help/grammar.ts'
import { reference } from '../../src/generate/help/reference.ts'
import { renderSections } from '../../src/generate/help/section.ts'
import { sectionTokens } from '../../src/generate/help/token-counts.ts'

const noHelp = async (): Promise<string> => {
  throw new Error('no help file is read here')
}
const resolve = (name: string) => resolveCondition(name, noHelp, countTokens)

test('the recorded token counts are what the tokenizer counts', () => {
  const counted = [...grammar, example, ...reference].map((section) => [
    section.name,
    count(`${renderSections([section])}\n\n`),
  ])
  expect(sectionTokens).toEqual(Object.fromEntries(counted))
})

test('C1 is about 780 tokens in ten or so sections', () => {
  const tokens = count(renderSections(grammar))
  expect(tokens).toBeGreaterThan(740)
  expect(tokens).toBeLessThan(820)
  expect(grammar.length).toBeGreaterThanOrEqual(10)
  expect(grammar.length).toBeLessThanOrEqual(13)
})

describe('the ladder', () => {
  test('C0 carries no help', async () => {
    expect(await resolve('C0')).toMatchObject({ text: '', tokens: 0, sections: [] })
  })

  test('each condition begins with the one below it', async () => {
    const [c1, c2, c3] = await Promise.all(['C1', 'C2', 'C3'].map(resolve))
    expect(c2?.text.startsWith(c1?.text ?? '-')).toBe(true)
    expect(c3?.text.startsWith(c2?.text ?? '-')).toBe(true)
  })

  test('a rung holds the leading sections up to its share of the tokens', async () => {
    const [whole, half] = [await resolve('C1'), await resolve('C1@50')]
    expect(half.tokens).toBeLessThanOrEqual(whole.tokens / 2)
    expect(half.sections).toEqual(whole.sections.slice(0, half.sections.length))
    const next = whole.sections[half.sections.length] ?? ''
    expect(half.tokens + (sectionTokens[next] ?? 0)).toBeGreaterThan(whole.tokens / 2)
  })

  test('an ablation leaves one section out and keeps the order', async () => {
    const [whole, without] = [await resolve('C2'), await resolve('C2-strings')]
    expect(without.sections).toEqual(whole.sections.filter((name) => name !== 'strings'))
    expect(without.hash).not.toBe(whole.hash)
  })
})

test("a user's own text is a condition with its hash and tokens", async () => {
  const condition = await resolveCondition('file:cheat.md', async () => 'Use is, not ==.\n', countTokens)
  expect(condition).toMatchObject({ name: 'file:cheat.md', text: 'Use is, not ==.', tokens: count('Use is, not ==.') })
})

test.each(['C4', 'C1@0', 'C1@100', 'C0@50', 'C1-nothing', 'c1', '', 'C1@50-strings'])(
  '"%s" is refused',
  async (name) => {
    await expect(resolve(name)).rejects.toMatchObject({ code: 'condition/unknown' })
  },
)
