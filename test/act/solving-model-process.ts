// The solving model as a MENS server: solving-model-process.ts --corpus DIR --weights FILE --port N. Node 24 takes the types away.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startSolvingModel, type Weights } from './solving-model.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: '' },
    weights: { type: 'string', default: '' },
    port: { type: 'string', default: '0' },
  },
})
const weights: Weights = JSON.parse(readFileSync(values.weights, 'utf8'))
await startSolvingModel(values.corpus, () => weights, { port: Number(values.port) })
