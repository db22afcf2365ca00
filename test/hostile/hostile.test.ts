import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sandboxLevels } from '../../src/engine/engine.ts'
import { buildHarness, openHarness, type Stand } from './harness-process.ts'
import { expectedLeaks, verdictsOf } from './hostile-program.ts'
import { suites } from './suites.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const isRoot = process.getuid?.() === 0
/** The strongest level, and the pool; `VOX_HOSTILE_LEVELS=all` or `=landlock,none` chooses others, which takes minutes. */
const chosen = process.env.VOX_HOSTILE_LEVELS ?? (isRoot ? 'in-process,bubblewrap-root' : 'in-process,bubblewrap')
const wanted: readonly string[] = chosen === 'all' ? sandboxLevels : chosen.split(',')
const stands: readonly Stand[] = [
  { level: 'in-process', user: 'other' },
  { level: 'bubblewrap-root', user: 'root' },
  { level: 'bubblewrap', user: 'other' },
  { level: 'bubblewrap-sudo', user: 'other' },
  { level: 'landlock', user: 'root' },
  { level: 'landlock', user: 'other' },
  // Here it is seen that every proof of a leak can fail.
  { level: 'none', user: 'other' },
]
const programs = suites.flatMap(({ engine, programs }) => programs.map((program) => ({ engine, program })))

test('there are at least 60 programs, and each has a name of its own', () => {
  const names = programs.map(({ engine, program }) => `${engine}: ${program.tries}`)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(60)
})

const built = await buildHarness()

// What these programs attack is Linux; elsewhere there is no sandbox for them.
for (const stand of stands.filter(({ level }) => process.platform === 'linux' && wanted.includes(level))) {
  const name = `${stand.level} of ${stand.user === 'root' ? 'root' : 'a normal user'}`
  const harness = stand.user === 'root' && !isRoot ? null : await openHarness(stand, built)
  const opened = harness?.opened ?? { reason: 'this is not root' }
  if (harness === null || 'reason' in opened) {
    harness?.close()
    describe(name, () => {
      test.skip(`not to be had here: ${'reason' in opened ? opened.reason : ''}`, () => {})
    })
    continue
  }
  const { closed } = opened.report

  describe(name, () => {
    beforeAll(() => harness.start())
    afterAll(() => harness.close())

    const tried = programs.filter(({ engine, program }) =>
      stand.level === 'in-process' ? engine === 'embedded' : stand.level !== 'none' || !program.needsSandbox,
    )
    test.each(tried.map((each) => [`${each.engine}: ${each.program.tries}`, each] as const))(
      '%s',
      async (_, { engine, program }) => {
        const { verdict, leaks } = await harness.judgement(engine, program.tries)
        expect({ verdict, leaks }).toEqual({
          verdict: expect.toBeOneOf([...verdictsOf(program, leaks)]),
          leaks: expectedLeaks(program, leaks, { name, level: stand.level, closed }),
        })
      },
    )

    test('nothing else was touched, and no process is left', async () => {
      expect(await harness.ending()).toEqual({ unexplained: [], survivors: 0 })
    })
  })
}
