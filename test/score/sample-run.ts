import { createHash } from 'node:crypto'
import type { AnsweredLine, EndedLine } from '../../src/generate/journal.ts'
import { attemptId } from '../../src/generate/journal.ts'
import type { Plan, PlannedFixture, Price, Subject } from '../../src/generate/plan.ts'
import type { Answer, Completion, Usage } from '../../src/models/provider.ts'
import type { PreflightLine, VerifiedLine } from '../../src/verify/journal-lines.ts'
import type { Verdict, Verification } from '../../src/verify/verdict.ts'

export interface SampleOptions {
  readonly fixtures?: number
  readonly samples?: number
  readonly k?: readonly number[]
  readonly conditions?: readonly string[]
  readonly subjects?: readonly Subject[]
  readonly purpose?: Plan['purpose']
  readonly split?: Plan['corpus']['split']
  /** What became of an attempt; a realistic mix by default. */
  readonly outcome?: (attempt: SampleAttempt) => Outcome
}

export interface SampleAttempt {
  readonly subject: string
  readonly condition: string
  /** From 0. */
  readonly fixture: number
  readonly sample: number
}

export interface Outcome {
  readonly completion: Completion
  /** Null for an answer that was not verified before the run ended. */
  readonly verification: Verification | null
}

const NAMES = [
  'Luggage tag',
  'Waiting for the shuttle',
  'Carving a tally stick',
  'Damped needle',
  'Crate loads',
  'Ticket after',
  'Row of paint',
  'Shift on a day',
  'Bell minute',
  'Order in grams',
]
const TAGS = ['strings', 'lists', 'arithmetic', 'maps', 'recursion']
const TOKENS: Readonly<Record<string, number>> = { C0: 0, 'C1@50': 389, C1: 781, C2: 1104, C3: 2950 }

/** A price of the two parts that every price has. */
export function samplePrice(changes: Partial<Price> = {}): Price {
  return {
    promptUsdPerM: 0.15,
    completionUsdPerM: 0.6,
    cachedPromptUsdPerM: null,
    cacheWriteUsdPerM: null,
    requestUsd: null,
    source: 'declared by the user',
    ...changes,
  }
}

/** Token counts of which only the given are known. */
export function usageOf(known: Partial<Usage>): Usage {
  return {
    promptTokens: null,
    cachedPromptTokens: null,
    cacheWriteTokens: null,
    completionTokens: null,
    reasoningTokens: null,
    totalTokens: null,
    ...known,
  }
}

export function sampleSubject(id: string, changes: Partial<Subject> = {}): Subject {
  return {
    id,
    model: id,
    checkpoint: null,
    harness: 'vox-harness',
    hasFixTurn: false,
    sampling: { temperature: 0, topP: null, maxTokens: 4096, reasoningEffort: null },
    endpoint: 'https://models.example',
    served: null,
    recording: null,
    contextTokens: null,
    cutoff: { date: '2026-06-30', source: 'declared by the user' },
    trainingData: null,
    price: samplePrice(),
    ...changes,
  }
}

export const SUBJECTS: readonly Subject[] = [
  sampleSubject('general-purpose-model', {
    endpoint: null,
    price: null,
    cutoff: { date: null, source: 'not declared' },
    recording: {
      obtained: 'answered in batches by a general-purpose language model',
      date: '2026-11-29',
      isBatched: true,
    },
  }),
  sampleSubject('SmolLM2-135M-Instruct', {
    harness: 'llama.cpp',
    recording: { obtained: 'one request per problem to a local server', date: '2026-11-28', isBatched: false },
  }),
]

/** A subject whose answers came from anywhere. */
export const FOLDER_SUBJECT = sampleSubject('folder', {
  endpoint: null,
  recording: { obtained: 'read from a folder of answers', date: null, isBatched: null },
})

