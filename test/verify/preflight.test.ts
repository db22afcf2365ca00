import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createEmbeddedEngine } from '../../src/engine/embedded-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { compose } from '../../src/verify/compose.ts'
import { tryReference } from '../../src/verify/oracle.ts'
import { runPreflight } from '../../src/verify/preflight.ts'
import { plantLeakedNonce, plantSaboteurs } from '../../src/verify/saboteurs.ts'
import { createVerifier } from '../../src/verify/verify.ts'
import { buildWorker, openBuiltVoxEmbedded } from '../engine/built-worker.ts'
import type { Problem } from './temp-corpus.ts'
import { FIND, FIRSTS, loadProblems, TWICE } from './temp-corpus.ts'

// Two cores may be busy with much else.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const NAMES: Problem = {
  signature: 'fn greet(name: str, loud: bool) to Result[str, str]',
  reference:
    '    if name is "" { return Error("no name") }\n    if loud { return Ok(name.to_upper()) }\n    return Ok(name)',
  asserts: [
    ['greet("ann", false)', 'Ok("ann")'],
    ['greet("ann", true)', 'Ok("ANN")'],
    ['greet("", true)', 'Error("no name")'],
  ],
  domain: 'name = { length = [0, 6], alphabet = "abc{}\'" }\nloud = {}',
}
const { domain: _, ...WITHOUT_DOMAIN } = TWICE

let engine: Engine

beforeAll(async () => {
  engine = createEmbeddedEngine({ workerUrl: await buildWorker() })
})
afterAll(() => engine.close())

test('every reference passes and every saboteur is seen through', async () => {
  const fixtures = await loadProblems([TWICE, FIND, FIRSTS, NAMES])
  expect(await runPreflight(engine, 'k', fixtures)).toEqual({ kind: 'passed', references: 4, saboteurs: 4 * 13 + 1 })
})

test('the same through processes of vox-embedded', async () => {
  const processes = await openBuiltVoxEmbedded()
  expect(await runPreflight(processes, 'k', await loadProblems([FIND]))).toEqual({
    kind: 'passed',
    references: 1,
    saboteurs: 14,
  })
  await processes.close()
})

test('a fixture without a domain has no one who learnt it by heart', async () => {
  const [fixture] = await loadProblems([WITHOUT_DOMAIN])
  if (fixture === undefined) throw new Error('no fixture')
  const names = plantSaboteurs(fixture, { freshInputs: [], isFirst: false }).map(({ name }) => name)
  expect(names).not.toContain('learnt by heart')
  expect(names).toContain('early exit')
})

test('a reference that fails is named, with what it should have given', async () => {
  const wrong: Problem = {
    ...TWICE,
    asserts: [
      ['twice(4)', '9'],
      ['twice(1)', '2'],
    ],
  }
  const fixtures = await loadProblems([FIND, wrong])
  const verifier = createVerifier({ engine, key: 'k' })
  const [sound, unsound] = await Promise.all(fixtures.map((fixture) => tryReference(verifier, fixture)))
  expect(sound).toBeNull()
  expect(unsound).toEqual({
    fixture: '002',
    planted: 'reference',
    expected: 'passed',
    found: 'wrong-answer assertion: twice(4) should give 9, gave 8',
    verdict: { kind: 'wrong-answer', where: 'assertion', detail: 'twice(4) should give 9, gave 8' },
  })
  expect(await runPreflight(engine, 'k', fixtures)).toMatchObject({ kind: 'failed', failures: [{ fixture: '002' }] })
})

test('tests that a stub passes are named', async () => {
  const weak: Problem = {
    ...TWICE,
    asserts: [
      ['twice(0)', '0'],
      ['twice(1 - 1)', '0'],
    ],
    domain: 'n = { range = [0, 0] }',
  }
  expect(await runPreflight(engine, 'k', await loadProblems([weak]))).toMatchObject({
    kind: 'failed',
    failures: expect.arrayContaining([expect.objectContaining({ fixture: '001', planted: 'stub', found: 'passed' })]),
  })
})

test('an engine that ignores capabilities is found out', async () => {
  // Such an engine lets the early exit through, with the exit code of a good program.
  const lax: Engine = {
    ...engine,
    run: (program) => engine.run(program.replace('// vox:caps none', '// vox:caps process')),
  }
  const [fixture] = await loadProblems([TWICE])
  if (fixture === undefined) throw new Error('no fixture')
  const outcome = await runPreflight(lax, 'k', [fixture])
  expect(outcome.kind === 'failed' && outcome.failures.map(({ planted, found }) => `${planted}: ${found}`)).toEqual([
    'early exit below the gate: cheated',
  ])
})

test('an engine that evaluates no assertion is found out', async () => {
  const blind: Engine = { ...engine, run: (program) => engine.run(program.replace(/ assert\(/g, ' print(')) }
  expect(await runPreflight(blind, 'k', await loadProblems([TWICE]))).toMatchObject({
    kind: 'failed',
    failures: [{ planted: 'reference', found: 'cheated' }],
  })
})

test('a leaked nonce alone does not help', async () => {
  const [fixture] = await loadProblems([TWICE])
  if (fixture === undefined) throw new Error('no fixture')
  const { program } = plantLeakedNonce(fixture)
  // It would be enough without the altered assertion.
  expect(await engine.run(compose(program, ['assert(twice(4) == 8)'], 'end-leaked'))).toMatchObject({
    code: 0,
    stdout: { lastLine: 'end-leaked' },
  })
  const leaking = createVerifier({ engine, key: 'k', createNonce: () => 'end-leaked' })
  expect(await leaking.verifyBelowGate(fixture, program)).toMatchObject({
    kind: 'cheated',
    how: expect.stringMatching(/altered assertion/),
  })
})
