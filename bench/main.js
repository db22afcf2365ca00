// Measures speed, as ratios taken in one run; never in CI. `npm run bench [-- verify|steps|startup|requests|statistics]`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const parts = ['verify', 'steps', 'startup', 'requests', 'statistics']
const wanted = process.argv[2] === undefined ? parts : process.argv.slice(2)
const unknown = wanted.filter((name) => !parts.includes(name))
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}; there are: ${parts.join(', ')}`)
  process.exit(2)
}

mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const folder = mkdtempSync(join(root, 'node_modules/.cache/bench-'))
try {
  const bundle = await rolldown({
    cwd: root,
    input: {
      ...Object.fromEntries(wanted.map((name) => [name, `bench/${name}.ts`])),
      'embedded-worker': 'src/engine/embedded-worker.ts',
      'steps-child': 'bench/steps-child.ts',
      'latency-server': 'bench/latency-server.ts',
    },
    platform: 'node',
  })
  await bundle.write({ dir: folder, format: 'esm' })
  await bundle.close()
  console.log(`Node ${process.version} on ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`)
  for (const name of wanted) {
    const { bench } = await import(pathToFileURL(join(folder, `${name}.js`)).href)
    console.log(`\n${name}`)
    for (const { what, ratio, aim, note } of await bench({ root, folder })) {
      console.log(
        `  ${what}: ${ratio}${aim === undefined ? '' : `  (aim: ${aim})`}${note === undefined ? '' : `\n      ${note}`}`,
      )
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
