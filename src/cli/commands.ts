import type { Command } from './command.ts'

interface Entry {
  readonly summary: string
  /** Commands load when they are used, so that `--version` and `--help` start at once. */
  load(): Promise<Command>
}

/** Every command, in the order help shows them. */
export const commands: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  [
    'demo',
    {
      summary: 'a whole sweep over the shipped corpus with recorded answers',
      load: async () => (await import('./commands/demo.ts')).demo,
    },
  ],
  [
    'run',
    {
      summary: 'sweep models over a corpus and write the report',
      load: async () => (await import('./commands/run.ts')).run,
    },
  ],
  [
    'resume',
    {
      summary: 'continue a run that was killed or ended incomplete',
      load: async () => (await import('./commands/resume.ts')).resume,
    },
  ],
  [
    'plan',
    {
      summary: 'say what a run would ask, cost and be able to see, before anything is spent',
      load: async () => (await import('./commands/plan.ts')).plan,
    },
  ],
  [
    'verify',
    {
      summary: 'verify a folder of programs, one line each',
      load: async () => (await import('./commands/verify.ts')).verify,
    },
  ],
  [
    'extract',
    {
      summary: 'show which program is taken from an answer',
      load: async () => (await import('./commands/extract.ts')).extractCommand,
    },
  ],
  [
    'prompt',
    { summary: 'print exactly what a model is sent', load: async () => (await import('./commands/prompt.ts')).prompt },
  ],
  [
    'oracle',
    {
      summary: 'prove corpus and engine: references pass, planted bad programs fail',
      load: async () => (await import('./commands/oracle.ts')).oracle,
    },
  ],
  [
    'vox',
    {
      summary: 'find, build, cache and probe the vox binary, and tell what candidates are kept in',
      load: async () => (await import('./commands/vox.ts')).vox,
    },
  ],
  [
    'reproduce',
    {
      summary: 'verify every answer of an old report again',
      load: async () => (await import('./commands/reproduce.ts')).reproduce,
    },
  ],
  [
    'report',
    {
      summary: 'render the outputs of a run again from its journal',
      load: async () => (await import('./commands/report.ts')).report,
    },
  ],
  [
    'merge',
    {
      summary: 'join the shards of a run into one report',
      load: async () => (await import('./commands/merge.ts')).merge,
    },
  ],
  [
    'compare',
    {
      summary: 'decide whether a report regressed against an earlier one',
      load: async () => (await import('./commands/compare.ts')).compare,
    },
  ],
  [
    'power',
    {
      summary: 'what a number of problems can and cannot show',
      load: async () => (await import('./commands/power.ts')).power,
    },
  ],
  [
    'corpus audit',
    {
      summary: 'check a corpus and list every problem',
      load: async () => (await import('./commands/corpus-audit.ts')).corpusAudit,
    },
  ],
  [
    'mens list',
    {
      summary: 'list training runs with their checkpoints',
      load: async () => (await import('./commands/mens-list.ts')).mensList,
    },
  ],
  [
    'mens check-data',
    {
      summary: 'search training data for the held-out problems',
      load: async () => (await import('./commands/mens-check-data.ts')).mensCheckData,
    },
  ],
])
