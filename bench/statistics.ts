import { spawnSync } from 'node:child_process'
import { computePower } from '../src/stats/power.ts'
import { createRandom } from '../src/stats/random.ts'
import { resampleSums, tabulateUnits } from '../src/stats/resampling.ts'
import type { Figure } from './figure.ts'
import { median } from './figure.ts'

const ROWS = 8
const FIXTURES = 338
const SAMPLES = 10
const RESAMPLES = 10_000
const WARM_UPS = 3
const ROUNDS = 7
const NEEDS = 'skipped: STATS_PYTHON must name a Python with numpy and scipy'

/** As people write it: indices drawn at once, shared by all rows, means taken row by row. */
const NUMPY_BOOTSTRAP = `
import numpy as np
rng = np.random.default_rng(1)
rows = rng.integers(0, ${SAMPLES + 1}, (${ROWS}, ${FIXTURES})) / ${SAMPLES}
def work():
    drawn = rng.integers(0, ${FIXTURES}, (${RESAMPLES}, ${FIXTURES}))
    return np.stack([np.take(row, drawn).mean(axis=1) for row in rows])
`

/** The chance of a rejection given the discordant pairs, averaged over them, all in vectors. */
const SCIPY_POWER = `
import numpy as np
from scipy import stats
def power(n, gap, m, alpha):
    pairs = np.arange(n + 1)
    critical = stats.binom.ppf(alpha / 2, pairs, 0.5)
    critical = np.where(2 * stats.binom.cdf(critical, pairs, 0.5) <= alpha, critical, critical - 1)
    share = m / (2 * m + gap)
    detected = stats.binom.cdf(critical, pairs, share) + stats.binom.cdf(critical, pairs, 1 - share)
    return float(np.sum(stats.binom.pmf(pairs, n, 2 * m + gap) * detected))
def work():
    return [power(n, 0.1, m, 0.05) for n in NUMBERS for m in DISCORDANCES]
`
const NUMBERS = [31, 60, 122, 208, 338, 500, 750, 1000]
const DISCORDANCES = [0.025, 0.05, 0.075, 0.15]

/** How the statistics compare with numpy and scipy, in the same minute and equally warm. */
export function bench(): readonly Figure[] {
  const random = createRandom(1)
  const rows = Array.from({ length: ROWS }, () =>
    Array.from({ length: FIXTURES }, () => random.drawBelow(SAMPLES + 1) / SAMPLES),
  )
  let checksum = 0
  const bootstrap = compare(NUMPY_BOOTSTRAP, () => {
    resampleSums(tabulateUnits(rows), { resamples: RESAMPLES, random }, (sums) => {
      checksum += sums[0] as number
    })
  })
  const power = compare(
    `${SCIPY_POWER}\nNUMBERS = ${JSON.stringify(NUMBERS)}\nDISCORDANCES = ${JSON.stringify(DISCORDANCES)}\n`,
    () => {
      for (const n of NUMBERS) {
        for (const discordance of DISCORDANCES) checksum += computePower({ n, gap: 0.1, discordance, alpha: 0.05 })
      }
    },
  )
  if (!Number.isFinite(checksum)) throw new Error('the work was not done')
  return [
    figure(`${RESAMPLES} resamples of ${FIXTURES} fixtures for ${ROWS} rows, to numpy`, bootstrap),
    figure(`exact power for ${NUMBERS.length * DISCORDANCES.length} designs up to n = 1000, to scipy`, power),
  ]
}

type Compared = { readonly ours: number; readonly theirs: number | null }

/** Rounds take turns, so that both meet the same load; each process makes its own warm-ups before the rounds it times. */
function compare(python: string, work: () => void): Compared {
  const ours: number[] = []
  const theirs: number[] = []
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) work()
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(timeOf(work))
    const taken = timePython(python)
    if (taken !== null) theirs.push(taken)
  }
  return { ours: median(ours), theirs: theirs.length === 0 ? null : median(theirs) }
}

function timeOf(work: () => void): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

/** Milliseconds of one round in a process of its own, start-up, imports and warm-ups apart; null without a Python. */
function timePython(setUp: string): number | null {
  const python = process.env.STATS_PYTHON
  if (!python) return null
  const program = `import time\n${setUp}
for _ in range(${WARM_UPS}): work()
started = time.perf_counter()
work()
print((time.perf_counter() - started) * 1000)`
  const { status, stdout, stderr } = spawnSync(python, ['-c', program], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${python} failed: ${stderr}`)
  return Number(stdout)
}

function figure(what: string, { ours, theirs }: Compared): Figure {
  return theirs === null
    ? { what, ratio: NEEDS, note: `${ours.toFixed(1)} ms` }
    : {
        what,
        ratio: `${(ours / theirs).toPrecision(2)} x`,
        aim: 'at most 1 x',
        note: `${ours.toFixed(1)} ms to ${theirs.toFixed(1)} ms`,
      }
}
