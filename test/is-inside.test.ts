import { expect, test } from 'vitest'
import { isInside } from '../src/is-inside.ts'

test.each([
  ['/a/b', '/a/b', true],
  ['/a/b/c', '/a/b', true],
  ['/a/b/..c', '/a/b', true],
  ['/a/b/', '/a/b', true],
  ['/a/b', '/', true],
  ['/a', '/a/b', false],
  ['/a/bc', '/a/b', false],
  ['/a/b/../c', '/a/b', false],
  ['/c', '/a/b', false],
])('%s inside %s: %s', (file, folder, expected) => {
  expect(isInside(file, folder)).toBe(expected)
})
