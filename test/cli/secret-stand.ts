import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../sweep/small-corpus.ts'
import { type CliResult, startNode } from './cli-process.ts'
import { CANARY_LETTERS, createSearch, findInFolder, findInProcesses, type Secrets } from './secret-search.ts'

/** What JSON, HTML and URLs each write in another way. */
const SPECIAL = 'k"<&é/+=%'
/** Keys as a user may have them in the environment, each drawn for this run. */
export interface Keys extends Secrets {
  /** Given to an endpoint by `--api-key-env`. */
  readonly VOX_CANARY_KEY: string
  /** Given to another endpoint; of letters alone. */
  readonly VOX_CANARY_OTHER: string
}

function drawKeys(): Keys {
  const draw = () => Array.from({ length: 24 }, () => CANARY_LETTERS[randomInt(CANARY_LETTERS.length)]).join('')
  const others = ['OPENROUTER_API_KEY', 'OPENAI_API_KEY', 'VOX_SOURCE_TOKEN', 'GITHUB_TOKEN', 'ACTIONS_RUNTIME_TOKEN']
  return {
    VOX_CANARY_KEY: SPECIAL + draw(),
    VOX_CANARY_OTHER: draw(),
    ...Object.fromEntries(others.map((name) => [name, draw()])),
  }
}

export interface StandOptions {
  /** Whether a find in the environment of a process is as it is meant: git is given the token of the source. */
  readonly isMeant?: (find: string) => boolean
}

/** A folder in which the command line has everything it may write to, an environment full of keys, and a search over all of it. */
export function openSecretStand({ isMeant = () => false }: StandOptions = {}) {
  const root = temporaryFolder()
  const keys = drawKeys()
  const search = createSearch(keys)
  const mark = `BEARS_CANARIES_${randomInt(2 ** 40)}`
  const found = new Set<string>()
  const [home, cache, tmp, work] = ['home', 'cache', 'tmp', 'work'].map((name) => path.join(root, name))
  for (const folder of [home, cache, tmp, work]) mkdirSync(folder ?? '')
  const surroundings = {
    ...{ HOME: home ?? '', XDG_CACHE_HOME: cache ?? '', TMPDIR: tmp ?? '' },
    // The client of the endpoint would tell what it sends.
    OPENAI_LOG: 'debug',
    // What a program looks for that must not be told a key.
    [mark]: '1',
  }
  const results: CliResult[] = []

  function look(bearer: Buffer): void {
    for (const find of findInProcesses(bearer, search)) if (!isMeant(find)) found.add(find)
    for (const find of findInFolder(root, search)) found.add(find)
  }

  return {
    ...{ work: work ?? '', keys, mark },
    /** Everything the processes wrote so far. */
    written: () => results.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
    /** Starts the command line in the folder `work`; files and processes are looked at all the time until it ends. */
    start(script: string, ...args: string[]) {
      const { child, result } = startNode([script, ...args], {
        cwd: work ?? '',
        env: { ...surroundings, ...keys },
      })
      const bearer = Buffer.from(`${[process.execPath, script, ...args].join('\0')}\0`)
      async function watched(): Promise<CliResult> {
        let isOver = false
        const end = result.finally(() => {
          isOver = true
        })
        while (!isOver) {
          look(bearer)
          await Promise.race([sleep(100), end])
        }
        const ended = await end
        results.push(ended)
        for (const find of [...search(ended.stdout), ...search(ended.stderr)])
          found.add(`output of ${args[0]}: ${find}`)
        return ended
      }
      return { child, result: watched() }
    },
    /** All that was found in the output and arguments of commands, in processes, and in files, also in those that are gone. */
    leaks(): readonly string[] {
      look(Buffer.of())
      return [...found].toSorted()
    },
  }
}
