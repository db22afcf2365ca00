import { expect, test } from 'vitest'
import { decideGate, type GateDecision, type GateFixture, type GateOptions, type Look } from '../../src/stats/gate.ts'
import { clopperPearson } from '../../src/stats/intervals.ts'
import { tabulatePopulation } from '../../src/stats/population.ts'
import { computePower } from '../../src/stats/power.ts'
import { createRandom, type Random } from '../../src/stats/random.ts'
import { simulatePower } from '../../src/stats/simulated-power.ts'

const PULL_REQUESTS = 10_000
const ALPHA = 0.05
const SINGLE: Look = { kind: 'single' }

type Kind = GateDecision['kind']

/** Few resamples: no alarm depends on the intervals, only whether a loss is excluded. */
function gateOptions(look: Look, samples = 1): GateOptions {
  return { alpha: ALPHA, margin: 0.1, look, samples, seed: 1, resamples: 100 }
}

/** The gate over n outcomes depends on how many only BASE passes and how many only HEAD: asked once for each. */
function rememberGate(n: number): (lost: number, gained: number, look: Look) => Kind {
  const known = new Map<string, Kind>()
  return (lost, gained, look) => {
    const key = `${lost} ${gained} ${JSON.stringify(look)}`
    const kind = known.get(key) ?? decideGate(outcomes(lost, gained, n), gateOptions(look)).kind
    known.set(key, kind)
    return kind
  }
}

function outcomes(lost: number, gained: number, n: number): GateFixture[] {
  return Array.from({ length: n }, (_, index) => ({
    base: index < lost ? 1 : 0,
    head: index >= lost && index < lost + gained ? 1 : 0,
    family: null,
  }))
}

/** How many of n problems only BASE passes, and only HEAD. */
function drawDiscordant(n: number, lost: number, gained: number, random: Random): [number, number] {
  let [b, c] = [0, 0]
  for (let problem = 0; problem < n; problem++) {
    const at = random.drawUnit()
    if (at < lost) b += 1
    else if (at < lost + gained) c += 1
  }
  return [b, c]
}

function isAlarm(kind: Kind): boolean {
  return kind === 'regressed' || kind === 'improved'
}

/** Asserts that a true rate of ALPHA or less is shown: the upper bound of the simulation, exact, of one error in 1,000. */
function expectAtMostAlpha(alarms: number): void {
  expect(clopperPearson(alarms, PULL_REQUESTS, 0.002)?.high).toBeLessThanOrEqual(ALPHA)
}

/**
 * Where the true rate may be alpha itself, no simulation shows that it is not above: what is asserted is that the
 * simulation does not contradict it, by the exact lower bound of one error in 1,000.
 */
function expectNotAboveAlpha(alarms: number): void {
  expect(clopperPearson(alarms, PULL_REQUESTS, 0.002)?.low).toBeLessThanOrEqual(ALPHA)
}

test.each([
  [31, 0.025],
  [31, 0.075],
  [122, 0.05],
  [207, 0.075],
  [338, 0.2],
])('A/A over %i problems, %d lost and as many gained: false alarms stay at alpha', (n, discordance) => {
  const random = createRandom(1000 + n)
  const gate = rememberGate(n)
  let alarms = 0
  for (let request = 0; request < PULL_REQUESTS; request++) {
    if (isAlarm(gate(...drawDiscordant(n, discordance, discordance, random), SINGLE))) alarms += 1
  }
  expectAtMostAlpha(alarms)
})

test('A/A over ten pushes to each pull request: alpha holds for all ten together', () => {
  const random = createRandom(2)
  const gate = rememberGate(207)
  const looks = Array.from({ length: 10 }, (_, index): Look => ({ kind: 'push', j: index + 1 }))
  let alarms = 0
  let naive = 0
  for (let request = 0; request < PULL_REQUESTS; request++) {
    const pushes = looks.map(() => drawDiscordant(207, 0.1, 0.1, random))
    if (pushes.some(([b, c], index) => isAlarm(gate(b, c, looks[index] ?? SINGLE)))) alarms += 1
    if (pushes.some(([b, c]) => isAlarm(gate(b, c, SINGLE)))) naive += 1
  }
  expectAtMostAlpha(alarms)
  // Without a correction the same pushes cry wolf in more than every fourth pull request.
  expect(naive / PULL_REQUESTS).toBeGreaterThan(0.25)
})

test('A/A over 52 scheduled runs: alpha holds for the whole year', () => {
  const random = createRandom(3)
  const gate = rememberGate(207)
  const look: Look = { kind: 'scheduled', horizon: 52 }
  let alarms = 0
  for (let year = 0; year < PULL_REQUESTS; year++) {
    let isHeard = false
    for (let run = 0; run < 52; run++) {
      if (isAlarm(gate(...drawDiscordant(207, 0.1, 0.1, random), look))) isHeard = true
    }
    if (isHeard) alarms += 1
  }
  expectAtMostAlpha(alarms)
}, 120_000)

type Chances = { readonly base: ArrayLike<number>; readonly head: ArrayLike<number> }

