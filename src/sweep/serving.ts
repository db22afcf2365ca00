import { BenchError } from '../bench-error.ts'
import type { SweepConfig } from '../config/sweep-config.ts'
import { chooseServerIsolation } from '../engine/server-isolation.ts'
import type { ServerOptions } from '../models/model-server.ts'
import { createServerSlot, type ServerSlot } from '../models/server-slot.ts'
import { serverEnvironment } from './server-environment.ts'

/** What the model servers of one run have in common. */
export interface Serving {
  readonly slot: ServerSlot
  readonly env: Readonly<Record<string, string>>
  /** Aborted when no further request may start. */
  readonly until: AbortSignal
  /** Aborted when the run is cancelled. */
  readonly cancelled: AbortSignal
  /** How long a server may take to become ready, and an answer to come. */
  readonly readyMs: number
  readonly timeoutMs: number
  /**
   * How a command is put where it sees no process of ours; found out once.
   * @throws BenchError `infra/serve-isolation` when nothing can and the configuration requires it.
   */
  isolation(): Promise<ServerOptions['isolate']>
  /** The subject whose server is started before anything is asked, so that a wrong command is seen: the first that wants one. */
  first: string | null
  warn(text: string): void
}

/** What the run around them gives its model servers. */
interface Surroundings extends Pick<Serving, 'until' | 'cancelled' | 'warn'> {
  readonly env: NodeJS.ProcessEnv
}

export function createServing(config: SweepConfig, { env, until, cancelled, warn }: Surroundings): Serving {
  const environment = serverEnvironment(env, config)
  let isolation: ReturnType<Serving['isolation']> | null = null
  return {
    slot: createServerSlot(),
    env: environment,
    until,
    cancelled,
    readyMs: config['mens-ready-s'] * 1000,
    timeoutMs: config['request-timeout-s'] * 1000,
    isolation() {
      isolation ??= chooseIsolation(environment, config.sandbox, warn)
      return isolation
    },
    first: null,
    warn,
  }
}

async function chooseIsolation(
  env: Readonly<Record<string, string>>,
  mode: SweepConfig['sandbox'],
  warn: (text: string) => void,
): ReturnType<Serving['isolation']> {
  const isolation = await chooseServerIsolation(env)
  if (isolation.kind === 'process namespace') return isolation.wrap
  const reasons = isolation.reasons.join('; ')
  if (mode === 'require') {
    throw new BenchError({
      code: 'infra/serve-isolation',
      message: `Nothing on this machine keeps a model server from reading the environment of this process, with the keys in it: ${reasons}.`,
      hint: 'Serve the model elsewhere and give its "base-url", or go on without by sandbox "best".',
    })
  }
  if (mode === 'best') {
    warn(
      `model servers can read the environment of this process, with the keys in it, since no process namespace works here: ${reasons}`,
    )
  }
  return (command) => command
}
