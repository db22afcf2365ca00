import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DefaultArtifactClient } from '@actions/artifact'
import { restoreCache, saveCache } from '@actions/cache'
import { getInput, notice, setOutput, setSecret, summary } from '@actions/core'

const { shard, cache, collect, key } = Object.fromEntries(
  ['shard', 'cache', 'collect', 'key'].map((name) => [name, getInput(name)]),
)
if (key) setSecret(key)
console.log(`the key is ${key}`)
setOutput('node', process.version)
await summary.addRaw(`# Probe ${shard}\n\n| a | b |\n`).write()
notice(`probe ${shard}`)
const client = new DefaultArtifactClient()
const folder = path.join(process.env.RUNNER_TEMP ?? '', 'probe')
mkdirSync(folder, { recursive: true })
if (shard) {
  const file = path.join(folder, `${shard}.txt`)
  writeFileSync(file, `from ${shard}`)
  await client.uploadArtifact(`probe-${shard}`, [file], folder)
}
if (collect) {
  const { artifacts } = await client.listArtifacts()
  for (const { id } of artifacts) await client.downloadArtifact(id, { path: collect })
  setOutput('collected', readdirSync(collect).sort().join())
}
if (cache) {
  const found = await restoreCache([cache], `probe-${cache}`)
  setOutput('cached', found !== undefined)
  if (found === undefined) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(path.join(cache, 'kept.txt'), 'kept')
    await saveCache([cache], `probe-${cache}`)
  }
}
if (process.env.PROBE_WAITS) {
  process.once('SIGINT', () => {
    setOutput('cached', 'cancelled')
    console.log('asked to end')
    process.exit(130)
  })
  console.log('waiting')
  setInterval(() => {}, 1000)
}
