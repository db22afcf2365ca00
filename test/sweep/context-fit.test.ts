import { expect, test } from 'vitest'
import { checkContexts } from '../../src/sweep/context-fit.ts'
import { samplePlan, sampleSubject } from '../score/sample-run.ts'

function planWith(contextTokens: number | null, conditions = ['C0', 'C1']) {
  const sampling = { temperature: 0, topP: null, maxTokens: 4096, reasoningEffort: null }
  const plan = samplePlan({ fixtures: 3, conditions, subjects: [sampleSubject('m', { contextTokens, sampling })] })
  // 3,000 short words are about as many tokens, and 15,000 bytes.
  const prompts = plan.prompts.map((prompt) =>
    prompt.condition === 'C1' ? { ...prompt, user: 'word '.repeat(3000) } : prompt,
  )
  return { ...plan, prompts }
}

test('prompts that fit with their answers need no word', async () => {
  expect(await checkContexts(planWith(8000))).toEqual([])
})

test('prompts that with their answers may be too long are told for each subject and condition', async () => {
  expect(await checkContexts(planWith(5000))).toEqual([
    expect.stringMatching(
      /^m under C1: 3 prompts of 3 with an answer of at most 4,096 tokens may not fit into its context of 5,000 tokens \(the longest prompt has about 3,0\d\d\)$/,
    ),
  ])
})

test('prompts that cannot fit under any tokenizer are an error before the run', async () => {
  await expect(checkContexts(planWith(1000))).rejects.toMatchObject({
    code: 'prompt/context',
    message: expect.stringContaining('m under C1: 3 prompts of 3 cannot fit into its context of 1,000 tokens'),
  })
})

test('of a context that nobody knows nothing is said', async () => {
  expect(await checkContexts(planWith(null))).toEqual([])
})

test('a second turn is sent the first answer as well, so that less of the context is left', async () => {
  const plan = planWith(8000)
  const fixing = { ...plan, subjects: plan.subjects.map((subject) => ({ ...subject, hasFixTurn: true })) }
  expect(await checkContexts(plan)).toEqual([])
  expect(await checkContexts(fixing)).toEqual([
    expect.stringContaining(
      'm under C0: 3 prompts of 3 with an answer of at most 4,096 tokens in each of two turns may',
    ),
    expect.stringContaining('m under C1'),
  ])
})
