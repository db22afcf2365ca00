import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readDataFile } from '../../src/training/read-data-file.ts'
import { folderWith } from '../models/temp-folder.ts'

/** Reads a file of these bytes, which are `expected` packed. */
async function read(bytes: Uint8Array, expected: Uint8Array = bytes) {
  const file = path.join(folderWith({}), 'data')
  writeFileSync(file, bytes)
  const parts: Buffer[] = []
  let progress = 0
  const result = await readDataFile(
    file,
    (part) => parts.push(Buffer.from(part)),
    (more) => {
      progress += more
    },
  )
  expect(result.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(progress).toBe(bytes.length)
  return { problem: result.problem, content: Buffer.concat(parts), isWhole: Buffer.concat(parts).equals(expected) }
}

const content = Buffer.concat([randomBytes(3_000_000), Buffer.from('end')])

test('a file is given as it is, and hashed', async () => {
  expect(await read(content)).toMatchObject({ problem: null, isWhole: true })
  expect(await read(Buffer.alloc(0))).toMatchObject({ problem: null, isWhole: true })
})

test('a gzip file is given unpacked, and hashed as it lies there', async () => {
  expect(await read(gzipSync(content), content)).toMatchObject({ problem: null, isWhole: true })
})

test('a gzip file of several members is given whole', async () => {
  const packed = Buffer.concat([gzipSync(content), gzipSync('second')])
  const whole = Buffer.concat([content, Buffer.from('second')])
  expect(await read(packed, whole)).toMatchObject({ problem: null, isWhole: true })
})

test.each([10, 2_000_000])('a gzip file of which only %i bytes are there is told', async (bytes) => {
  const { problem } = await read(gzipSync(content).subarray(0, bytes))
  expect(problem).toMatch(/^it cannot be unpacked in full \(Z_/)
})

test('a gzip file that is damaged is told, and what came before is given', async () => {
  const packed = gzipSync(content)
  packed.fill(0xff, 2_500_000, 2_600_000)
  const damaged = await read(packed)
  expect(damaged.problem).toMatch(/^it cannot be unpacked in full/)
  expect(damaged.content.length).toBeGreaterThan(1_000_000)
})

test.each([
  ['zeros', Buffer.alloc(6)],
  ['text', Buffer.from('behind')],
  ['much text', Buffer.alloc(5_000_000, 'x')],
  ['many zeros', Buffer.alloc(5_000_000)],
])('%s behind the packed data are told', async (_what, behind) => {
  const { problem, content } = await read(Buffer.concat([gzipSync('small'), behind]))
  expect(problem).toMatch(/^there is something behind its packed data$|^it cannot be unpacked in full/)
  expect(content.toString()).toMatch(/^(small)?$/)
})

test('a file that is gone is told', async () => {
  const result = await readDataFile(
    '/no/such/file',
    () => {},
    () => {},
  )
  expect(result).toEqual({ sha256: null, problem: 'it cannot be read (ENOENT)' })
})
