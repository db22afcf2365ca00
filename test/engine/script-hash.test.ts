import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hashScript } from '../../src/engine/script-hash.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vox-script-'))
afterAll(() => rmSync(folder, { recursive: true }))

function hashOf(parts: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(parts)) writeFileSync(path.join(folder, name), text)
  return hashScript(path.join(folder, 'entry.js'))
}

const BUNDLE = {
  'entry.js': 'import{a}from"./a.js";await import(`./lazy.js`)',
  'a.js': 'import"./entry.js";import"./b.js"',
  'b.js': '1',
  'lazy.js': '2',
  'other.js': '3',
}

test('every part that a script can load counts, at any depth', () => {
  const whole = hashOf(BUNDLE)
  expect(hashOf({ ...BUNDLE, 'b.js': '1 ' })).not.toBe(whole)
  expect(hashOf({ ...BUNDLE, 'lazy.js': '2 ' })).not.toBe(whole)
  expect(hashOf(BUNDLE)).toBe(whole)
})

test('what it cannot load does not', () => {
  const whole = hashOf(BUNDLE)
  expect(hashOf({ ...BUNDLE, 'other.js': '4' })).toBe(whole)
})
