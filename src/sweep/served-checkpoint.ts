import { BenchError } from '../bench-error.ts'
import { fillServeCommand, readServeCommand } from '../config/serve-command.ts'
import type { SubjectOptions, SweepConfig } from '../config/sweep-config.ts'
import { atExit } from '../engine/at-exit.ts'
import type { Subject } from '../generate/plan.ts'
import { startModelServer } from '../models/model-server.ts'
import { createOpenAiProvider, NO_KEY } from '../models/openai-provider.ts'
import { storing } from '../models/response-store.ts'
import { retrying } from '../models/retrying-provider.ts'
import { createServedModel, type ServedModel, type ServedModelOptions } from '../models/served-model.ts'
import type { OpenSubject } from './asking.ts'
import { contestantOf } from './contestant.ts'
import {
  changedCheckpoint,
  type FoundCheckpoint,
  findMensCheckpoint,
  type KnownWeights,
  wordChange,
} from './find-checkpoint.ts'
import type { Serving } from './serving.ts'

/**
 * A checkpoint on this machine, behind the command of its subject, which runs while the checkpoint is asked.
 * @throws BenchError as `findMensCheckpoint`; `start` throws `infra/serve` when the first server of a run does not
 *   become ready.
 */
export async function openServed(
  options: SubjectOptions,
  config: SweepConfig,
  weights: KnownWeights,
): Promise<OpenSubject> {
  const { model = '', checkpoint: label = null } = options
  const checkpoint = await findMensCheckpoint(config['mens-runs'], model, label, weights)
  const contestant = contestantOf({ ...options, checkpoint: checkpoint.name }, config, {
    model,
    harness: options.harness ?? 'vox-harness',
    endpoint: 'http://127.0.0.1',
    served: { command: options['mens-serve'] ?? '', weights: checkpoint.weights },
  })
  const { subject } = contestant
  let close = async () => {}
  return {
    ...contestant,
    start: async (_prompts, { gateOf, unanswered, serving }) => {
      // Before the first wait: all subjects start at once, and which is the first must not depend on how long each takes.
      if (unanswered.has(subject.id)) serving.first ??= subject.id
      const changed = await checkpoint.change()
      if (changed !== null) throw changedCheckpoint(checkpoint.folder, changed)
      const { until, warn } = serving
      const gate = gateOf(`served ${subject.id}`)
      const served = createServedCheckpoint(subject, checkpoint, serving, (provider) =>
        retrying(provider, { attempts: config.retries + 1, firstDelayMs: 1000, gate, until }),
      )
      close = served.stop
      // Found out for every run with served models, not only when the second of them is asked.
      await serving.isolation()
      if (serving.first === subject.id) await startFirst(subject, served)
      const folder = config['response-store']
      if (folder === undefined) return served.provider
      return storing(served.provider, {
        folder,
        // In place of a port that is another each time.
        baseUrl: JSON.stringify(subject.served),
        model,
        checkpoint: subject.checkpoint,
        isFresh: config.fresh,
        warn,
      })
    },
    close: () => close(),
  }
}

function createServedCheckpoint(
  { id, model, served }: Subject,
  { folder, name, change }: FoundCheckpoint,
  serving: Serving,
  around: ServedModelOptions['around'],
): ServedModel {
  const read = readServeCommand(served?.command ?? '')
  if (read.kind === 'problem') throw new Error(`the command that serves ${id} ${read.message}`)
  const { slot, env, until, cancelled, readyMs, timeoutMs, warn } = serving
  return createServedModel({
    model,
    slot,
    async whyUnfit() {
      const changed = await change()
      return changed === null ? null : `the ${wordChange(folder, changed)}`
    },
    startServer: async (signal) =>
      startModelServer({
        commandFor: (port) =>
          fillServeCommand(read.words, { path: folder, port: String(port), model, checkpoint: name }),
        env,
        isolate: await serving.isolation(),
        atExit,
        readyMs,
        model,
        signal,
      }),
    createProvider: (server) =>
      createOpenAiProvider({ baseUrl: server.baseUrl, apiKey: NO_KEY, model: server.model, timeoutMs }),
    around,
    until,
    cancelled,
    warn: (text) => warn(`${id}: ${text}`),
  })
}

/** Starts the server of the first subject that wants one. */
async function startFirst({ id }: Subject, served: ServedModel): Promise<void> {
  const failure = await served.start()
  if (failure === null) return
  throw new BenchError({
    code: 'infra/serve',
    message: `${id} cannot be served: ${failure}`,
    hint: 'Run the command by hand; docs/mens.md says what a server must do and what its output means.',
  })
}
