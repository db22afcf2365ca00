import { billedUsd } from '../../generate/cost.ts'
import type { Subject } from '../../generate/plan.ts'
import type { AttemptRecord } from '../../score/record.ts'
import { describeVerdict } from '../../verify/verdict-text.ts'
import { attemptStatus } from '../attempt-status.ts'
import { dollars, duration, number, plural, UNKNOWN } from '../format.ts'
import { groupBy } from '../group-by.ts'
import { wasPromptSent } from '../known-prompts.ts'
import type { Report } from '../schema.ts'
import type { Anchors } from './anchors.ts'
import { html, type Markup } from './markup.ts'
import { sourceView } from './source-view.ts'

/** Every attempt with its program, raw answer and verdict, folded up cell by cell. */
export function attemptsSection(report: Report, anchors: Anchors): Markup {
  const titles = new Map(report.plan.fixtures.map(({ id, title }) => [id, title]))
  const subjects = new Map(report.plan.subjects.map((subject) => [subject.id, subject]))
  const cells = groupBy(report.attempts, ({ cell }) => cell)
  return html`<section id="attempts" aria-labelledby="attempts-title">
<h2 id="attempts-title">Attempts</h2>
<fieldset class="filter"><legend>Show</legend>
<label><input type="radio" name="shown" id="show-all" checked> all</label>
<label><input type="radio" name="shown" id="show-failed"> failed</label>
<label><input type="radio" name="shown" id="show-passed"> passed</label>
<label><input type="radio" name="shown" id="show-missing"> without a verdict</label>
</fieldset>
${[...cells].map(
  ([
    cell,
    attempts,
  ]) => html`<details class="cell"><summary><h3>${cell}</h3> <span class="count">${plural(attempts.length, 'attempt')}</span></summary>
${attempts.map((attempt) => attemptView(attempt, titles.get(attempt.fixture) ?? '', subjects.get(attempt.subject), report.plan.samples, anchors))}
</details>`,
)}
</section>`
}

function attemptView(
  record: AttemptRecord,
  title: string,
  subject: Subject | undefined,
  samples: number,
  anchors: Anchors,
): Markup {
  const { outcome, glyph, label, detail } = attemptStatus(record)
  const { completion, verification } = record
  const diagnostics = verification?.verdict.kind === 'check-failed' ? verification.verdict.diagnostics : []
  const prompt = anchors.prompt(record.fixture, record.condition)
  return html`<details class="attempt ${outcome}"><summary><span class="glyph" aria-hidden="true">${glyph}</span> <span class="fixture">${record.fixture} ${title}</span>${samples > 1 ? html` <span class="sample">sample ${record.sample + 1}</span>` : null} <span class="verdict">${label}</span></summary>
<div class="body" id="${anchors.attempt(record.attempt)}">
${detail === null ? null : html`<p class="detail">${detail}</p>`}
<p class="facts">${facts(record, subject).join(' · ')}</p>
${record.first === null ? null : firstTurnView(record.first)}
${verification === null || verification.candidate === null ? null : sourceView(verification.candidate, diagnostics)}
${completion.kind === 'answered' ? html`<details><summary>Raw answer</summary><pre class="text">${completion.text ?? '(the provider sent no content)'}</pre></details>` : null}
${prompt === null ? null : html`<p><a href="#${prompt}">${subject === undefined || wasPromptSent(subject) ? 'The prompt it answers' : 'The prompt of this problem; whether it was what was asked is not known'}</a></p>`}
</div></details>
`
}

/** The answer that was given back, and what was said of it. */
function firstTurnView({ completion, verification, feedback }: NonNullable<AttemptRecord['first']>): Markup {
  const { verdict, candidate } = verification
  const diagnostics = verdict.kind === 'check-failed' ? verdict.diagnostics : []
  return html`<details><summary>First answer: ${describeVerdict(verdict)}</summary>
${candidate === null ? null : sourceView(candidate, diagnostics)}
${completion.kind === 'answered' ? html`<details><summary>Raw answer</summary><pre class="text">${completion.text ?? '(the provider sent no content)'}</pre></details>` : null}
${feedback === null ? null : html`<p class="note">What the model was told of it:</p><pre class="text">${feedback}</pre>`}
</details>`
}

function facts({ completion, verification, seed }: AttemptRecord, subject: Subject | undefined): string[] {
  if (completion.kind !== 'answered') return []
  const { usage, latencyMs, finishReason, modelReturned, providerReturned, requests } = completion
  const measured: readonly (readonly [string, string])[] = [
    ['finish reason', finishReason ?? UNKNOWN],
    ['tokens in', number(usage?.promptTokens ?? null)],
    ['tokens out', number(usage?.completionTokens ?? null)],
    ['cost', dollars(subject === undefined ? null : billedUsd(subject, completion))],
    ['latency', duration(latencyMs)],
  ]
  const unknown = measured.filter(([, value]) => value === UNKNOWN).map(([name]) => name)
  return [
    ...(verification?.rule ? [`code taken by rule: ${verification.rule}`] : []),
    ...(verification?.notes ?? []),
    ...measured.filter(([, value]) => value !== UNKNOWN).map(([name, value]) => `${name} ${value}`),
    ...(modelReturned === null ? [] : [`model ${modelReturned}`]),
    ...(providerReturned === null ? [] : [`provider ${providerReturned}`]),
    ...(requests > 1 ? [`${requests} requests`] : []),
    ...(seed === null ? [] : [`seed ${seed}`]),
    ...(unknown.length === 0 ? [] : [`not told: ${unknown.join(', ')}`]),
  ]
}
