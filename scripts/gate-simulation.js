// Simulates the gate, one pull request after the other: over shares of passed samples, where what decides is drawn from a
// declared model, and over whole reports. The figures stand in docs/statistics.md.
//   node scripts/gate-simulation.js [PULL_REQUESTS]
// The default of 10,000 takes about ten minutes on an idle machine.
import { withSources } from './with-sources.js'

const pullRequests = Number(process.argv[2] ?? 10_000)
if (!(Number.isInteger(pullRequests) && pullRequests >= 1)) {
  console.error('PULL_REQUESTS must be a whole number of at least 1')
  process.exit(2)
}
const single = [{ kind: 'single' }]
const pushes = Array.from({ length: 3 }, (_, index) => ({ kind: 'push', j: index + 1 }))
const simulations = [
  ['nothing worse, one sample', { samples: 1, loss: 0, looks: single }],
  ['nothing worse, one sample, further draws', { samples: 1, loss: 0, looks: single, hasDraws: true }],
  ['nothing worse, five samples', { samples: 5, loss: 0, looks: single }],
  ['nothing worse, one sample, three pushes', { samples: 1, loss: 0, looks: pushes }],
  ['ten points worse, one sample', { samples: 1, loss: 0.3, looks: single }],
  ['ten points worse, five samples', { samples: 5, loss: 0.3, looks: single }],
]

const files = [
  'test/compare/report-simulation.ts',
  'src/stats/gate.ts',
  'src/stats/population.ts',
  'src/stats/random.ts',
]

await withSources(files, async ({ simulatePullRequests }, ...modules) => {
  simulateShares(Object.assign({}, ...modules))
  console.log(`| ${pullRequests} pull requests over 40 problems | regressed | improved | changed by draws |`)
  console.log('| --- | --- | --- | --- |')
  for (const [name, settings] of simulations) {
    const result = await simulatePullRequests({ fixtures: 40, hasDraws: false, pullRequests, seed: 11, ...settings })
    const { regressed, improved, changedByDraws } = result
    console.log(`| ${name} | ${percent(regressed)} | ${percent(improved)} | ${changedByDraws} |`)
  }
})

/**
 * False alarms and detections over problems drawn from a model, and what they would be if the cautious interval had to lie
 * on the same side of 0 as well.
 */
function simulateShares({ decideGate, createRandom, tabulatePopulation }) {
  const model = (gap) => tabulatePopulation({ rate: 0.6, gap, concentration: 1, shiftSpread: 1 })
  const designs = [
    ['31 problems, 5 samples', { n: 31, samples: 5, family: 1 }],
    ['40 problems, 5 samples', { n: 40, samples: 5, family: 1 }],
    ['40 problems, 10 samples', { n: 40, samples: 10, family: 1 }],
    ['70 problems, 10 samples', { n: 70, samples: 10, family: 1 }],
    ['20 families of 3, 1 sample', { n: 60, samples: 1, family: 3 }],
    ['31 families of 4, 1 sample', { n: 124, samples: 1, family: 4 }],
    ['20 families of 2, 5 samples', { n: 40, samples: 5, family: 2 }],
  ]
  const effects = [
    ['no change', model(0)],
    ['10 points worse', model(-0.1)],
    ['15 points worse', model(-0.15)],
    ['1 in 20 problems lost, the rest a little gained', skewed()],
  ]
  console.log('| design | change | regressed | improved | either, with the interval as well |')
  console.log('| --- | --- | --- | --- | --- |')
  for (const [design, settings] of designs) {
    for (const [effect, population] of effects) {
      const random = createRandom(9)
      const count = { regressed: 0, improved: 0, both: 0 }
      for (let request = 0; request < pullRequests; request++) {
        const { samples } = settings
        const options = { alpha: 0.05, margin: 0.1, look: single[0], samples, seed: request, resamples: 100 }
        const { kind, interval } = decideGate(drawFixtures(population, settings, random), options)
        if (kind !== 'regressed' && kind !== 'improved') continue
        count[kind] += 1
        if (interval.high < 0 || interval.low > 0) count.both += 1
      }
      const cells = [count.regressed, count.improved, count.both].map(percent)
      console.log(`| ${[design, effect, ...cells].join(' | ')} |`)
    }
  }
}

/** No mean difference, and yet no symmetry: what the sign-flip test supposes does not hold. */
function skewed() {
  const base = Float64Array.from({ length: 20 }, (_, kind) => (kind === 0 ? 0.98 : 0.5))
  return { base, head: base.map((chance, kind) => (kind === 0 ? chance - 0.95 : chance + 0.05)) }
}

function drawFixtures({ base, head }, { n, samples, family }, random) {
  const share = (chance) => {
    let passed = 0
    for (let sample = 0; sample < samples; sample++) if (random.drawUnit() < chance) passed += 1
    return passed / samples
  }
  let kind = 0
  return Array.from({ length: n }, (_, index) => {
    if (index % family === 0) kind = random.drawBelow(base.length)
    const name = family === 1 ? null : `family ${Math.floor(index / family)}`
    return { base: share(base[kind]), head: share(head[kind]), family: name }
  })
}

function percent(count) {
  return `${((100 * count) / pullRequests).toFixed(2)} %`
}