/** Passes of two rows, whose chances are drawn alike, over `samples` draws; `shared` fixtures have their chances in common. */
function drawFixtures(
  n: number,
  { samples, shared, random }: { readonly samples: number; readonly shared: number; readonly random: Random },
  { base, head }: Chances = alike,
): GateFixture[] {
  const share = (chance: number): number => {
    let passed = 0
    for (let sample = 0; sample < samples; sample++) if (random.drawUnit() < chance) passed += 1
    return passed / samples
  }
  let kind = 0
  return Array.from({ length: n }, (_, index) => {
    if (index % shared === 0) kind = random.drawBelow(base.length)
    const family = shared === 1 ? null : `family ${Math.floor(index / shared)}`
    return { base: share(base[kind] as number), head: share(head[kind] as number), family }
  })
}

/** Two rows whose chances to pass a problem differ, as those of two checkpoints do. */
const MODEL = { rate: 0.6, concentration: 1, shiftSpread: 1 }
const alike = tabulatePopulation({ ...MODEL, gap: 0 })

test.each([
  ['families of three, one sample each', 60, 1, 3],
  ['families of four, one sample each', 124, 1, 4],
  ['five samples', 40, 5, 1],
  ['five samples, and the bootstrap beside the test', 64, 5, 1],
  ['families of two, five samples each', 40, 5, 2],
])('A/A with %s: false alarms stay at alpha', (_, n, samples, shared) => {
  const random = createRandom(4)
  let alarms = 0
  for (let request = 0; request < PULL_REQUESTS; request++) {
    const fixtures = drawFixtures(n, { samples, shared, random })
    if (isAlarm(decideGate(fixtures, gateOptions(SINGLE, samples)).kind)) alarms += 1
  }
  expectNotAboveAlpha(alarms)
})

test('A/A over ten pushes with two samples each: alpha holds for all ten together', () => {
  const random = createRandom(12)
  // Whether there is an alarm does not depend on the order of the problems: asked once for each look at the same shares.
  const known = new Map<string, boolean>()
  const hasAlarm = (fixtures: GateFixture[], j: number): boolean => {
    const differences = fixtures.map(({ base, head }) => head - base).sort((a, b) => a - b)
    const key = `${j} ${differences.join(' ')}`
    const found = known.get(key) ?? isAlarm(decideGate(fixtures, gateOptions({ kind: 'push', j }, 2)).kind)
    known.set(key, found)
    return found
  }
  let alarms = 0
  for (let request = 0; request < PULL_REQUESTS; request++) {
    for (let j = 1; j <= 10; j++) {
      if (!hasAlarm(drawFixtures(20, { samples: 2, shared: 1, random }), j)) continue
      alarms += 1
      break
    }
  }
  expectNotAboveAlpha(alarms)
})

// Before, with the cautious interval as a second condition, it was 55 and 26 %.
test.each([
  ['40 problems with ten samples', 40, 10, 1, 0.78],
  ['31 families of four', 124, 1, 4, 0.38],
])(
  'a regression of ten points over %s is found as often as the test alone finds it',
  (_, n, samples, shared, least) => {
    const gap = -0.1
    const random = createRandom(7)
    const worse = tabulatePopulation({ ...MODEL, gap })
    let found = 0
    for (let request = 0; request < PULL_REQUESTS; request++) {
      const fixtures = drawFixtures(n, { samples, shared, random }, worse)
      if (decideGate(fixtures, gateOptions(SINGLE, samples)).kind === 'regressed') found += 1
    }
    expect(found / PULL_REQUESTS).toBeGreaterThan(least)
    if (shared > 1) return
    const stated = simulatePower({ ...MODEL, gap, n, samples, alpha: ALPHA, seed: 8, repetitions: 5000 })
    expect(Math.abs(found / PULL_REQUESTS - stated.power)).toBeLessThanOrEqual(0.02)
  },
)

test('A/A with families, taken for independent problems, would cry wolf: what counting a family once is for', () => {
  const random = createRandom(5)
  const gate = rememberGate(60)
  let alarms = 0
  for (let request = 0; request < PULL_REQUESTS; request++) {
    const fixtures = drawFixtures(60, { samples: 1, shared: 6, random })
    const lost = fixtures.filter(({ base, head }) => head < base).length
    const gained = fixtures.filter(({ base, head }) => head > base).length
    if (isAlarm(gate(lost, gained, SINGLE))) alarms += 1
  }
  expect(clopperPearson(alarms, PULL_REQUESTS, 0.002)?.low).toBeGreaterThan(ALPHA)
})

test.each([
  [0.1, 0.025, 122],
  [0.1, 0.075, 207],
  [0.15, 0.05, 100],
  [0.2, 0.075, 60],
  [0.1, 0.05, 31],
])('a regression of %d at a discordance of %d over %i problems is found as often as stated', (gap, discordance, n) => {
  const random = createRandom(6)
  const gate = rememberGate(n)
  let found = 0
  for (let request = 0; request < PULL_REQUESTS; request++) {
    if (gate(...drawDiscordant(n, discordance + gap, discordance, random), SINGLE) === 'regressed') found += 1
  }
  const stated = computePower({ n, gap, discordance, alpha: ALPHA })
  expect(Math.abs(found / PULL_REQUESTS - stated)).toBeLessThanOrEqual(0.02)
})