/** A plan in the shape of the demo's. */
export function samplePlan(options: SampleOptions = {}): Plan {
  const {
    samples = 1,
    k = [1],
    conditions = ['C0', 'C1@50', 'C1'],
    subjects = SUBJECTS,
    purpose = 'run',
    split = 'held-out',
  } = options
  const fixtures = Array.from({ length: options.fixtures ?? 40 }, (_, index) => sampleFixture(index, split))
  const texts = conditions.map((name) => ({
    name,
    text: name === 'C0' ? '' : `functions: write them like this.\n\nstrings: \`s.len()\` for ${name}.`,
    tokens: TOKENS[name] ?? 500,
    hash: digest(name),
    sections: name === 'C0' ? [] : ['functions', 'strings'],
  }))
  return {
    tool: { name: 'vox-efficacy', version: '0.1.0' },
    corpus: {
      name: 'vox-efficacy-original',
      hash: digest('corpus'),
      split,
      total: fixtures.length,
      heldOut: split === 'held-out' ? fixtures.length : 0,
      warnings: [],
      origin:
        'Problems and references were written with a general-purpose language model and checked by machine; results of models of its family may be inflated.',
    },
    fixtures,
    subjects: [...subjects],
    catalogue: null,
    excluded: [],
    conditions: texts,
    cells: subjects.flatMap(({ id }) =>
      conditions.map((condition) => ({ id: `${id} ${condition}`, subject: id, condition })),
    ),
    prompts: fixtures.flatMap((fixture) =>
      texts.map(({ name, text }) => ({
        fixture: fixture.id,
        condition: name,
        system: 'You write programs in Vox.',
        user: `${text === '' ? '' : `About Vox\n\n${text}\n\n---\n\n`}Task: ${fixture.title}\n\nWrite this function:\n\n    fn solve(count: int) to str\n`,
        hash: digest(`${fixture.id} ${name}`),
      })),
    ),
    samples,
    k: [...k],
    seed: 7,
    caps: { runUsd: 2, monthUsd: null },
    versions: { template: 1, extraction: 1, policy: 1, composition: 1, feedback: 1 },
    purpose,
  }
}

function sampleFixture(index: number, split: Plan['corpus']['split']): PlannedFixture {
  return {
    id: String(index + 1).padStart(3, '0'),
    title: `${NAMES[index % NAMES.length]}${index < NAMES.length ? '' : ` ${Math.floor(index / NAMES.length) + 1}`}`,
    difficulty: ['easy', 'medium', 'hard'][index % 3] ?? 'easy',
    tags: [TAGS[index % TAGS.length] ?? '', TAGS[(index * 2 + 1) % TAGS.length] ?? ''],
    family: null,
    trainingEligible: split !== 'held-out',
    addedAt: '2026-11-29',
    assertions: 9,
    hasDomain: true,
    hash: digest(`fixture ${index}`),
  }
}

export const PREFLIGHT: PreflightLine = {
  kind: 'preflight',
  engine: {
    kind: 'embedded',
    version: 'embedded',
    official: false,
    sha256: null,
    sourceCommit: null,
    toolchain: null,
    profile: null,
    provenance: 'embedded',
    sourceGate: null,
    abilities: {},
  },
  sandbox: {
    level: 'in-process',
    closed: { tcp: true, udp: true, reads: true, writes: true, processes: true, survivors: true },
    passedOver: [],
  },
  references: 40,
  saboteurs: 250,
  failures: [],
  elapsedMs: 2140,
}

export function sampleEnd(changes: Partial<EndedLine> = {}): EndedLine {
  return {
    kind: 'ended',
    at: '2026-11-29T10:00:09.000Z',
    stoppedBecause: null,
    runKey: 'a'.repeat(64),
    spend: { capUsd: 2, spentUsd: 0.0123, overruns: [] },
    ...changes,
  }
}

/** The lines of a whole run's journal, in the order they are written. */
export function sampleLines(options: SampleOptions = {}, plan = samplePlan(options)): unknown[] {
  const outcome = options.outcome ?? realisticOutcome
  const lines: unknown[] = [{ kind: 'planned', at: '2026-11-29T10:00:00.000Z', plan } as const, PREFLIGHT]
  for (let sample = 0; sample < plan.samples; sample++) {
    for (const [index, fixture] of plan.fixtures.entries()) {
      for (const cell of plan.cells) {
        const attempt = attemptId(cell.id, fixture.id, sample)
        const { completion, verification } = outcome({
          subject: cell.subject,
          condition: cell.condition,
          fixture: index,
          sample,
        })
        const answered: AnsweredLine = {
          kind: 'answered',
          at: `2026-11-29T10:00:0${3 + (index % 5)}.000Z`,
          attempt,
          cell: cell.id,
          fixture: fixture.id,
          sample,
          promptHash:
            plan.prompts.find((each) => each.fixture === fixture.id && each.condition === cell.condition)?.hash ?? '',
          seed: sample,
          completion,
        }
        lines.push(answered)
        if (verification !== null) lines.push({ kind: 'verified', attempt, verification } satisfies VerifiedLine)
      }
    }
  }
  lines.push(sampleEnd())
  return lines
}

