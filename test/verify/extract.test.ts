import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { parse } from '../../src/language/parser/parser.ts'
import { extract } from '../../src/verify/extract.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const GOOD = 'fn area(w: int, h: int) to int {\n    return w * h\n}'
const DRAFT = 'fn area(w: int, h: int) to int {\n    return w + h\n}'

function block(code: string, tag = 'vox', fence = '```'): string {
  return `${fence}${tag}\n${code}\n${fence}`
}

function codeOf(answer: string, entry: string | null = 'area'): string | null {
  const extraction = extract(answer, entry)
  return extraction.kind === 'extracted' ? extraction.code : null
}

describe('which block', () => {
  test.each([
    ['a vox block, then an unlabelled block with its output', `${block(GOOD)}\nIt prints\n${block('42', '')}`],
    ['a vox block, then a vox block that only calls it', `${block(GOOD)}\n${block('print(area(2, 3))')}`],
    ['a draft, then a final version', `First:\n${block(DRAFT)}\nBetter:\n${block(GOOD)}`],
    ['prose, then a fence', `Sure! Here's how: multiply.\n\n${block(GOOD)}\n\nThat's it.`],
    ['an unlabelled block', `Here:\n${block(GOOD, '')}`],
    ['a block with another tag', `Here:\n${block(GOOD, 'rust')}`],
    ['a vox block wins over a later one of another tag', `${block(GOOD)}\n${block(DRAFT, 'rust')}`],
    ['a vox block that does not lex gives way to one that does', `${block(`${DRAFT} && !`)}\n${block(GOOD, 'text')}`],
    ['the whole text', GOOD],
    ['the whole text with a comment first', `# it's mine\n${GOOD}`],
  ])('%s', (_, answer) => {
    expect(codeOf(answer)?.trim().endsWith(GOOD)).toBe(true)
  })

  test('blocks are never joined', () => {
    const helper = 'fn half(n: int) to int {\n    return n / 2\n}'
    expect(codeOf(`${block(helper)}\n${block(GOOD)}`)).toBe(GOOD)
  })

  test('without an entry name any function will do', () => {
    expect(codeOf(block(GOOD), null)).toBe(GOOD)
    expect(codeOf(block('print(1)', ''), null)).toBeNull()
  })

  test('a name in a string or a comment declares nothing', () => {
    const decoy = '// fn area(w: int, h: int)\nlet s = "fn area("'
    expect(extract(block(decoy), 'area')).toMatchObject({ rule: 'vox-block-as-is' })
    expect(extract(block(decoy, ''), 'area').kind).toBe('none')
  })
})

describe('fences', () => {
  test.each([
    ['tildes', block(GOOD, 'vox', '~~~')],
    ['longer fences', block(GOOD, 'vox', '`````')],
    ['capital tag', block(GOOD, 'Vox')],
    ['tag with attributes', block(GOOD, 'vox title=x')],
    ['tag in braces', block(GOOD, '{.vox}')],
    ['a blank before the tag', block(GOOD, ' vox')],
    ['a longer closing fence', `\`\`\`vox\n${GOOD}\n\`\`\`\`\``],
    ['indented in a list', `1. So:\n   ${block(GOOD).replaceAll('\n', '\n   ')}`],
    ['CRLF', block(GOOD).replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${block(GOOD)}`],
    ['wrapped in a Markdown block', block(block(GOOD), 'markdown', '````')],
    ['wrapped in a Markdown block of the same fence', block(block(GOOD), 'markdown')],
    ['a fence of the other mark inside', `~~~vox\n${GOOD}\n~~~\n\`\`\`\n~~~\n\`\`\``],
  ])('%s', (_, answer) => {
    expect(extract(answer, 'area')).toEqual({ kind: 'extracted', code: GOOD, truncated: false, rule: 'vox-block' })
  })

  test('an opening fence that is never closed takes the rest and is marked truncated', () => {
    expect(extract(`So:\n\`\`\`vox\n${GOOD}`, 'area')).toMatchObject({ code: GOOD, truncated: true, rule: 'vox-block' })
    expect(extract(`So:\n\`\`\`vox\nfn area(w: int`, 'area')).toMatchObject({ code: 'fn area(w: int', truncated: true })
  })

  test('a tagged fence behind an unclosed one opens the next block', () => {
    expect(codeOf(`\`\`\`vox\n${DRAFT}\nno, wait\n${block(GOOD)}`)).toBe(GOOD)
  })

  test('a voxel is no vox', () => {
    expect(extract(block('1 &', 'voxel'), 'area').kind).toBe('none')
  })
})

