import { plainText } from '../report/plain-text.ts'
import { VERSION } from '../version.ts'
import { variableOf } from './input-variable.ts'

const mode = process.env[variableOf('mode')] || 'all'
console.log(plainText(`vox-efficacy ${VERSION}: mode ${mode}, event ${process.env.GITHUB_EVENT_NAME || 'none'}`))
// After the first line: the rest takes several times as long to load as Node to start.
const { runAction } = await import('./run-action.ts')
await runAction(process.env)
// Sockets that a library keeps open must not keep the job.
setTimeout(() => process.exit(), 3000).unref()
