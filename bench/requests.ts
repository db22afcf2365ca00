import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { type GenerateDeps, generate } from '../src/generate/generate.ts'
import { openJournal } from '../src/generate/journal.ts'
import { createLedger } from '../src/generate/ledger.ts'
import type { Plan } from '../src/generate/plan.ts'
import { createEndpointGate } from '../src/models/endpoint-gate.ts'
import { createOpenAiProvider, NO_KEY } from '../src/models/openai-provider.ts'
import type { Provider } from '../src/models/provider.ts'
import { retrying } from '../src/models/retrying-provider.ts'
import { createScriptedProvider } from '../src/models/scripted-provider.ts'
import type { Figure, Place } from './figure.ts'
import { times } from './figure.ts'
import type { LatencyServerOptions } from './latency-server.ts'

const SERVER: LatencyServerOptions = { latencyMs: 500, slots: 50 }
const FIXTURES = 50
const REQUESTS = [500, 5000]
const ATTEMPTS = [1000, 10_000, 50_000] as const
const never = new AbortController().signal

/** How near asking comes to what an endpoint can give, and what it holds in memory meanwhile. */
export async function bench(place: Place): Promise<readonly Figure[]> {
  return [...(await benchMemory()), ...(await benchLatency(place))]
}

/** Through client, gate, ledger and journal, each reservation on the disk before its request. */
async function benchLatency({ folder }: Place): Promise<readonly Figure[]> {
  const server = new Worker(pathToFileURL(path.join(folder, 'latency-server.js')), { workerData: SERVER })
  try {
    const [port] = await once(server, 'message')
    const baseUrl = `http://127.0.0.1:${port}/v1`
    const figures: Figure[] = []
    for (const requests of REQUESTS) figures.push(await measureLatency(baseUrl, requests))
    return figures
  } finally {
    await server.terminate()
  }
}

async function measureLatency(baseUrl: string, requests: number): Promise<Figure> {
  const { latencyMs, slots } = SERVER
  let repeated = 0
  const client = createOpenAiProvider({ baseUrl, apiKey: NO_KEY, model: 'bench', timeoutMs: 60_000 })
  const gate = createEndpointGate(slots)
  const provider = retrying(client, { attempts: 4, firstDelayMs: 1000, gate, until: never })
  const startedAt = performance.now()
  await makeAll(planOf(requests), provider, {
    concurrency: slots,
    async onAnswered({ completion }) {
      if (completion.kind !== 'answered') throw new Error(`no answer: ${JSON.stringify(completion)}`)
      repeated += completion.failedRequests?.length ?? 0
      return null
    },
  })
  const tookMs = performance.now() - startedAt
  const leastMs = Math.ceil(requests / slots) * latencyMs
  return {
    what: `${requests} requests to an endpoint of ${latencyMs} ms and ${slots} slots, less 1 s, to the least time`,
    ratio: times((tookMs - 1000) / leastMs),
    aim: 'at most 1.10 x',
    note: `${(tookMs / 1000).toFixed(2)} s, at least ${(leastMs / 1000).toFixed(2)} s; ${repeated} requests repeated`,
  }
}

/** Heap after collection, at its highest over ten looks during each run, over answers of a script. */
async function benchMemory(): Promise<readonly Figure[]> {
  const scripted = createScriptedProvider(
    'bench',
    JSON.stringify({
      rules: [{ answer: 'x'.repeat(1500), usage: { promptTokens: 900, completionTokens: 400 }, 'cost-usd': 0.0001 }],
    }),
  )
  await highestHeap(scripted, 1000)
  const heaps: number[] = []
  for (const attempts of ATTEMPTS) heaps.push(await highestHeap(scripted, attempts))
  const [first = Number.NaN] = heaps
  const megabytes = heaps.map((bytes, index) => `${ATTEMPTS[index]}: ${(bytes / 2 ** 20).toFixed(1)} MiB`)
  return ATTEMPTS.slice(1).map((attempts, index) => ({
    what: `heap during ${attempts} attempts to that during ${ATTEMPTS[0]}`,
    ratio: times((heaps[index + 1] ?? Number.NaN) / first),
    aim: 'flat',
    ...(attempts === ATTEMPTS.at(-1)
      ? { note: `${megabytes.join(', ')}; resident ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MiB` }
      : {}),
  }))
}

async function highestHeap(provider: Provider, attempts: number): Promise<number> {
  let answered = 0
  let highest = 0
  await makeAll(planOf(attempts), provider, {
    concurrency: 8,
    async onAnswered() {
      answered += 1
      if (answered % (attempts / 10) !== 0) return null
      collectGarbage()
      highest = Math.max(highest, process.memoryUsage().heapUsed)
      return null
    },
  })
  return highest
}

async function makeAll(plan: Plan, provider: Provider, rest: Pick<GenerateDeps, 'concurrency' | 'onAnswered'>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'vox-bench-'))
  const journal = openJournal(path.join(folder, 'attempts.jsonl'))
  try {
    await generate(plan, {
      providers: new Map([['bench', provider]]),
      ledger: createLedger(1e6),
      journal,
      signal: never,
      deadline: null,
      stopAsking: () => {},
      requestsPerSample: 4,
      ...rest,
    })
  } finally {
    journal.close()
    await rm(folder, { recursive: true })
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

function planOf(attempts: number): Plan {
  const ids = Array.from({ length: FIXTURES }, (_, index) => String(index + 1).padStart(3, '0'))
  return {
    tool: { name: 'vox-efficacy', version: '0.0.0' },
    corpus: {
      name: 'bench',
      hash: '',
      split: 'held-out',
      total: FIXTURES,
      heldOut: FIXTURES,
      warnings: [],
      origin: '',
    },
    fixtures: ids.map((id) => ({
      id,
      title: id,
      difficulty: 'easy',
      tags: [],
      family: null,
      trainingEligible: false,
      addedAt: '2026-01-01',
      assertions: 1,
      hasDomain: false,
      hash: id,
    })),
    excluded: [],
    catalogue: null,
    subjects: [
      {
        id: 'bench',
        model: 'bench',
        checkpoint: null,
        harness: 'bench',
        hasFixTurn: false,
        sampling: { temperature: 0, topP: null, maxTokens: 1000, reasoningEffort: null },
        endpoint: 'http://127.0.0.1',
        served: null,
        trainingData: null,
        recording: null,
        contextTokens: null,
        cutoff: { date: null, source: 'not declared' },
        price: {
          promptUsdPerM: 1,
          completionUsdPerM: 2,
          cachedPromptUsdPerM: null,
          cacheWriteUsdPerM: null,
          requestUsd: null,
          source: 'bench',
        },
      },
    ],
    conditions: [{ name: 'C0', text: '', tokens: 0, hash: '', sections: [] }],
    cells: [{ id: 'bench C0', subject: 'bench', condition: 'C0' }],
    prompts: ids.map((fixture) => ({
      fixture,
      condition: 'C0',
      system: 'You write Vox.',
      user: `${fixture} ${'x'.repeat(3000)}`,
      hash: fixture,
    })),
    samples: attempts / FIXTURES,
    k: [1],
    seed: 1,
    caps: { runUsd: 1e6, monthUsd: null },
    versions: { template: 1, extraction: 1, policy: 1, composition: 1, feedback: 1 },
    purpose: 'run',
  }
}
