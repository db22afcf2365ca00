import type { Capabilities } from './capabilities.ts'
import { exceedBudget, exceedMemory, Halt } from './ending.ts'
import { measureFrames, SLOT_BYTES } from './memory.ts'
import type { FnValue, Frame, Value } from './value.ts'
import { Signal } from './value.ts'

/** Everything a run changes as it goes. */
export interface Machine {
  steps: number
  readonly stepLimit: number
  /** Applied functions in progress, `main` not counted. */
  depth: number
  readonly depthLimit: number
  /** Activations by depth, `main` at 0; those above `depth` are stale. */
  readonly frames: Frame[]
  readonly memoryBytes: number
  /** Bytes charged since the last measurement, on top of what was alive then. */
  chargedBytes: number
  /** What is alive is measured again when `chargedBytes` passes this. */
  chargeLimitBytes: number
  /** Before this step nothing is measured, so that all measuring together costs no more than the steps do. */
  measureFromStep: number
  readonly capabilities: Capabilities
  /** What the program put on stderr, up to a bound. */
  stderr: string
  readonly write: (text: string) => boolean
}

const MAX_STDERR = 65_536
/** V8's bound on a string, in UTF-16 units. */
const MAX_TEXT = 0x1fffffe8

/** Counts one evaluated node or statement. */
export function step(machine: Machine): void {
  if (++machine.steps >= machine.stepLimit) exceedBudget()
}

/** Sends text to the program's stdout. */
export function print(machine: Machine, text: string): void {
  if (!machine.write(text)) throw new Halt({ kind: 'output-limit' })
}

export function printError(machine: Machine, text: string): void {
  if (machine.stderr.length < MAX_STDERR) machine.stderr += text.slice(0, MAX_STDERR)
}

/**
 * Accounts for `bytes` about to be allocated. Garbage is charged too, so once the charges pass the limit
 * the values in reach are measured, and only those count from then on. A shared string is charged once but
 * measured wherever it is held, so a program without much garbage may hold one as often as it likes.
 */
export function charge(machine: Machine, bytes: number): void {
  machine.chargedBytes += bytes
  if (machine.chargedBytes > machine.chargeLimitBytes) settle(machine, bytes)
}

/** Accounts for a string of `length` UTF-16 units. */
export function chargeText(machine: Machine, length: number): void {
  if (length > MAX_TEXT) exceedMemory()
  charge(machine, length)
}

function settle(machine: Machine, pendingBytes: number): void {
  const { memoryBytes } = machine
  if (pendingBytes > memoryBytes) exceedMemory()
  if (machine.steps >= machine.measureFromStep) {
    const alive = measureFrames(machine.frames, machine.depth, memoryBytes)
    if (alive.bytes + pendingBytes > memoryBytes) exceedMemory()
    machine.chargedBytes = alive.bytes + pendingBytes
    // What is allocated in the meantime, the heap limit of the thread has to bound.
    machine.measureFromStep = machine.steps + alive.visits
  }
  machine.chargeLimitBytes = Math.max(memoryBytes, machine.chargedBytes + memoryBytes / 4)
}

/**
 * Calls `fn`; extra arguments are dropped, missing ones stay unbound. A list among `args` must be fresh
 * or marked as shared: the body may change its parameters in place.
 */
export function apply(machine: Machine, fn: FnValue, args: readonly Value[]): Value {
  const frame = openFrame(machine, fn)
  const count = Math.min(args.length, fn.prototype.paramCount)
  for (let at = 0; at < count; at++) frame[at] = args[at]
  return enter(machine, fn, frame)
}

/** Frames this small cost no more than the code that makes them. */
const SMALL_FRAME = 64

/** An empty activation of `fn`. */
export function openFrame(machine: Machine, fn: FnValue): Frame {
  const { frameSize } = fn.prototype
  if (frameSize > SMALL_FRAME) charge(machine, frameSize * SLOT_BYTES)
  return new Array(frameSize)
}

/** Runs the body of `fn` in a frame that holds its arguments. */
export function enter(machine: Machine, fn: FnValue, frame: Frame): Value {
  const { prototype, captured } = fn
  const { captureSlots } = prototype
  for (let at = 0; at < captureSlots.length; at++) frame[captureSlots[at] as number] = captured[at]
  if (++machine.depth > machine.depthLimit) exceedBudget()
  machine.frames[machine.depth] = frame
  const value = prototype.body(frame)
  machine.depth--
  return value instanceof Signal && value.kind === 'return' ? value.inner : value
}
