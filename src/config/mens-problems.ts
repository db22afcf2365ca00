import { readServeCommand } from './serve-command.ts'
import { isAskedOverNetwork, isAtOpenRouter, isMens, isServed } from './subject-source.ts'
import type { SubjectOptions } from './sweep-config.ts'

/** What is wrong with how a MENS model is had, as pairs of an option and a message. */
export function mensProblems(subject: SubjectOptions): [string, string][] {
  const command = subject['mens-serve']
  if (command === undefined) {
    if (isMens(subject) && isAtOpenRouter(subject))
      return [['base-url', 'a mens/ model is not at OpenRouter; give the endpoint that serves it']]
    if (!isServed(subject)) return []
    const message =
      'a mens/ model is at no public endpoint; give "mens-serve", the command that serves its checkpoint, or "base-url", where it is served already'
    return [['model', message]]
  }
  const problems: [string, string][] = []
  if (!isAskedOverNetwork(subject))
    problems.push(['mens-serve', 'answers come from files, so nothing is served; leave it out'])
  else if (!isMens(subject)) problems.push(['mens-serve', 'serves a model that is named mens/<run>; leave it out'])
  else if (!isServed(subject))
    problems.push(['mens-serve', 'the model is at "base-url" already; give one or the other'])
  if (isServed(subject) && subject['api-key-env'] !== undefined) {
    problems.push(['api-key-env', 'is not for a server that the run starts, which gets no keys; leave it out'])
  }
  const read = readServeCommand(command)
  if (read.kind === 'problem') problems.push(['mens-serve', read.message])
  return problems
}
