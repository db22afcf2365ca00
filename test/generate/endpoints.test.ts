import { expect, test } from 'vitest'
import { type GenerateDeps, generate } from '../../src/generate/generate.ts'
import { createLedger } from '../../src/generate/ledger.ts'
import { orderAttempts } from '../../src/generate/order.ts'
import type { Plan } from '../../src/generate/plan.ts'
import type { Completion, CompletionRequest, Provider } from '../../src/models/provider.ts'
import { answer, samplePlan, sampleSubject } from '../score/sample-run.ts'

const at = (id: string, endpoint: string | null) => sampleSubject(id, { endpoint, price: null })

interface Line {
  readonly kind: string
  readonly attempt: string
  readonly completion?: Completion
}

/** Makes all attempts of a plan; each subject answers by its own function. */
async function make(
  plan: Plan,
  complete: (request: CompletionRequest, subject: string) => Promise<Completion>,
  changes: Partial<GenerateDeps> = {},
): Promise<Line[]> {
  const lines: Line[] = []
  const providerOf = (id: string): Provider => ({ complete: (request) => complete(request, id) })
  await generate(plan, {
    providers: new Map(plan.subjects.map(({ id }) => [id, providerOf(id)])),
    ledger: createLedger(null),
    journal: { append: (line) => lines.push(line as unknown as Line), close: () => {} },
    signal: new AbortController().signal,
    deadline: null,
    stopAsking: () => {},
    concurrency: 2,
    requestsPerSample: 1,
    onAnswered: async () => null,
    ...changes,
  })
  return lines
}

const turn = () => new Promise<void>((done) => setImmediate(done))

test('an endpoint that does not answer holds up no other', async () => {
  const plan = samplePlan({
    subjects: [at('slow', 'https://slow.example'), at('quick', 'https://quick.example'), at('file', null)],
    fixtures: 6,
    conditions: ['C1'],
  })
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  let others = 0
  const lines = await make(plan, async (_request, subject) => {
    if (subject === 'slow') await held
    else if (++others === 12) release()
    return answer()
  })
  expect(lines.length).toBe(18)
  expect(lines.slice(0, 12).every(({ attempt }) => !attempt.startsWith('slow '))).toBe(true)
})

test('the subjects of one endpoint share its concurrency, and each endpoint has its own', async () => {
  const plan = samplePlan({
    subjects: [at('a', 'https://one.example'), at('b', 'https://one.example'), at('c', 'https://two.example')],
    fixtures: 8,
    conditions: ['C1'],
  })
  const underWay = { one: 0, two: 0 }
  const most = { one: 0, two: 0 }
  await make(plan, async (_request, subject) => {
    const endpoint = subject === 'c' ? 'two' : 'one'
    most[endpoint] = Math.max(most[endpoint], ++underWay[endpoint])
    await turn()
    underWay[endpoint]--
    return answer()
  })
  expect(most).toEqual({ one: 2, two: 2 })
})

test('the attempts of an endpoint begin in the order of the run: whole samples, its cells in turn', async () => {
  const plan = samplePlan({
    subjects: [at('a', 'https://one.example'), at('z', 'https://two.example'), at('b', 'https://one.example')],
    fixtures: 3,
    samples: 2,
    conditions: ['C0', 'C1'],
  })
  const begun: string[] = []
  await make(plan, async ({ attempt }) => {
    begun.push(attempt)
    await turn()
    return answer()
  })
  const fixtures = plan.fixtures.map(({ id }) => id)
  const planned = [...orderAttempts(plan.cells, fixtures, 2, plan.seed)].map(({ id }) => id)
  for (const subjects of [/^[ab] /, /^z /]) {
    expect(begun.filter((id) => subjects.test(id))).toEqual(planned.filter((id) => subjects.test(id)))
  }
})

test('at the deadline what is under way is still answered, and what is left is not attempted', async () => {
  const plan = samplePlan({ subjects: [at('a', 'https://one.example')], fixtures: 6, conditions: ['C1'] })
  const deadline = new AbortController()
  let asked = 0
  const lines = await make(
    plan,
    async () => {
      if (++asked === 3) deadline.abort()
      await turn()
      return answer()
    },
    { deadline: deadline.signal },
  )
  expect(asked).toBe(3)
  const outcomes = lines.map(({ completion }) => (completion?.kind === 'not-attempted' ? completion.why : 'answered'))
  expect(outcomes.sort()).toEqual([...Array(3).fill('answered'), ...Array(3).fill('deadline')])
})

test('answers that wait for their verdict hold up the asking before they fill the memory', async () => {
  const plan = samplePlan({ subjects: [at('a', 'https://one.example')], fixtures: 50, samples: 6, conditions: ['C1'] })
  let waiting = 0
  let most = 0
  const lines = await make(plan, async () => answer(), {
    concurrency: 4,
    async onAnswered() {
      most = Math.max(most, ++waiting)
      await turn()
      waiting--
      return null
    },
  })
  expect(lines.length).toBe(300)
  expect(most).toBeLessThan(110)
})
