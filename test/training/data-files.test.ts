import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listDataFiles } from '../../src/training/data-files.ts'
import { folderWith } from '../models/temp-folder.ts'

const namesIn = async (folder: string) => (await listDataFiles(folder)).files.map(({ name }) => name)

test('every file below a folder is listed, sorted by name', async () => {
  const folder = folderWith({ 'b/c.txt': '', 'b.txt': '', 'a.jsonl': 'x', '.hidden/d': '' })
  expect(await namesIn(folder)).toEqual(['.hidden/d', 'a.jsonl', 'b.txt', 'b/c.txt'])
})

test('a single file is listed by its name', async () => {
  const folder = folderWith({ 'a.jsonl': 'abc' })
  const { files, folder: within } = await listDataFiles(path.join(folder, 'a.jsonl'))
  expect(files).toMatchObject([{ name: 'a.jsonl', bytes: 3 }])
  expect(within).toBeNull()
})

test('a file that links lead to is listed once, and a loop of links ends', async () => {
  const folder = folderWith({ 'data/a.txt': 'x' })
  symlinkSync('data/a.txt', path.join(folder, 'link.txt'))
  symlinkSync('..', path.join(folder, 'data/up'))
  linkSync(path.join(folder, 'data/a.txt'), path.join(folder, 'z-hard.txt'))
  const { files, unsearched } = await listDataFiles(folder)
  expect(files.map(({ name }) => name)).toEqual(['data/a.txt'])
  expect(unsearched).toEqual([])
})

test('a link that leads out of the folder is told, however many links it goes through', async () => {
  const outside = folderWith({ 'secret.txt': 'x' })
  const folder = folderWith({ 'a.txt': 'x' })
  symlinkSync(outside, path.join(folder, 'out'))
  symlinkSync('out/secret.txt', path.join(folder, 'chain-1'))
  for (let step = 2; step <= 30; step++) symlinkSync(`chain-${step - 1}`, path.join(folder, `chain-${step}`))
  const { files, unsearched } = await listDataFiles(folder)
  expect(files.map(({ name }) => name)).toEqual(['a.txt'])
  expect(unsearched).toHaveLength(31)
  expect(new Set(unsearched.map(({ reason }) => reason))).toEqual(new Set(['a link that leads out of the folder']))
})

test('links that lead nowhere are told: to nothing, to themselves, too deep', async () => {
  const folder = folderWith({ 'a.txt': 'x' })
  symlinkSync('nothing', path.join(folder, 'broken'))
  symlinkSync('self', path.join(folder, 'self'))
  symlinkSync('a.txt', path.join(folder, 'deep-0'))
  for (let step = 1; step <= 60; step++) symlinkSync(`deep-${step - 1}`, path.join(folder, `deep-${step}`))
  const { unsearched } = await listDataFiles(folder)
  expect(unsearched.slice(0, 1)).toEqual([{ file: 'broken', reason: 'a link that leads nowhere (ENOENT)' }])
  expect(unsearched).toContainEqual({ file: 'self', reason: 'a link that leads nowhere (ELOOP)' })
  expect(unsearched).toContainEqual({ file: 'deep-60', reason: 'a link that leads nowhere (ELOOP)' })
})

test('a pipe is told and not opened', async () => {
  const folder = folderWith({ 'a.txt': 'x' })
  execFileSync('mkfifo', [path.join(folder, 'pipe')])
  expect((await listDataFiles(folder)).unsearched).toEqual([{ file: 'pipe', reason: 'it is no regular file' }])
})

test('folders within folders without end are all walked', async () => {
  const folder = folderWith({})
  const deep = Array.from({ length: 300 }, () => 'd').join('/')
  mkdirSync(path.join(folder, deep), { recursive: true })
  writeFileSync(path.join(folder, deep, 'a.txt'), 'x')
  expect(await namesIn(folder)).toEqual([`${deep}/a.txt`])
})

test('data that is not there is an error that names it', async () => {
  await expect(listDataFiles('/no/such/folder')).rejects.toMatchObject({
    code: 'training/not-found',
    message: expect.stringContaining('/no/such/folder'),
  })
})
