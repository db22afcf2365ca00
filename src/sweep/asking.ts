import type { Prompt } from '../generate/plan.ts'
import type { EndpointGate } from '../models/endpoint-gate.ts'
import type { Provider } from '../models/provider.ts'
import type { Contestant } from './build-plan.ts'
import type { Serving } from './serving.ts'

/** A subject with what it takes to ask it. */
export interface OpenSubject extends Contestant {
  /** Called once all prompts are known; the provider it gives lives until `close`. */
  start(prompts: readonly Prompt[], asking: Asking): Promise<Provider>
  close(): Promise<void>
}

/** What the subjects of a run that ask endpoints have in common. */
export interface Asking {
  /** One and the same for all subjects of an endpoint. */
  gateOf(endpoint: string): EndpointGate
  /** Aborted when no further request may start. */
  readonly until: AbortSignal
  /** Ids of the subjects that are surely asked; the others' first answers are all kept from before. */
  readonly unanswered: ReadonlySet<string>
  /** Where answers to paid requests are kept unless the configuration names a folder; null for nowhere. */
  readonly responseStore: string | null
  /** For models that the run serves itself. */
  readonly serving: Serving
  warn(text: string): void
}
