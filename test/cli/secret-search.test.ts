import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../sweep/small-corpus.ts'
import { CANARY_LETTERS, createSearch, findInFolder, findInProcesses, writingsOf } from './secret-search.ts'

const KEY = `k"<&é/+=%${CANARY_LETTERS}`
const PLAIN = [...CANARY_LETTERS].reverse().join('')
const search = createSearch({ KEY, PLAIN })

const around = (text: string) => `{"a":"\n${text}","b":0}`

test.each([...writingsOf(KEY)].flatMap(([writing, texts]) => texts.map((text) => [writing, text])))(
  'a key is found %s: %s',
  (_writing, text) => {
    expect(search(around(text))).toEqual([expect.stringMatching(/^KEY /)])
  },
)

test.each(['', 'a', 'ab', 'abc'])('a key is found in the base64 of a text that has it behind "%s"', (before) => {
  for (const [name, secret] of Object.entries({ KEY, PLAIN })) {
    for (const encoding of ['utf8', 'latin1'] as const) {
      const bytes = Buffer.from(`${before}${secret}&more`, encoding)
      expect(search(around(bytes.toString('base64')))).toEqual([`${name} in base64`])
      expect(search(around(bytes.toString('base64url')))).toEqual([`${name} in base64`])
    }
  }
})

test('a key is found in bytes that are no text', () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(KEY), Buffer.from([0xc3])])
  expect(search(bytes)).toEqual(['KEY as it is'])
})

test('a piece of a key is found', () => {
  expect(search(around(PLAIN.slice(3, 11)))).toEqual(['PLAIN in pieces'])
  expect(search(around(PLAIN.slice(3, 10)))).toEqual([])
})

test('a folder is searched to its end: contents, names, links, hidden files', () => {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, 'deep/.deeper'), { recursive: true })
  writeFileSync(path.join(folder, 'clean'), 'nothing')
  writeFileSync(path.join(folder, 'deep/.deeper/.hidden'), PLAIN)
  writeFileSync(path.join(folder, `deep/${PLAIN}.json`), '')
  symlinkSync(`/nowhere/${PLAIN}`, path.join(folder, 'link'))
  expect(findInFolder(folder, search).toSorted()).toEqual([
    'deep/.deeper/.hidden: PLAIN as it is',
    `deep/${PLAIN}.json: PLAIN as it is`,
    'link: PLAIN as it is',
  ])
})

test.skipIf(process.platform !== 'linux')('arguments and environments of processes are searched', async () => {
  // Not at their keys as they are: another search of this test may be under way.
  const own = createSearch({ KEY: `é${PLAIN}${process.pid}` })
  const started = [
    spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)', `é${PLAIN}${process.pid}`], { env: {} }),
    spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60001)'], { env: { A: `é${PLAIN}${process.pid}` } }),
  ]
  onTestFinished(() => started.forEach((child) => void child.kill('SIGKILL')))
  await Promise.all(started.map((child) => once(child, 'spawn')))
  const [first = '', second = ''] = ['arguments', 'environment'].map(
    (part) => `${part} of ${process.execPath} -e: KEY as it is`,
  )
  expect(findInProcesses(Buffer.of(), own).toSorted()).toEqual([first, second])
  const bearer = Buffer.from([process.execPath, '-e', 'setTimeout(() => {}, 60001)', ''].join('\0'))
  expect(findInProcesses(bearer, own)).toEqual([first])
})
