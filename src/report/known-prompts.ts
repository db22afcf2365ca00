import type { Subject } from '../generate/plan.ts'

/** How the recording of a folder of answers names its origin. */
export const FOLDER_RECORDING = 'read from a folder of answers'

/** How the recording of a script names its origin: no model gave these answers. */
export const SCRIPT_RECORDING = 'written by hand in a script'

/**
 * Whether the prompts of the plan are known to be what a subject was asked. Answers from a folder came from anywhere:
 * the help of their condition is only what the user declared.
 */
export function wasPromptSent({ recording }: Pick<Subject, 'recording'>): boolean {
  return recording?.obtained !== FOLDER_RECORDING
}
