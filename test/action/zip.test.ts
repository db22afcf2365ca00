import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { readZip } from '../../src/action/zip.ts'
import { BenchError } from '../../src/bench-error.ts'
import { type PackedFile, zipOf } from './zip-file.ts'

const LIMITS = { entries: 10, bytes: 1_000_000, ratio: 200 }
const file = (name: string, claims: PackedFile['claims'] = {}) => ({ name, content: 'text', claims })

test('gives the files that went in', () => {
  const entries = readZip(zipOf([file('report.json'), { name: 'deep/a b.md', content: 'é' }]), LIMITS)
  expect(entries.map((entry) => [entry.name, entry.bytes, entry.read().toString()])).toEqual([
    ['report.json', 4, 'text'],
    ['deep/a b.md', 2, 'é'],
  ])
})

test('reads what another tool packed, folders left out', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-zip-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const script = `
import zipfile
with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.mkdir("deep") if hasattr(archive, "mkdir") else archive.writestr("deep/", "")
    archive.writestr("deep/report.json", "{}" * 500)
`
  execFileSync('python3', ['-c', script], { cwd: folder })
  const [entry, ...others] = readZip(readFileSync(path.join(folder, 'a.zip')), LIMITS)
  expect(others).toEqual([])
  expect(entry?.read().toString()).toBe('{}'.repeat(500))
})

test.each([
  ['a path above', [file('../report.json')]],
  ['a path above, further in', [file('a/../../report.json')]],
  ['an absolute path', [file('/etc/passwd')]],
  ['a path of Windows', [file('a\\..\\b')]],
  ['a drive', [file('c:report.json')]],
  ['a control character', [file('a\nb')]],
  ['a link', [file('report.json', { mode: 0o120777 })]],
  ['a name twice', [file('report.json'), file('report.json')]],
  ['too many entries', Array.from({ length: 11 }, (_, index) => file(String(index)))],
  ['more bytes than are taken', ['a', 'b'].map((name) => ({ name, content: randomBytes(600_000) }))],
  ['a bomb', [{ name: 'report.json', content: Buffer.alloc(900_000) }]],
  ['an encrypted file', [file('report.json', { flags: 1 })]],
  ['another method', [file('report.json', { method: 12 })]],
])('refuses %s', (_name, files) => {
  expect(() => readZip(zipOf(files), LIMITS)).toThrow(BenchError)
})

test.each([
  ['another checksum', { crc: 1 }],
  ['more bytes than it claims', { bytes: 2 }],
  ['fewer bytes than it claims', { bytes: 5 }],
])('refuses to unpack a file with %s', (_name, claims) => {
  const [entry] = readZip(zipOf([file('report.json', claims)]), LIMITS)
  expect(() => entry?.read()).toThrow(BenchError)
})

test('whatever bytes come, they are refused or read, and nothing else happens', () => {
  const good = zipOf([file('report.json'), file('b')])
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)),
    fc.tuple(fc.nat(good.length - 1), fc.nat(255)).map(([at, value]) => {
      const changed = Buffer.from(good)
      changed[at] = value
      return changed
    }),
    fc.nat(good.length).map((length) => good.subarray(0, length)),
  )
  fc.assert(
    fc.property(bytes, (archive) => {
      try {
        for (const entry of readZip(archive, LIMITS)) entry.read()
      } catch (error) {
        expect(error).toBeInstanceOf(BenchError)
      }
    }),
    { numRuns: 2000 },
  )
})
