import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { createFolderCache } from '../../../src/cli/folder-cache.ts'
import { temporaryFolder } from './vox-workspace.ts'

vi.setConfig({ testTimeout: 120_000 })

function folderHolding(text: string): string {
  const folder = path.join(temporaryFolder(), 'build')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'vox'), text)
  return folder
}

test('what was saved is restored', async () => {
  const cache = createFolderCache(path.join(temporaryFolder(), 'cache'))
  await cache.save('key', folderHolding('binary'))
  const restored = path.join(temporaryFolder(), 'deep', 'er')
  expect(await cache.restore('key', restored)).toBe(true)
  expect(readFileSync(path.join(restored, 'vox'), 'utf8')).toBe('binary')
})

test('nothing is restored for a key that was not saved', async () => {
  const cache = createFolderCache(path.join(temporaryFolder(), 'none'))
  expect(await cache.restore('key', path.join(temporaryFolder(), 'x'))).toBe(false)
})

test('a later save takes the place of an earlier one', async () => {
  const cache = createFolderCache(temporaryFolder())
  await cache.save('key', folderHolding('first'))
  await cache.save('key', folderHolding('second'))
  const restored = path.join(temporaryFolder(), 'x')
  await cache.restore('key', restored)
  expect(readFileSync(path.join(restored, 'vox'), 'utf8')).toBe('second')
})

test('many saves and restores at once leave whole entries and nothing else', async () => {
  const root = temporaryFolder()
  const cache = createFolderCache(root)
  const restored = path.join(temporaryFolder(), 'x')
  await Promise.all(Array.from({ length: 8 }, (_, index) => cache.save('key', folderHolding(`${index}`))))
  await Promise.all(Array.from({ length: 8 }, () => cache.restore('key', restored)))
  expect(readFileSync(path.join(restored, 'vox'), 'utf8')).toMatch(/^\d$/)
  expect(readdirSync(root)).toEqual(['key'])
})

test('a restore that meets saves gets one of them whole, or nothing', async () => {
  const root = temporaryFolder()
  const cache = createFolderCache(root)
  const files = Array.from({ length: 20 }, (_, index) => `file${index}`)
  async function saveOften(mark: string): Promise<void> {
    for (let round = 0; round < 15; round++) {
      const folder = folderHolding(`${mark}${round}`)
      for (const file of files) writeFileSync(path.join(folder, file), `${mark}${round}`)
      await cache.save('key', folder)
    }
  }
  let restores = 0
  let isSaving = true
  async function restoreOften(): Promise<void> {
    while (isSaving) {
      const restored = path.join(temporaryFolder(), 'x')
      if (!(await cache.restore('key', restored))) continue
      restores++
      const texts = new Set(['vox', ...files].map((file) => readFileSync(path.join(restored, file), 'utf8')))
      expect([...texts]).toHaveLength(1)
    }
  }
  const saving = Promise.all([saveOften('a'), saveOften('b')]).finally(() => {
    isSaving = false
  })
  await Promise.all([saving, restoreOften(), restoreOften()])
  expect(restores).toBeGreaterThan(0)
  expect(readdirSync(root)).toEqual(['key'])
})

test('a save that fails leaves the entry that was there', async () => {
  const root = temporaryFolder()
  const cache = createFolderCache(root)
  await cache.save('key', folderHolding('first'))
  await expect(cache.save('key', path.join(root, 'missing'))).rejects.toThrow(/missing/)
  expect(readFileSync(path.join(root, 'key', 'vox'), 'utf8')).toBe('first')
})

test('a save of a folder that is not there is told and leaves nothing', async () => {
  const root = temporaryFolder()
  await expect(createFolderCache(root).save('key', path.join(root, 'missing'))).rejects.toThrow(/missing/)
  expect(readdirSync(root)).toEqual([])
})
