import { expect, test } from 'vitest'
import { nearest, suggestion } from '../../src/config/nearest.ts'

test.each([
  ['modle', 'model'],
  ['temprature', 'temperature'],
  ['MODEL', 'model'],
  ['zzzzzz', null],
  ['x', null],
])('%s was meant to be %s', (typed, word) => {
  expect(nearest(typed, ['model', 'temperature', 'condition'])).toBe(word)
})

test('a suggestion is said only when there is one', () => {
  expect(suggestion('modle', ['model'], (word) => `--${word}`)).toBe(' Did you mean --model?')
  expect(suggestion('qqqqqq', ['model'])).toBe('')
})
