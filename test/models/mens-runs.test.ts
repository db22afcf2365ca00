import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { listMensRuns } from '../../src/models/mens-runs.ts'
import { findMensCheckpoint } from '../../src/sweep/find-checkpoint.ts'
import { folderWith } from './temp-folder.ts'

const weights = 'model.safetensors'

/** A folder of runs with these checkpoints, each of one file. */
function runsWith(...checkpoints: string[]): string {
  return folderWith(Object.fromEntries(checkpoints.map((name) => [`${name}/${weights}`, `weights of ${name}`])))
}

async function reasonsIn(folder: string) {
  return Object.fromEntries((await listMensRuns(folder)).leftOut.map(({ name, reason }) => [name, reason]))
}

test('checkpoints stand in the order of training: by number, final last', async () => {
  const folder = runsWith('nova/checkpoint-1200', 'nova/final', 'nova/checkpoint-900', 'ember/checkpoint-10')
  const { runs, leftOut } = await listMensRuns(folder)
  expect(runs.map(({ model, checkpoints }) => [model, checkpoints.map(({ name }) => name)])).toEqual([
    ['mens/ember', ['checkpoint-10']],
    ['mens/nova', ['checkpoint-900', 'checkpoint-1200', 'final']],
  ])
  expect(leftOut).toEqual([])
})

test('what lies beside the checkpoints of a run is passed over', async () => {
  const folder = runsWith('nova/final', 'nova/logs', '.cache/final')
  writeFileSync(path.join(folder, 'nova', 'trainer_state.json'), '{}')
  expect(await listMensRuns(folder)).toMatchObject({ runs: [{ checkpoints: [{ name: 'final' }] }], leftOut: [] })
})

test('files, empty folders and odd names are left out, each with its reason', async () => {
  const folder = runsWith('nova/final', 'a b/final', 'ember/checkpoint-last', '-x/final')
  mkdirSync(path.join(folder, 'empty'))
  mkdirSync(path.join(folder, 'nova', 'checkpoint-1'))
  writeFileSync(path.join(folder, 'file'), '')
  writeFileSync(path.join(folder, 'nova', 'checkpoint-2'), '')
  symlinkSync('nowhere', path.join(folder, 'broken'))
  expect((await listMensRuns(folder)).runs.map(({ name }) => name)).toEqual(['nova'])
  expect(await reasonsIn(folder)).toEqual({
    'a b': expect.stringContaining('has another name than'),
    '-x': expect.stringContaining('has another name than'),
    broken: 'cannot be read (ENOENT)',
    empty: 'holds neither final nor any checkpoint-<number>',
    ember: 'holds neither final nor any checkpoint-<number>',
    'ember/checkpoint-last': 'is not named checkpoint-<number>',
    file: 'is not a folder',
    'nova/checkpoint-1': 'holds no files',
    'nova/checkpoint-2': 'is not a folder',
  })
})

test('links that lead out of the folder of runs are left out, those within are followed', async () => {
  const outside = runsWith('secret/final')
  const folder = runsWith('nova/checkpoint-1', 'ember/checkpoint-1')
  symlinkSync(path.join(outside, 'secret'), path.join(folder, 'linked'))
  symlinkSync(path.join(outside, 'secret', 'final'), path.join(folder, 'nova', 'checkpoint-2'))
  symlinkSync(path.join(outside, 'secret', 'final', weights), path.join(folder, 'ember', 'checkpoint-1', 'more'))
  symlinkSync('checkpoint-1', path.join(folder, 'nova', 'final'))
  const { runs } = await listMensRuns(folder)
  expect(runs.map(({ name, checkpoints }) => [name, checkpoints.map((each) => each.name)])).toEqual([
    ['nova', ['checkpoint-1', 'final']],
  ])
  expect(await reasonsIn(folder)).toMatchObject({
    linked: 'is a link that leads out of the folder of runs',
    'nova/checkpoint-2': 'is a link that leads out of the folder of runs',
    'ember/checkpoint-1': 'holds more, a link that leads out of the folder of runs',
  })
})

test('a checkpoint that holds a pipe, or a link to itself, is left out instead of hanging', async () => {
  const folder = runsWith('nova/final', 'nova/checkpoint-1', 'nova/checkpoint-2')
  execFileSync('mkfifo', [path.join(folder, 'nova', 'checkpoint-1', 'pipe')])
  symlinkSync('.', path.join(folder, 'nova', 'checkpoint-2', 'again'))
  expect(await reasonsIn(folder)).toEqual({
    'nova/checkpoint-1': 'holds pipe, which is neither a file nor a folder',
    'nova/checkpoint-2': 'holds folders more than 16 deep',
  })
})

test('a checkpoint whose links multiply is left out instead of hanging', async () => {
  const folder = runsWith('nova/final', 'nova/checkpoint-1')
  const inside = path.join(folder, 'nova', 'checkpoint-1')
  for (let depth = 0; depth < 13; depth++) {
    mkdirSync(path.join(inside, `d${depth}`))
    for (let link = 0; link < 5; link++) symlinkSync(`../d${depth + 1}`, path.join(inside, `d${depth}`, `l${link}`))
  }
  mkdirSync(path.join(inside, 'd13'))
  expect(await reasonsIn(folder)).toEqual({ 'nova/checkpoint-1': 'holds more than 1000 folders' })
})