export function answer(changes: Partial<Answer> = {}): Answer {
  return {
    kind: 'answered',
    text: '```vox\nfn solve(count: int) to str {\n    return str(count)\n}\n```\n',
    finishReason: 'stop',
    usage: null,
    costUsd: null,
    latencyMs: null,
    modelReturned: null,
    providerReturned: null,
    requests: 1,
    ...changes,
  }
}

export function verified(
  verdict: Verdict,
  candidate: string | null = 'fn solve(count: int) to str {\n    return str(count)\n}\n',
): Verification {
  return { verdict, candidate, rule: candidate === null ? null : 'last vox block', notes: [] }
}

/** An outcome with a plain answer and that verdict. */
export function judged(verdict: Verdict, changes: Partial<Answer> = {}): Outcome {
  return { completion: answer(changes), verification: verified(verdict) }
}

export const FAILURES: readonly Verdict[] = [
  {
    kind: 'check-failed',
    class: 'option_misuse',
    diagnostics: [{ severity: 'error', code: null, message: 'Cannot unify int with Option[int]', line: 4, column: 22 }],
  },
  { kind: 'wrong-answer', where: 'assertion', detail: 'solve(55) should be "iiiV#@", is "@#Viii"' },
  {
    kind: 'check-failed',
    class: 'parse',
    diagnostics: [
      { severity: 'error', code: 'E0001', message: 'Unexpected token `&&`, use `and`', line: 3, column: 17 },
      { severity: 'error', code: null, message: 'Undefined variable: xs', line: 5, column: 5 },
    ],
  },
  {
    kind: 'check-failed',
    class: 'unknown_method',
    diagnostics: [
      {
        severity: 'error',
        code: 'vox/types/method-not-found',
        message: 'Method `push_back` not found on List[int]',
        line: 6,
        column: 9,
      },
    ],
  },
  { kind: 'runtime-error', class: 'runtime_arith', detail: 'solve(0): integer division by zero' },
  { kind: 'wrong-answer', where: 'fresh inputs', detail: 'solve(-17) should be "Vi-", is "iV-"' },
  { kind: 'budget', resource: 'steps' },
  { kind: 'no-code', why: 'none' },
  { kind: 'policy', rule: 'import', detail: 'line 1: import std.fs' },
]

const PROGRAM = `// Greedy from the largest mark down.
fn solve(count: int) to str {
    if count > 0 && count < 200 {
        let first: int = marks()[0]
        return xs.join("")
    }
    let mut rest = count
    let mut out = ""
    for mark in marks() {
        while rest >= mark.worth {
            out = out + mark.sign
            rest = rest - mark.worth
        }
    }
    return out
}
`

function realisticOutcome({ subject, condition, fixture, sample }: SampleAttempt): Outcome {
  const draw = Number.parseInt(digest(`${subject} ${condition} ${fixture} ${sample}`).slice(0, 8), 16) / 2 ** 32
  const isSmall = subject !== SUBJECTS[0]?.id
  const chance = isSmall ? (condition === 'C0' ? 0 : 0.05) : ({ C0: 0.08, 'C1@50': 0.52, C1: 0.78 }[condition] ?? 0.8)
  const pick = FAILURES[Math.floor(draw * 997) % FAILURES.length] as Verdict
  const verdict: Verdict = draw < chance ? { kind: 'passed' } : pick
  const text = `Here is the program:\n\n\`\`\`vox\n${PROGRAM}\`\`\`\n`
  const usage = isSmall
    ? usageOf({
        promptTokens: 310 + (TOKENS[condition] ?? 0),
        completionTokens: 180 + Math.floor(draw * 200),
      })
    : null
  return {
    completion: answer({
      text: verdict.kind === 'no-code' ? 'I cannot write Vox.' : text,
      usage,
      latencyMs: isSmall ? 900 + Math.floor(draw * 4000) : null,
    }),
    verification: verified(verdict, verdict.kind === 'no-code' ? null : PROGRAM),
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
