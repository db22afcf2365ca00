import type { CompletionRequest } from '../../src/models/provider.ts'

/** A request with `more` over it. */
export function requestWith(more: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    attempt: 'm C1 / 001 / 0',
    fixture: '001',
    condition: 'C1',
    sample: 0,
    messages: [
      { role: 'system', content: 'You write Vox.' },
      { role: 'user', content: 'Write twice.' },
    ],
    sampling: { temperature: null, topP: null, maxTokens: null, reasoningEffort: null },
    seed: null,
    ...more,
  }
}

/** A signal that is never aborted. */
export const never: AbortSignal = new AbortController().signal
