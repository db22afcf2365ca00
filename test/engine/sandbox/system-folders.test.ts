import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hiddenFolders, isVisible, systemFolders, visibleFolders } from '../../../src/engine/sandbox/system-folders.ts'

test('programs of the system are visible, and packages installed beside them are not', () => {
  expect(isVisible('/usr/bin/env')).toBe(true)
  expect(isVisible('/usr/share')).toBe(true)
  expect(isVisible('/home/someone/engine')).toBe(false)
  expect(isVisible('/usrlocal/engine')).toBe(false)
  for (const folder of hiddenFolders()) expect(isVisible(`${folder}/package/corpus`)).toBe(false)
})

test('the folders shown whole hold the system without what is hidden', () => {
  const shown = visibleFolders()
  const holds = (file: string) => shown.some((folder) => file === folder || file.startsWith(`${folder}/`))
  expect(holds(execFileSync('readlink', ['-f', '/bin/sh'], { encoding: 'utf8' }).trim())).toBe(true)
  for (const folder of hiddenFolders()) {
    expect(holds(folder)).toBe(false)
    expect(shown.some((other) => folder.startsWith(`${other}/`))).toBe(false)
  }
  expect(systemFolders()).toContain('/usr')
})
