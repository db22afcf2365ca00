// Makes a recording (docs/recordings.md) out of raw answers; no answer is changed.
//   node scripts/make-recording.js --journal out/attempts.jsonl --subject ID --obtained TEXT --to DIR
//   node scripts/make-recording.js --answers DIR --model NAME --obtained TEXT --date DATE --to DIR
// With --answers, DIR holds <condition>/<fixture>.md as they were written in one sitting, so the recording is batched.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'

const { values } = parseArgs({
  options: Object.fromEntries(
    ['journal', 'subject', 'answers', 'model', 'harness', 'obtained', 'date', 'to'].map((name) => [
      name,
      { type: 'string' },
    ]),
  ),
})
const { to, obtained } = values
if (!to || !obtained || !(values.journal ? values.subject : values.answers && values.model && values.date)) {
  console.error(readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\nimport')[0])
  process.exit(2)
}
const made = values.journal ? fromJournal(values.journal, values.subject) : fromFolder(values.answers)
mkdirSync(to, { recursive: true })
writeFileSync(join(to, 'recording.yaml'), stringify(made.description))
writeFileSync(
  join(to, 'answers.jsonl'),
  made.answers.map(({ text, ...index }) => `${JSON.stringify(index)}\n`).join(''),
)
for (const { condition, fixture, sample, text } of made.answers) {
  const file = join(to, condition, sample === 0 ? `${fixture}.md` : `${fixture}.${sample}.md`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
console.log(`${made.answers.length} answers in ${to}`)

function fromJournal(journal, id) {
  const lines = readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { plan, at } = lines.find((line) => line.kind === 'planned')
  const subject = plan.subjects.find((candidate) => candidate.id === id)
  const conditions = new Map(plan.cells.filter((cell) => cell.subject === id).map((cell) => [cell.id, cell.condition]))
  const answers = lines
    .filter((line) => line.kind === 'answered' && conditions.has(line.cell) && line.completion.kind === 'answered')
    .map(({ cell, fixture, sample, promptHash, completion: { text, finishReason, usage, latencyMs } }) => {
      return {
        condition: conditions.get(cell),
        fixture,
        sample,
        promptHash,
        finishReason,
        usage,
        latencyMs,
        text: text ?? '',
      }
    })
  const { model, harness, sampling } = subject
  return {
    description: { model, harness, obtained, date: at.slice(0, 10), batched: false, sampling },
    answers: sorted(answers),
  }
}

function fromFolder(folder) {
  const cli = resolve(fileURLToPath(import.meta.url), '../../dist/cli.js')
  const answers = readdirSync(folder).flatMap((condition) =>
    readdirSync(join(folder, condition)).map((file) => {
      const fixture = file.replace(/\.md$/, '')
      const printed = execFileSync(process.execPath, [
        cli,
        'prompt',
        '--json',
        '--fixture',
        fixture,
        '--condition',
        condition,
      ])
      const { hash } = JSON.parse(printed)
      const text = readFileSync(join(folder, condition, file), 'utf8')
      return { condition, fixture, sample: 0, promptHash: hash, finishReason: null, usage: null, latencyMs: null, text }
    }),
  )
  const sampling = { temperature: null, topP: null, maxTokens: null, reasoningEffort: null }
  const { model, date, harness = 'vox-harness' } = values
  return { description: { model, harness, obtained, date, batched: true, sampling }, answers: sorted(answers) }
}

function sorted(answers) {
  const key = ({ condition, fixture, sample }) => `${condition} ${fixture} ${sample}`
  return answers.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
