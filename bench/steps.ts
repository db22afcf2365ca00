import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { Figure, Place } from './figure.ts'
import { median, times } from './figure.ts'
import type { StepTimes } from './steps-child.ts'

const AIM = 10_000_000

/** The programs by which the reconstruction's own speed is known; see test/conformance. */
const PROGRAMS = {
  'while loop of 700,000 rounds': `fn main() {
    let mut sum = 0
    let mut i = 0
    while i < 700000 {
        sum = sum + i
        i = i + 1
    }
    print(sum)
}`,
  'fib(22)': `fn fib(n: int) to int {
    if n < 2 { return n }
    return fib(n - 1) + fib(n - 2)
}
fn main() { print(fib(22)) }`,
  'sieve of 5,000': `fn main() {
    let mut is_prime: list[bool] = []
    for i in range(5001) { is_prime.push(i > 1) }
    let mut i = 2
    while i * i <= 5000 {
        if is_prime[i].unwrap_or(false) {
            let mut k = i * i
            while k <= 5000 {
                is_prime[k] = false
                k = k + i
            }
        }
        i = i + 1
    }
    print(is_prime.filter(fn(each: bool) each).len())
}`,
}

/** Interpreter steps per second, as a ratio to the aim of ten million; every program in a process of its own. */
export function bench({ folder }: Place): readonly Figure[] {
  return Object.entries(PROGRAMS).flatMap(([what, source]) => {
    const printed = execFileSync(process.execPath, [path.join(folder, 'steps-child.js'), source], { encoding: 'utf8' })
    const { steps, coldMs, warmMs }: StepTimes = JSON.parse(printed)
    return [figure(`${what}, cold`, steps, coldMs), figure(`${what}, warm`, steps, median(warmMs))]
  })
}

function figure(what: string, steps: number, elapsedMs: number): Figure {
  const perSecond = (steps / elapsedMs) * 1000
  return {
    what,
    ratio: times(perSecond / AIM),
    aim: 'warm 1 x of 10 million steps a second',
    note: `${steps.toLocaleString('en-US')} steps in ${elapsedMs.toFixed(1)} ms: ${(perSecond / 1e6).toFixed(1)} million a second`,
  }
}
