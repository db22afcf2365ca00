import { atExit } from '../../src/engine/at-exit.ts'
import { chooseServerIsolation } from '../../src/engine/server-isolation.ts'
import { startModelServer } from '../../src/models/model-server.ts'

/** Starts a server, tells where it is, and stays until it is killed or told to exit. Arguments: whether isolated, then those of the server. */
const [isIsolated, ...server] = process.argv.slice(2)
const env = { PATH: process.env.PATH ?? '' }
const isolation = isIsolated === 'true' ? await chooseServerIsolation(env) : null
const started = await startModelServer({
  commandFor: (port) => [process.execPath, ...server, '--port', String(port)],
  env,
  isolate: isolation?.kind === 'process namespace' ? isolation.wrap : (command) => command,
  atExit,
  readyMs: 20_000,
  stopMs: 1000,
  model: 'mens/nova',
  signal: new AbortController().signal,
})
if (started.kind !== 'ready') throw new Error(JSON.stringify(started))
process.on('message', () => process.exit(0))
process.send?.({ baseUrl: started.server.baseUrl })
