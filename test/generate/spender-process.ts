import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { buildEntry } from '../engine/built-worker.ts'

let built: Promise<string> | null = null

/** A process of its own that reserves `attempts` times `usd` in a book and settles nothing; it says how many were admitted. */
export async function startSpender(wanted: {
  file: string
  capUsd: number
  attempts: number
  usd: number
}): Promise<{ child: ChildProcess; admitted: Promise<number> }> {
  built ??= buildEntry('generate/spend-book.ts')
  const module = await built
  const script = path.join(path.dirname(module), 'spender.mjs')
  writeFileSync(
    script,
    `import { openSpendBook } from ${JSON.stringify(pathToFileURL(module).href)}
const { file, capUsd, attempts, usd } = JSON.parse(process.argv[2])
const book = openSpendBook({ file, capUsd, now: () => new Date() })
let admitted = 0
for (let attempt = 0; attempt < attempts; attempt++) if (book.reserve(String(attempt), usd)) admitted++
console.log(admitted)
`,
  )
  const child = spawn(process.execPath, [script, JSON.stringify(wanted)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const admitted = new Promise<number>((done) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    child.on('close', () => done(Number(text)))
  })
  return { child, admitted }
}
