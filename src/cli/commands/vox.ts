import { type Engine, whyUnofficial } from '../../engine/engine.ts'
import { plainJson, plainText } from '../../report/plain-text.ts'
import { type Command, exitCodes } from '../command.ts'
import { openCliEngine } from '../engine.ts'
import { engineOptions, engineOptionsOf } from '../options.ts'

export const vox: Command = {
  usage: 'vox [options]',
  about: `Finds the vox binary, or builds it from a source tree and keeps it for the next time; runs tiny programs to see what it
can do, and a hostile one to see what candidates would be kept in. Prints its identity. A job without keys that runs
this first gives a later job a binary from the cache, so that no build script ever meets a key.`,
  options: [
    ...engineOptions,
    { name: 'json', value: '', help: 'print {executable, identity, sandbox, slots} as JSON' },
  ],
  positionals: [],
  examples: [
    '--vox ../vox/target/release/vox',
    '--vox-source ../vox --vox-overrides opt-level=1,lto=off --sandbox require',
    '--vox-source https://git.example/vox.git --vox-ref main --source-gate record',
    '--vox-archive vox-linux.tar.gz --vox-sha256 <64 hexadecimal digits>',
  ],
  async run({ options, terminal }) {
    const engine = await openCliEngine(engineOptionsOf(options), terminal)
    try {
      const { identity, executable, sandbox, slots } = engine
      if (options.json === true) terminal.out(plainJson({ executable, identity, sandbox, slots }, 2))
      else {
        for (const [name, text] of describe(engine)) terminal.out(plainText(`${name.padEnd(18)} ${text}`))
        terminal.note('Whether it fits a corpus, `vox-efficacy oracle` with the same options tells.')
      }
      return exitCodes.fine
    } finally {
      await engine.close()
    }
  },
}

function describe({ identity, executable, sandbox, slots }: Engine): (readonly [string, string])[] {
  const gate = identity.sourceGate
  const unofficial = whyUnofficial(identity)
  return [
    ['version', identity.version],
    ['official', unofficial === null ? 'yes' : `no: ${unofficial}`],
    ['executable', executable ?? 'none'],
    ['sha256', identity.sha256 ?? 'unknown'],
    ['came as', identity.provenance],
    ['source', identity.sourceCommit ?? 'unknown'],
    ['toolchain', identity.toolchain ?? 'unknown'],
    ['profile', identity.profile ?? 'unknown'],
    ['source gate', gate === null ? 'not asked' : `${gate.outcome}: ${gate.detail}`],
    ...Object.entries(identity.abilities).map(([name, can]) => [name, describeAbility(can)] as const),
    ['sandbox', sandbox.level],
    ...Object.entries(sandbox.closed).map(([what, isClosed]) => [`  ${what}`, isClosed ? 'closed' : 'OPEN'] as const),
    ...sandbox.passedOver.map(({ level, reason }) => [`  not ${level}`, reason] as const),
    ['programs at once', String(slots)],
  ]
}

function describeAbility(can: string | number | boolean): string {
  return typeof can === 'boolean' ? (can ? 'yes' : 'no') : String(can)
}
