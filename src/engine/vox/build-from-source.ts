import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { BenchError } from '../../bench-error.ts'
import { buildEnvironment, secretNames } from './build-environment.ts'
import { cacheKey, imageName, profileWords, shortHash } from './cache-key.ts'
import { type KeptBuild, keepBuild, restoreBuild, saveBuild } from './cached-build.ts'
import { buildWithCargo } from './cargo-build.ts'
import { chooseIsolation, type Isolation } from './isolation.ts'
import { sha256Of } from './sha256-of.ts'
import { smokeTest } from './smoke-test.ts'
import { gateOutcome } from './source-gate.ts'
import { sourceState } from './source-state.ts'
import { demandWorkspace, openSourceTree } from './source-tree.ts'
import { inTargetFolder } from './target-folder.ts'
import { readToolchain, toolchainVariables } from './toolchain.ts'
import type { SourceGateOutcome, VoxBinary, VoxBuildOptions, VoxDeps, VoxSource } from './vox-request.ts'

/**
 * Vox from its source: a build of the same identity that was kept, or else a new one, which is kept and saved as soon as it has proved to
 * work. A failed build leaves nothing in the cache.
 * @throws BenchError
 */
export async function buildFromSource(source: VoxSource, options: VoxBuildOptions, deps: VoxDeps): Promise<VoxBinary> {
  const tree = await openSourceTree(source, deps)
  demandWorkspace(tree)
  demandApart(tree.folder, deps.workFolder)
  const allowed = buildEnvironment(deps.env, options.useSccache)
  const env = { ...allowed, ...(await toolchainVariables(tree.folder, options.toolchain ?? allowed.RUSTUP_TOOLCHAIN)) }
  const isolation = await chooseIsolation(deps.exec, env)
  const toolchain = await readToolchain(tree.folder, { exec: deps.exec, isolation, env })
  deps.log(`vox: toolchain ${toolchain}`)
  const commit = await sourceState(tree.folder, { exec: deps.exec, env })
  const { profile, overrides, features } = options
  const variant = { toolchain, profile, overrides, features }
  const key = cacheKey({
    image: imageName(deps.env, await readOptional('/etc/os-release'), process.platform),
    arch: process.arch,
    commit,
    lockSha256: await lockHash(tree.folder),
    ...variant,
  })

  async function build(targetFolder: string): Promise<KeptBuild> {
    demandNoKeys(isolation, deps)
    hintAtLock(tree.folder, deps)
    const executable = await buildWithCargo({ tree: tree.folder, commit, targetFolder, options, isolation, env }, deps)
    if ((await sourceState(tree.folder, { exec: deps.exec, env })) !== commit) throw treeChanged(tree.folder)
    const smoke = await smokeTest(executable, isolation)
    if (smoke.kind === 'failed') throw brokenBuild(smoke.reason)
    const facts = {
      version: smoke.version,
      sourceCommit: commit,
      toolchain,
      profile: profileWords(profile, overrides),
    }
    const kept = await keepBuild(key, executable, facts, deps)
    await saveBuild(key, deps)
    return kept
  }

  const restored = await restoreBuild(key, isolation, deps)
  const provenance = restored === null ? 'built' : 'cache'
  if (restored !== null && options.sourceGate === 'off') return binaryOf(restored, provenance, null)
  const target = { tree: tree.name, state: shortHash(commit, 12), variant: shortHash(variant, 8) }
  const binary = await inTargetFolder(target, deps.workFolder, async (targetFolder) => {
    const kept = restored ?? (await build(targetFolder))
    if (options.sourceGate === 'off') return binaryOf(kept, provenance, null)
    const gate = { key, tree: tree.folder, executable: kept.executable, targetFolder, options, isolation, env }
    return binaryOf(kept, provenance, await gateOutcome(gate, deps))
  })
  if (options.sourceGate === 'require') demandPassed(binary.sourceGate)
  return binary
}

function binaryOf(
  { executable, record }: KeptBuild,
  provenance: 'built' | 'cache',
  sourceGate: SourceGateOutcome | null,
): VoxBinary {
  const { sourceCommit, toolchain, profile } = record
  return { executable, provenance, sourceCommit, toolchain, profile, sourceGate }
}

async function readOptional(file: string): Promise<string> {
  return existsSync(file) ? await readFile(file, 'utf8') : ''
}

async function lockHash(tree: string): Promise<string | null> {
  const file = path.join(tree, 'Cargo.lock')
  if (!existsSync(file)) return null
  if ((await stat(file)).isFile()) return await sha256Of(file)
  throw new BenchError({
    code: 'vox/no-source',
    message: `vox cannot be built: ${file} is no file.`,
    hint: 'Check that the checkout is complete (`git status`).',
  })
}

/** Building would change the tree that it is of. */
function demandApart(tree: string, workFolder: string): void {
  if (!`${workFolder}${path.sep}`.startsWith(`${tree}${path.sep}`)) return
  throw new BenchError({
    code: 'vox/work-in-tree',
    message: `the work folder ${workFolder} lies in the source tree ${tree}, which building never writes to.`,
    hint: 'Point --vox-cache to a folder outside of the tree.',
  })
}

/** A build script could read the environment of any process of ours. */
function demandNoKeys(isolation: Isolation, deps: VoxDeps): void {
  if (isolation.kind !== 'none') {
    deps.log(`vox: cargo runs in its own process namespace (${isolation.kind}), where it can read no keys`)
    return
  }
  const why = isolation.reasons.join('; ')
  const names = secretNames(deps.env)
  if (names.length === 0) {
    deps.log(`vox: cargo runs without isolation (${why}); the environment holds nothing that looks like a key`)
    return
  }
  throw new BenchError({
    code: 'vox/keys-in-reach',
    message: `vox is not built here: build scripts could read ${names.join(', ')} (no isolation: ${why}).`,
    hint: 'Build in a step or job without keys and let this one take it from the cache, or install bubblewrap.',
  })
}

function hintAtLock(tree: string, deps: VoxDeps): void {
  if (existsSync(path.join(tree, 'Cargo.lock'))) return
  deps.log('vox: warning: the tree has no Cargo.lock, so a later build of it may differ; commit one')
}

function treeChanged(tree: string): BenchError {
  return new BenchError({
    code: 'vox/tree-changed',
    message: `${tree} changed while vox was built, so that the executable is of no known state.`,
    hint: 'Leave the tree alone while it builds and run again.',
  })
}

function brokenBuild(reason: string): BenchError {
  return new BenchError({
    code: 'vox/smoke-test-failed',
    message: `vox was built and does not work: ${reason}`,
    hint: 'Try another commit of the source, or cheaper profile settings if you changed them.',
  })
}

function demandPassed(gate: SourceGateOutcome | null): void {
  if (gate?.outcome === 'passed') return
  throw new BenchError({
    code: 'vox/source-gate',
    message: `the source's own gate is required and did not pass: ${gate?.detail}\n${gate?.tail}`.trimEnd(),
    hint: `${gate?.outcome === 'failed' ? 'Mend the source as its gate says' : 'Mend what kept it from its end, and run again'}, or let the outcome only be recorded (--source-gate record).`,
  })
}
