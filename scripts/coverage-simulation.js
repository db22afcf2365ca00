// Simulates how often the intervals for several samples hold the true value; the tables are in docs/statistics.md.
//   node scripts/coverage-simulation.js [REPETITIONS]
// 4,000 repetitions take some minutes; a coverage of 95 % is then known to 0.7 points (two standard errors).
import { withSources } from './with-sources.js'

const repetitions = Number(process.argv[2] ?? 4000)
if (!(Number.isInteger(repetitions) && repetitions >= 1)) {
  console.error('REPETITIONS must be a whole number of at least 1')
  process.exit(2)
}
const ALPHA = 0.05
const RESAMPLES = 1000
const SAMPLES = 10
const UNITS = [20, 31, 60, 122, 208]
const RATES = [0.05, 0.3, 0.5, 0.9, 0.97]
const modules = [
  'random',
  'population',
  'multi-sample-interval',
  'paired-interval',
  'permutation',
  'sign-flip-interval',
  'max-t',
]

const files = modules.map((name) => `src/stats/${name}.ts`)

await withSources(files, (...loaded) => {
  const stats = Object.assign({}, ...loaded)
  const random = stats.createRandom(2026)
  printRates(stats, random)
  printDifferences(stats, random, 'the cautious interval', ({ surroundDifference }, values, options) =>
    surroundDifference(values, { ...options, unitsAre: 'means' }),
  )
  printDifferences(stats, random, 'the interval of the test', ({ signFlipInterval, signFlipTest }, values, options) =>
    signFlipInterval(values, { ...options, p: signFlipTest(values, options).p }),
  )
  printSimultaneous(stats, random)
})

function printRates({ surroundRate, tabulatePopulation }, random) {
  const kinds = [
    ['all alike', Number.POSITIVE_INFINITY],
    ['concentration 10', 10],
    ['concentration 2', 2],
    ['concentration 0.5', 0.5],
    ['all or nothing', 0],
  ]
  console.log(`\nRate, ${SAMPLES} samples a fixture\n`)
  printHeader(['fixtures', 'rate'])
  for (const [name, concentration] of kinds) {
    for (const rate of RATES) {
      const model = { rate, gap: 0, concentration, shiftSpread: 0 }
      const chances = concentration === 0 ? null : tabulatePopulation(model).base
      const drawUnit = () =>
        chances === null
          ? Number(random.drawUnit() < rate)
          : drawMean(chances[random.drawBelow(chances.length)], SAMPLES, random)
      const cells = UNITS.map((units) =>
        percentCovered((seed) => {
          const values = Array.from({ length: units }, drawUnit)
          const options = { unitsAre: 'means', alpha: ALPHA, seed, resamples: RESAMPLES }
          return holds(surroundRate(values, options).interval, rate)
        }),
      )
      printRow([name, `${(100 * rate).toFixed(0)} %`], cells)
    }
  }
}

function printDifferences(stats, random, name, surround) {
  console.log(`\nDifference by ${name}, ${SAMPLES} samples a fixture\n`)
  printHeader(['base rate, gap', 'concentration, spread'])
  for (const [rate, gap] of [
    [0.5, 0],
    [0.5, 0.1],
    [0.9, 0.05],
    [0.97, 0],
    [0.03, 0.1],
  ]) {
    for (const [concentration, shiftSpread] of [
      [Number.POSITIVE_INFINITY, 0],
      [2, 0],
      [2, 2],
      [0.3, 0],
      [0.3, 2],
    ]) {
      const { base, head } = stats.tabulatePopulation({ rate, gap, concentration, shiftSpread })
      const drawUnit = () => {
        const kind = random.drawBelow(base.length)
        return drawMean(head[kind], SAMPLES, random) - drawMean(base[kind], SAMPLES, random)
      }
      const cells = UNITS.map((units) =>
        percentCovered((seed) => {
          const values = Array.from({ length: units }, drawUnit)
          return holds(surround(stats, values, { alpha: ALPHA, seed, resamples: RESAMPLES }).interval, gap)
        }),
      )
      const alike = concentration === Number.POSITIVE_INFINITY ? 'all alike' : `${concentration}, ${shiftSpread}`
      printRow([`${100 * rate} %, ${100 * gap}`, alike], cells)
    }
  }
}

function printSimultaneous({ maxTIntervals, tabulatePopulation }, random) {
  const rows = 6
  console.log(`\nAll ${(rows * (rows - 1)) / 2} differences of ${rows} rows together\n`)
  printHeader(['samples', 'rates; concentration, spread'])
  for (const samples of [1, SAMPLES]) {
    for (const [from, to, concentration, shiftSpread] of [
      [0.5, 0.5, 2, 0],
      [0.5, 0.5, 2, 2],
      [0.5, 0.5, 0.3, 1],
      [0.95, 0.95, 2, 1],
      [0.3, 0.7, 2, 1],
      [0.3, 0.7, 0.3, 0],
    ]) {
      const rates = Array.from({ length: rows }, (_, row) => from + ((to - from) * row) / (rows - 1))
      // All shift the same base fixtures; kinds come in blocks of one base rate with 16 shifts.
      const heads = rates.map(
        (rate) => tabulatePopulation({ rate: from, gap: rate - from, concentration, shiftSpread }).head,
      )
      const cells = UNITS.map((units) =>
        percentCovered((seed) => {
          const values = heads.map(() => new Array(units))
          for (let unit = 0; unit < units; unit++) {
            const block = 16 * random.drawBelow(heads[0].length / 16)
            for (const [row, chances] of heads.entries()) {
              values[row][unit] = drawMean(chances[block + random.drawBelow(16)], samples, random)
            }
          }
          const { pairs } = maxTIntervals(values, { alpha: ALPHA, seed, resamples: RESAMPLES })
          return pairs.every(({ first, second, interval }) => holds(interval, rates[first] - rates[second]))
        }),
      )
      const span = from === to ? `${100 * from} %` : `${100 * from} to ${100 * to} %`
      printRow([String(samples), `${span}; ${concentration}, ${shiftSpread}`], cells)
    }
  }
}

function drawMean(chance, samples, random) {
  let passes = 0
  for (let sample = 0; sample < samples; sample++) if (random.drawUnit() < chance) passes += 1
  return passes / samples
}

function holds({ low, high }, truth) {
  // Gaps are differences of decimals: a rounding must not decide.
  return low <= truth + 1e-12 && high >= truth - 1e-12
}

function percentCovered(isCovered) {
  let covered = 0
  for (let repetition = 0; repetition < repetitions; repetition++) if (isCovered(repetition)) covered += 1
  return ((100 * covered) / repetitions).toFixed(1)
}

function printHeader(names) {
  printRow(
    names,
    UNITS.map((units) => `n = ${units}`),
  )
  printRow(
    names.map(() => '---'),
    UNITS.map(() => '---'),
  )
}

function printRow(names, cells) {
  console.log(`| ${[...names, ...cells].join(' | ')} |`)
}
