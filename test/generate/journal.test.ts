import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openJournal } from '../../src/generate/journal.ts'
import { buildEntry } from '../engine/built-worker.ts'

vi.setConfig({ testTimeout: 120_000 })

function journalFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vox-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'attempts.jsonl')
}

test.skipIf(process.platform === 'win32')(
  'of a line that the disk had no room for nothing is left, so that a shorter one after it can be read',
  async () => {
    const file = journalFile()
    const module = await buildEntry('generate/journal.ts')
    const script = path.join(path.dirname(module), 'writer.mjs')
    writeFileSync(
      script,
      `import { openJournal } from ${JSON.stringify(pathToFileURL(module).href)}
const journal = openJournal(process.argv[2])
journal.append({ kind: 'first' })
for (let time = 0; time < 2; time++) {
  try {
    journal.append({ kind: 'long', text: 'x'.repeat(100_000) })
  } catch (error) {
    console.log(error.code)
  }
}
journal.append({ kind: 'last' })
`,
    )
    // A limit on the length of files stands for the full disk: the part that fits is written.
    const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath, script, file], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('infra/journal\ninfra/journal\n')
    expect(readFileSync(file, 'utf8')).toBe('{"kind":"first"}\n{"kind":"last"}\n')
  },
)

test('half a line that a killed run left is closed by the next one', () => {
  const file = journalFile()
  writeFileSync(file, '{"kind":"fir')
  const journal = openJournal(file)
  journal.append({ kind: 'second' })
  journal.append({ kind: 'third' })
  journal.close()
  expect(readFileSync(file, 'utf8')).toBe('{"kind":"fir\n{"kind":"second"}\n{"kind":"third"}\n')
})