describe('thinking', () => {
  test.each([
    ['a fenced draft', `<think>\nmaybe\n${block(DRAFT)}\n</think>\n${block(GOOD)}`],
    ['a draft behind the answer', `${block(GOOD)}\n<thinking>${block(DRAFT)}</thinking>`],
    ['an unfinished fence inside', `<think>\n\`\`\`vox\n${DRAFT}\n</think>\n${block(GOOD)}`],
    ['only a closing tag', `so I think\n${block(DRAFT)}\n</think>\n${block(GOOD)}`],
    ['only a closing tag behind an unfinished fence', `so\n\`\`\`vox\n${DRAFT}\n</think>\n${block(GOOD)}`],
    ['several sections', `<reasoning>a</reasoning>\n<think>${block(DRAFT)}</think>\n${block(GOOD)}`],
    ['capitals', `<Think>\n${block(DRAFT)}\n</THINK>\n${block(GOOD)}`],
    ['the whole text behind it', `<think>${DRAFT}</think>\n${GOOD}`],
    ['nested', `<think>a <think> b </think>\n${block(DRAFT)}\n</think>\n${block(GOOD)}`],
    ['a mention that is never closed', `I left out the <think> part.\n${block(GOOD)}`],
  ])('%s', (_, answer) => {
    expect(codeOf(answer)?.trim()).toBe(GOOD)
  })

  test('a section that is never closed hides what follows', () => {
    expect(extract(`<think>\nhm\n${block(DRAFT)}`, 'area').kind).toBe('none')
  })

  test('a tag in the program is text of the program', () => {
    const tagged = 'fn area(w: int, h: int) to str {\n    // </think>\n    return "<think>" + "</think>"\n}'
    expect(codeOf(block(tagged))).toBe(tagged)
    expect(codeOf(tagged)).toBe(tagged)
  })
})

describe('no or broken code', () => {
  test.each(['', '   \n', "I'm sorry, I can't help with `fn area(w: int)`.", 'The answer is 42.', block('42', '')])(
    '%j holds none',
    (answer) => {
      expect(extract(answer, 'area').kind).toBe('none')
    },
  )

  test('the last vox block is taken as it is when none is sound', () => {
    expect(extract(`${block('one')}\n${block('fn other() to int { return 1 }')}`, 'area')).toMatchObject({
      code: 'fn other() to int { return 1 }',
      rule: 'vox-block-as-is',
    })
  })

  test('foreign characters leave a program a program', () => {
    const foreign = GOOD.replace('w * h', 'w && h')
    expect(extract(block(foreign, ''), 'area')).toMatchObject({ code: foreign, rule: 'any-block-as-is' })
    expect(extract(foreign, 'area')).toMatchObject({ code: foreign, rule: 'whole-text-as-is' })
  })

  test('tolerated semicolons count as lexing', () => {
    const spaced = GOOD.replace('w * h', 'w * h;')
    expect(extract(block(spaced), 'area')).toMatchObject({ code: spaced, rule: 'vox-block' })
  })
})

describe('laws', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '```',
      '```vox',
      '~~~',
      '````',
      '\n',
      ' ',
      GOOD,
      DRAFT,
      '<think>',
      '</think>',
      '<reasoning>',
      '"',
      "'",
      '&&',
      '#',
      '//',
      '{',
      '}',
      'fn area(',
      'prose',
      '\r\n',
      '```markdown',
      '@test',
      '\u2028',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  const answers = fc
    .array(
      fc.oneof(
        part,
        part.map((text) => `\n${text}\n`),
      ),
      { maxLength: 25 },
    )
    .map((parts) => parts.join(''))

  test('it never throws, and gives a piece of the answer', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const extraction = extract(answer, 'area')
        if (extraction.kind === 'none') return
        for (const line of extraction.code.split('\n')) expect(answer.replace(/\r\n?/g, '\n')).toContain(line.trim())
      }),
      { numRuns: 800 },
    )
  })

  test('a sound program comes out of its own extraction unchanged', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const first = extract(answer, 'area')
        if (first.kind === 'none' || first.rule.endsWith('as-is')) return
        // What does not parse cannot be told from prose around fences and thinking tags.
        fc.pre(parse(first.code).kind === 'parsed' || !/<\/?(think|reasoning)|```|~~~/i.test(first.code))
        expect(extract(first.code, 'area')).toMatchObject({ code: first.code })
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['fences', '```vox\n'],
    ['closed fences', '```\n```\n'],
    ['opening tags', '<think>'],
    ['opening tags on lines', '\n<think> a'],
    ['closing tags', '</think> '],
    ['unfinished tags', '<think   '],
    ['quotes', '"\''],
    ['brackets', '(['],
    ['blanks', ' '],
    ['blank lines', ' \n'],
    ['entries', 'fn area('],
    ['Markdown in Markdown', '````markdown\n```vox\n'],
    ['backslashes', '"\\'],
    ['raw strings', 'r#"'],
  ])('%s by the megabyte take linear time', (_, piece) => {
    const time = (bytes: number) => {
      const answer = piece.repeat(Math.ceil(bytes / piece.length))
      const startedAt = performance.now()
      extract(answer, 'area')
      return performance.now() - startedAt
    }
    time(100_000)
    expect(time(1_000_000)).toBeLessThan(4000)
  })
})
