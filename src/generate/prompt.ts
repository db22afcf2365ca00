import { createHash } from 'node:crypto'
import type { Fixture } from '../corpus/fixture.ts'
import type { Message } from '../models/provider.ts'
import type { Condition, Prompt } from './plan.ts'

/** Version of the wording below; part of every comparison. */
export const TEMPLATE_VERSION = 1

const system =
  'You write programs in Vox, a small statically checked programming language. You answer with a program and nothing else.'

const rules = `Rules
- Answer with exactly one fenced code block tagged vox. It holds the whole program: the function above, and any helper functions and types it needs.
- Do not write a main function, test code or example calls: tests are added behind your program.
- The program may contain function and type declarations only. It must not redefine built-in functions such as assert or print, import anything, or use files, the network, processes or the environment.`

/** Exactly what a model is sent for `fixture` under `condition`. Nothing of the reference or the tests is in it. */
export function buildPrompt(fixture: Fixture, condition: Condition): Prompt {
  const help = condition.text === '' ? '' : `About Vox\n\n${condition.text}\n\n---\n\n`
  const user = `${help}Task: ${fixture.title}\n\n${fixture.prompt.trim()}\n\nWrite this function:\n\n    ${fixture.signature}\n\n${rules}\n`
  const hash = createHash('sha256')
    .update(JSON.stringify([TEMPLATE_VERSION, system, user]))
    .digest('hex')
  return { fixture: fixture.id, condition: condition.name, system, user, hash }
}

/** An answer that is given back, and what was found wrong with it. */
export interface FirstTurn {
  readonly answer: string
  readonly feedback: string
}

/** What stands for an answer without any text, since endpoints refuse an empty message. */
const NO_TEXT = '(no text)'

export function firstTurnOf(answer: string | null, feedback: string): FirstTurn {
  return { answer: answer === null || answer.trim() === '' ? NO_TEXT : answer, feedback }
}

/** Prompt as a chat; with a first turn it goes on from there. */
export function messagesOf(
  { system, user }: Pick<Prompt, 'system' | 'user'>,
  first: FirstTurn | null = null,
): readonly Message[] {
  const opening: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ]
  if (first === null) return opening
  return [...opening, { role: 'assistant', content: first.answer }, { role: 'user', content: first.feedback }]
}

/** Names what is asked: the prompt, and in a second turn all that came before. */
export function hashTurn(prompt: Prompt, first: FirstTurn | null): string {
  if (first === null) return prompt.hash
  return createHash('sha256')
    .update(JSON.stringify([prompt.hash, first.answer, first.feedback]))
    .digest('hex')
}
