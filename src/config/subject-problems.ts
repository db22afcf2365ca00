import { mensProblems } from './mens-problems.ts'
import { requestProblems } from './request-problems.ts'
import { fileSources, isAskedOverNetwork, isAtOpenRouter, isSpendWatched, sourceKeys } from './subject-source.ts'
import type { SubjectOptions, SweepConfig } from './sweep-config.ts'

/** Options of a subject that contradict each other or the sweep, as pairs of an option and a message. */
export function subjectProblems(subject: SubjectOptions, config: SweepConfig): [string, string][] {
  const problems = [...requestProblems(subject, config), ...mensProblems(subject)]
  const asksModel = isAskedOverNetwork(subject)
  if (sourceKeys.every((key) => subject[key] === undefined)) {
    problems.push(['model', 'nothing says where answers come from; give "model", "from-dir", "recording" or "script"'])
  }
  const [first, second] = fileSources.filter((key) => subject[key] !== undefined)
  if (first !== undefined && second !== undefined) {
    problems.push([second, `answers come from "${first}" already; give one or the other`])
  }
  if (!asksModel && subject['base-url'] !== undefined) {
    problems.push(['base-url', 'answers come from files, so no endpoint is asked; leave it out'])
  }
  if (!asksModel && subject['prompt-usd-per-m'] !== undefined) {
    problems.push(['prompt-usd-per-m', 'answers come from files and cost nothing; leave the prices out'])
  }
  const recorded = (['from-dir', 'recording'] as const).find((key) => subject[key] !== undefined)
  if (subject.fix && recorded !== undefined) {
    problems.push(['fix', `answers come from "${recorded}", where nobody can be asked for a second one; leave it out`])
  }
  if (asksModel && subject.temperature === 0 && Math.max(...config.k) > 1) {
    problems.push([
      'temperature',
      `is 0, but pass@${Math.max(...config.k)} needs samples that differ; raise it to 0.6 or more`,
    ])
  }
  if (subject['from-dir'] !== undefined && new Set(subject.condition ?? config.condition).size > 1) {
    problems.push([
      'condition',
      `the answers in ${subject['from-dir']} were made with one amount of help, but there are several conditions; name the one with "condition"${config.subjects.length > 1 ? ' on this subject' : ''}`,
    ])
  }
  if ((subject['prompt-usd-per-m'] === undefined) !== (subject['completion-usd-per-m'] === undefined)) {
    problems.push(['prompt-usd-per-m', 'a price has two parts; give "prompt-usd-per-m" and "completion-usd-per-m"'])
  } else if (
    asksModel &&
    isSpendWatched(config) &&
    subject['prompt-usd-per-m'] === undefined &&
    (config.catalogue === 'off' || !isAtOpenRouter(subject))
  ) {
    problems.push([
      'prompt-usd-per-m',
      'there is a spend cap but no price, so the cap could not be kept; give "prompt-usd-per-m" and "completion-usd-per-m" (0 for a model that costs nothing)',
    ])
  }
  if (subject.cutoff === 'auto' && config.catalogue === 'off') {
    problems.push(['cutoff', 'is "auto", which looks in the catalogue of models, but "catalogue" is off'])
  }
  for (const part of ['cached-usd-per-m', 'cache-write-usd-per-m', 'request-usd'] as const) {
    if (subject[part] !== undefined && subject['prompt-usd-per-m'] === undefined) {
      problems.push([part, 'is a further part of a price; give "prompt-usd-per-m" and "completion-usd-per-m" as well'])
    }
  }
  return problems
}
