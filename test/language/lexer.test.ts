import { describe, expect, it } from 'vitest'
import { lex, lexWithTrivia, normalise } from '../../src/language/lexer.ts'

function kinds(source: string): string {
  return lex(source)
    .map(({ kind, text }) => `${kind}:${text}`)
    .join(' ')
}

describe('source text', () => {
  it('drops one leading byte order mark and makes every line end LF', () => {
    expect(normalise('\ufeffa\r\nb\rc\n\r')).toBe('a\nb\nc\n\n')
  })

  it('counts spans on the normalised text', () => {
    expect(lex('\ufeffa\r\nb').map(({ span }) => span)).toEqual([
      { start: 0, end: 1 },
      { start: 1, end: 2 },
      { start: 2, end: 3 },
    ])
  })

  it('normalises line ends inside strings too', () => {
    expect(lex('"a\r\nb"')).toMatchObject([{ kind: 'string', value: 'a\nb' }])
  })

  it('takes # and // to the end of the line as comments and has no block comment', () => {
    expect(kinds('a # " }\nb // \' {\n/* x */')).toBe(
      'ident:a newline:\n ident:b newline:\n symbol:/ symbol:* ident:x symbol:* symbol:/',
    )
  })

  it('keeps blanks and comments only on request', () => {
    expect(lexWithTrivia('a \t# c\n').map(({ kind }) => kind)).toEqual(['ident', 'blank', 'comment', 'newline'])
  })
})

describe('words', () => {
  it('matches a keyword as a whole word only', () => {
    expect(kinds('if iffy emptyx empty isnt isntx')).toBe(
      'keyword:if ident:iffy ident:emptyx keyword:empty keyword:isnt ident:isntx',
    )
  })

  it('tells names by their first letter and the lone underscore apart', () => {
    expect(kinds('_ __ _x Ab aB')).toBe('symbol:_ ident:__ ident:_x type-ident:Ab ident:aB')
  })

  it('does not know letters beyond ASCII', () => {
    expect(kinds('né')).toBe('ident:n unknown:é')
  })
})

describe('numbers', () => {
  it('knows neither exponents, bare dots, separators nor other bases', () => {
    expect(kinds('1e5 .5 1. 1_0 0x1f 1..2')).toBe(
      'int:1 ident:e5 symbol:. int:5 int:1 symbol:. int:1 ident:_0 int:0 ident:x1f int:1 symbol:. symbol:. int:2',
    )
  })

  it('reads the value of integers with leading zeros and up to the 64-bit maximum', () => {
    expect(lex('007 9223372036854775807 00009223372036854775807')).toMatchObject([
      { kind: 'int', value: 7n },
      { kind: 'int', value: 9223372036854775807n },
      { kind: 'int', value: 9223372036854775807n },
    ])
  })

  it('flags an integer above that', () => {
    expect(kinds('9223372036854775808')).toBe('invalid-int:9223372036854775808')
  })

  it('tells floats and fixed-point literals', () => {
    expect(kinds('2.50 3dec 1.5dec 1.5decx')).toBe('float:2.50 decimal:3dec decimal:1.5dec decimal:1.5dec ident:x')
  })
})

describe('strings', () => {
  it('resolves the seven escapes and keeps any other backslash', () => {
    expect(lex(String.raw`"\n\t\r\\\"\'\0\q\u"`)).toMatchObject([{ kind: 'string', value: '\n\t\r\\"\'\0\\q\\u' }])
  })

  it('may span lines', () => {
    expect(lex('"a\nb"')).toMatchObject([{ kind: 'string', value: 'a\nb' }])
  })

  it('does not match when a backslash ends a line', () => {
    expect(kinds('"a\\\nb"')).toBe('unknown:" ident:a unknown:\\ newline:\n ident:b unknown:"')
  })

  it('gives an unmatched quote back as an unknown character', () => {
    expect(kinds("don't")).toBe("ident:don unknown:' ident:t")
  })

  it('swallows code up to the next quote of the same kind', () => {
    expect(kinds('" a "b" c')).toBe('string:" a " ident:b unknown:" ident:c')
  })

  it('takes raw strings with up to three hashes', () => {
    expect(lex('r"a\\n{x}" r#"a"b"# r##"a"#b"## r###"a"##b"###')).toMatchObject([
      { kind: 'raw', value: 'a\\n{x}' },
      { kind: 'raw', value: 'a"b' },
      { kind: 'raw', value: 'a"#b' },
      { kind: 'raw', value: 'a"##b' },
    ])
  })

  it('keeps the quotes in front of the closing one of a raw string', () => {
    expect(lex('r#"say "hi"""#')).toMatchObject([{ kind: 'raw', value: 'say "hi""' }])
  })

  it('starts a raw string only where r is a word of its own', () => {
    expect(kinds('xr"a" r')).toBe('ident:xr string:"a" ident:r')
  })

  it('falls back to a name when a raw string never ends', () => {
    expect(kinds('r#"a"\nb')).toBe('ident:r newline:\n ident:b')
  })
})

describe('templates', () => {
  it.each(['"{x}"', '"a { x }"', '"{x + 1}"', '"{x} \\n"', '"{x} {"', '"{ \n_y}"'])('%s is one', (source) => {
    expect(lex(source)).toMatchObject([{ kind: 'template', value: source.slice(1, -1) }])
  })

  it.each(['"{}"', '"{1}"', '"}{"', '"{x"', '"{\\"k\\": 1}"', '"\\{x}"', '"{x\\}"', "'{x}'", 'r"{x}"'])(
    '%s is none',
    (source) => {
      expect(lex(source).map(({ kind }) => kind)).not.toContain('template')
    },
  )
})

describe('symbols and the rest', () => {
  it('takes the longest symbol', () => {
    expect(kinds('<=</></ >|>||-> => ==!=+=<>')).toBe(
      'symbol:<= symbol:</> symbol:</ symbol:> symbol:|> symbol:| symbol:| symbol:-> symbol:=> symbol:== symbol:!= symbol:+= symbol:<>',
    )
  })

  it('has an error token for a lone exclamation mark', () => {
    expect(kinds('!x != y')).toBe('bang:! ident:x symbol:!= ident:y')
  })

  it('gives every other character as unknown, a pair of surrogates as one', () => {
    expect(kinds(';&^~$`\\\f\u2028🙂')).toBe(
      'unknown:; unknown:& unknown:^ unknown:~ unknown:$ unknown:` unknown:\\ unknown:\f unknown:\u2028 unknown:🙂',
    )
  })

  it('knows decorators by prefix and the at sign of any other as unknown', () => {
    expect(kinds('@test @tests @memo @mcp.tool')).toBe(
      'decorator:@test decorator:@test ident:s unknown:@ ident:memo decorator:@mcp.tool',
    )
  })
})