test.each(['1200', 'checkpoint-1200'])('the label %s names the folder checkpoint-1200', async (label) => {
  const folder = runsWith('nova/checkpoint-1200', 'nova/checkpoint-900')
  const found = await findMensCheckpoint(folder, 'mens/nova', label)
  expect(found.name).toBe('checkpoint-1200')
})

test('without a label it is final, else the highest number', async () => {
  const folder = runsWith('nova/checkpoint-900', 'nova/checkpoint-1200', 'ember/final', 'ember/checkpoint-1')
  expect((await findMensCheckpoint(folder, 'mens/nova', null)).name).toBe('checkpoint-1200')
  expect((await findMensCheckpoint(folder, 'mens/ember', null)).name).toBe('final')
})

test('an unknown run names those that there are, and the one that was meant', async () => {
  const folder = runsWith('nova/final', 'ember/final')
  await expect(findMensCheckpoint(folder, 'mens/nvoa', null)).rejects.toMatchObject({
    code: 'mens/unknown-run',
    message: expect.stringContaining('"mens/nvoa"'),
    hint: expect.stringMatching(/^Did you mean mens\/nova\? .*mens\/ember, mens\/nova\.$/),
  })
})

test('an unknown checkpoint names those that there are, and the one that was meant', async () => {
  const folder = runsWith('nova/checkpoint-900', 'nova/checkpoint-1200')
  await expect(findMensCheckpoint(folder, 'mens/nova', '120')).rejects.toMatchObject({
    code: 'mens/unknown-checkpoint',
    hint: 'Did you mean checkpoint-1200? Its checkpoints: checkpoint-900, checkpoint-1200.',
  })
})

test('a checkpoint that was left out says why', async () => {
  const folder = runsWith('nova/final')
  mkdirSync(path.join(folder, 'nova', 'checkpoint-1'))
  await expect(findMensCheckpoint(folder, 'mens/nova', '1')).rejects.toMatchObject({
    message:
      'Subject mens/nova@1: the run mens/nova has no checkpoint "1". nova/checkpoint-1 is there, but holds no files.',
  })
})

test.each(['mens/../nova', 'mens/', 'mens/nova/final', 'mens/.'])('%s is no run', async (model) => {
  await expect(findMensCheckpoint(runsWith('nova/final'), model, null)).rejects.toMatchObject({
    code: 'mens/unknown-run',
  })
})

test.each(['missing', 'file'])('a folder of runs that is %s is an error', async (name) => {
  const folder = folderWith({ file: '' })
  await expect(listMensRuns(path.join(folder, name))).rejects.toMatchObject({ code: 'mens/no-runs' })
})

test('the hash of the weights changes with a byte, a name or a file, and with nothing else', async () => {
  const hashOf = async (folder: string) => (await findMensCheckpoint(folder, 'mens/nova', null)).weights
  const folder = runsWith('nova/final')
  const file = path.join(folder, 'nova', 'final', weights)
  const first = await hashOf(folder)
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(await hashOf(runsWith('nova/final'))).toBe(first)
  writeFileSync(path.join(folder, 'nova', 'trainer_state.json'), '{}')
  expect(await hashOf(folder)).toBe(first)
  const hashes = [first]
  renameSync(file, `${file}.2`)
  hashes.push(await hashOf(folder))
  appendFileSync(`${file}.2`, 'x')
  hashes.push(await hashOf(folder))
  writeFileSync(path.join(folder, 'nova', 'final', 'empty'), '')
  hashes.push(await hashOf(folder))
  expect(new Set(hashes).size).toBe(4)
})

describe('a checkpoint that was read', () => {
  async function read() {
    const folder = runsWith('nova/final')
    const inside = path.join(folder, 'nova', 'final')
    const { change } = await findMensCheckpoint(folder, 'mens/nova', null)
    return { inside, file: path.join(inside, weights), change }
  }

  test('is as it was after its files were read, and others beside it written', async () => {
    const { inside, file, change } = await read()
    readFileSync(file)
    writeFileSync(path.join(inside, '..', 'log'), 'x')
    expect(await change()).toBeNull()
  })

  test('has changed when a file has other bytes, even of the same size and time', async () => {
    const { file, change } = await read()
    const { size, atime, mtime } = statSync(file)
    writeFileSync(file, 'x'.repeat(size))
    utimesSync(file, atime, mtime)
    expect(await change()).toBe('model.safetensors is another file or has other bytes')
  })

  test('has changed when a file is another, is gone, or is new', async () => {
    const replaced = await read()
    writeFileSync(`${replaced.file}.2`, readFileSync(replaced.file))
    renameSync(`${replaced.file}.2`, replaced.file)
    expect(await replaced.change()).toBe('model.safetensors is another file or has other bytes')
    const added = await read()
    writeFileSync(path.join(added.inside, 'more'), '')
    expect(await added.change()).toBe('more is new')
    rmSync(path.join(added.inside, 'more'))
    rmSync(added.file)
    expect(await added.change()).toBe('model.safetensors is gone')
  })
})
