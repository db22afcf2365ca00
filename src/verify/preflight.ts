import type { Fixture } from '../corpus/fixture.ts'
import type { Engine } from '../engine/engine.ts'
import type { PreflightFailure } from './oracle.ts'
import { tryReference } from './oracle.ts'
import type { Saboteur } from './saboteurs.ts'
import { LEAKED_NONCE, plantLeakedNonce, plantSaboteurs } from './saboteurs.ts'
import { describeVerdict } from './verdict-text.ts'
import type { Verifier } from './verify.ts'
import { createVerifier } from './verify.ts'

export type Preflight =
  | { readonly kind: 'passed'; readonly references: number; readonly saboteurs: number }
  | {
      readonly kind: 'failed'
      readonly references: number
      readonly saboteurs: number
      readonly failures: readonly PreflightFailure[]
    }

/**
 * What must hold on this machine, with this engine and this corpus, before anything is spent: every reference passes as a candidate
 * with nothing noted, and every saboteur fails for the right reason, at the gate and below it. What `verifier` drew for
 * it, the run can use again.
 */
export async function runPreflight(
  engine: Engine,
  key: string,
  fixtures: readonly Fixture[],
  verifier = createVerifier({ engine, key }),
): Promise<Preflight> {
  const terse = createVerifier({ engine, key, isExplaining: false, freshInputs: verifier.freshInputs })
  const leaking = createVerifier({
    engine,
    key,
    isExplaining: false,
    freshInputs: verifier.freshInputs,
    createNonce: () => LEAKED_NONCE,
  })
  const results = await Promise.all(
    fixtures.map(async (fixture, at) => {
      const reference = await tryReference(verifier, fixture)
      if (reference !== null) return { saboteurs: 0, failures: [reference] }
      const freshInputs = await verifier.freshInputs(fixture)
      const saboteurs = plantSaboteurs(fixture, { freshInputs, isFirst: at === 0 })
      const failures = await Promise.all([
        ...saboteurs.map((saboteur) => trySaboteur(terse, fixture, saboteur)),
        trySaboteur(leaking, fixture, plantLeakedNonce(fixture)),
      ])
      return { saboteurs: failures.length, failures: failures.filter((failure) => failure !== null) }
    }),
  )
  const saboteurs = results.reduce((sum, result) => sum + result.saboteurs, 0)
  const failures = results.flatMap((result) => result.failures)
  const counts = { references: fixtures.length, saboteurs }
  return failures.length === 0 ? { kind: 'passed', ...counts } : { kind: 'failed', ...counts, failures }
}

async function trySaboteur(verifier: Verifier, fixture: Fixture, saboteur: Saboteur): Promise<PreflightFailure | null> {
  const { name, program, level, expected, isRight } = saboteur
  const verdict =
    level === 'gate'
      ? (await verifier.verifyProgram(fixture, program)).verdict
      : await verifier.verifyBelowGate(fixture, program)
  if (isRight(verdict)) return null
  const planted = level === 'gate' ? name : `${name} below the gate`
  return { fixture: fixture.id, planted, expected, found: describeVerdict(verdict), verdict }
}
