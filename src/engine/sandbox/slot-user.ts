import { readFileSync } from 'node:fs'

/** Above the ids that systems give to accounts, and below 65,536, which is all that a container may have. */
const CONTAINER_FIRST = 60_578
/** Far above the ids that systems give to accounts, services and containers. */
const HOST_FIRST = 0x6000_0000
const SLOTS = 256
const MAX_PID = 4_194_304

/**
 * The user a slot's programs run as when the harness is root: not root, whom the limit on processes does not hold, and one for each
 * slot of each harness, because that limit counts all processes of a user. In a container that has few ids two harnesses share them.
 */
export function slotUser(slot: number): number {
  return firstUser + slot
}

/** The first id for a harness of number `pid`, given the text of /proc/self/uid_map. */
export function firstUserOf(pid: number, uidMap: string): number {
  const [first, , count] = uidMap.trim().split(/\s+/).map(Number)
  const isWhole = first === 0 && count !== undefined && count >= HOST_FIRST + MAX_PID * SLOTS
  return isWhole ? HOST_FIRST + (pid % MAX_PID) * SLOTS : CONTAINER_FIRST
}

const firstUser = firstUserOf(process.pid, readUidMap())

function readUidMap(): string {
  try {
    return readFileSync('/proc/self/uid_map', 'utf8')
  } catch {
    return ''
  }
}
