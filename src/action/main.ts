import { plainText } from '../report/plain-text.ts'
import { VERSION } from '../version.ts'
import { variableOf } from './input-variable.ts'

// What is about to happen, as given: nothing is checked yet, and no input that could hold a secret is told.
const told = ['mode', 'config', 'model', 'engine', 'baseline'].flatMap((name) => {
  const value = process.env[variableOf(name)] ?? ''
  return value === '' ? [] : [`${name} ${value.slice(0, 200)}`]
})
console.log(
  plainText(`vox-efficacy ${VERSION}: ${[...told, `event ${process.env.GITHUB_EVENT_NAME || 'none'}`].join(', ')}`),
)
// After the first line: the rest takes several times as long to load as Node to start.
const { runAction } = await import('./run-action.ts')
await runAction(process.env)
// Sockets that a library keeps open must not keep the job.
setTimeout(() => process.exit(), 3000).unref()
