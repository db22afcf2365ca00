import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonStrings } from '../../src/training/json-strings.ts'

/** What is told on of a text in these parts, with a mark where lines are passed over. */
function told(...parts: readonly string[]): string {
  let text = ''
  const strings = createJsonStrings({
    feed: (part) => {
      text += part
    },
    skipLines: (count) => {
      text += '↵'.repeat(count)
    },
    end: () => {},
  })
  for (const part of parts) strings.feed(part)
  strings.end()
  return text
}

test('string values are told, keys, numbers and marks are not', () => {
  expect(told('{"key": "one", "more": {"deep": ["two", 3, true]}, "n": null}')).toBe('one two ')
})

test('a string with quotes, colons and backslashes is one value', () => {
  expect(told(String.raw`["a \" b: \\", "c"]`)).toBe(String.raw`a \" b: \\ c `)
})

test('a key that is far from its colon is a key', () => {
  expect(told('{"key"\n\n  : "value"}')).toBe('↵↵value ')
})

test('lines between strings are counted', () => {
  expect(told('[\n  "one",\n  "two"\n]\n{"key": "three"}\n')).toBe('↵one ↵two ↵↵three ↵')
})

test('a string that a line break ends is told, and the next line is read from its start', () => {
  expect(told('"open\n{"key": "value"}')).toBe('open ↵value ')
})

test('a value of any length is told', () => {
  const long = 'x'.repeat(100_000)
  expect(told(`{"key": "${long}", "other": "y"}`)).toBe(`${long} y `)
})

test('law: the values are those that JSON.parse gives, however the text is cut', () => {
  const text = fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value))
  fc.assert(
    fc.property(text, fc.nat(), (json, at) => {
      const values: string[] = []
      JSON.parse(json, (_key, value) => {
        if (typeof value === 'string') values.push(JSON.stringify(value).slice(1, -1))
        return value
      })
      const cut = at % (json.length + 1)
      const found = told(json.slice(0, cut), json.slice(cut))
      const strings = [...json.matchAll(/"((?:[^"\\]|\\.)*)"(:?)/g)]
      const inOrder = strings.filter(([, , colon]) => colon === '').map((match) => match[1])
      expect(found).toBe(inOrder.map((value) => `${value} `).join(''))
      expect([...inOrder].sort()).toEqual(values.sort())
    }),
  )
})
