import { optionTable } from '../config/option-table.ts'

export interface InputEntry {
  readonly name: string
  readonly help: string
  /**
   * What a workflow that does not give the input gives it. The runner tells such an input from an empty one only where
   * there is a default, so that inputs which must not be empty have a word for "none".
   */
  readonly fallback?: string
  readonly type: 'string' | 'boolean' | 'integer' | 'float' | 'enum'
  /** Of an enum. */
  readonly values?: readonly string[]
}

/** What is asked of the action; `shard` and `all` differ only in whether the input `shard` must be there. */
export const modes = ['all', 'plan', 'shard', 'merge', 'compare', 'check'] as const
export type Mode = (typeof modes)[number]

/** Inputs that only the action has, in the order in which its documentation shows them. */
export const actionInputs = [
  {
    name: 'mode',
    type: 'enum',
    values: modes,
    fallback: 'all',
    help: 'all: a whole sweep; plan: what it would ask and cost, and the matrix of its shards; shard: one of them; merge: join them; compare: two reports; check: corpus, engine and references, with no model',
  },
  {
    name: 'config',
    type: 'string',
    help: 'sweep file (YAML) with subjects and any of the options; on pull requests that of the base',
  },
  {
    name: 'api-key',
    type: 'string',
    help: 'key of the endpoint, from a secret: the value of the variable that api-key-env names, else of OPENROUTER_API_KEY; masked',
  },
  {
    name: 'baseline',
    type: 'string',
    fallback: 'none',
    help: "what the gate compares with: none, auto (the base branch's newest successful scheduled or push run of this workflow), same-run (another subject of this sweep), or the path of a report.json",
  },
  { name: 'base-subject', type: 'string', help: 'subject of the baseline [its only one, or the one that fits]' },
  { name: 'head-subject', type: 'string', help: 'subject that is judged [its only one, or the one that fits]' },
  { name: 'compare-condition', type: 'string', help: 'condition that is compared [the only one that both have]' },
  { name: 'alpha', type: 'float', fallback: '0.05', help: 'two-sided error rate of all looks together' },
  { name: 'margin', type: 'float', fallback: '0.10', help: 'loss that "no loss detected" excludes, as a share' },
  {
    name: 'push',
    type: 'string',
    help: 'this is the push of that number to one pull request [counted from the runs of the workflow]',
  },
  { name: 'horizon', type: 'integer', help: 'this is one of so many scheduled runs: alpha is divided by it' },
  {
    name: 'gate',
    type: 'boolean',
    fallback: 'true',
    help: 'fail the step where the comparison says regressed or blocked',
  },
  {
    name: 'comment',
    type: 'boolean',
    fallback: 'true',
    help: 'write one comment on the pull request, updated in place',
  },
  {
    name: 'github-token',
    type: 'string',
    fallback: '$' + '{{ github.token }}',
    help: 'token for the comment (pull-requests: write) and for baseline auto (actions: read, contents: read)',
  },
  {
    name: 'artifact-name',
    type: 'string',
    fallback: 'vox-efficacy',
    help: 'how names of artifacts begin; give each job of a workflow its own',
  },
  { name: 'retention-days', type: 'integer', help: 'days that artifacts are kept [as the repository has it]' },
  {
    name: 'rerun',
    type: 'enum',
    values: ['resume', 'fresh'],
    fallback: 'resume',
    help: 'what a re-run does: resume the earlier attempt, or begin anew and spend again',
  },
  { name: 'shards', type: 'integer', fallback: '1', help: 'of mode plan: how many jobs share the sweep' },
  {
    name: 'merge-from',
    type: 'string',
    help: 'of mode merge: folder with one folder a shard [the artifacts of this run]',
  },
  { name: 'report', type: 'string', help: 'of mode compare: path of the report.json that is judged' },
] as const satisfies readonly InputEntry[]

export type ActionInputName = (typeof actionInputs)[number]['name']

/** Options that a secret or a variable may leave empty by mistake: empty is an error, and this word is "none". */
export const wordsForNone: Readonly<Record<string, string>> = {
  'max-spend-usd': 'none',
  'max-spend-usd-per-month': 'none',
  cutoff: 'unknown',
}

/** What the action says of an option where it does other than the command line. */
const ownHelp: Readonly<Record<string, string>> = {
  engine: 'vox or embedded; nothing takes the place of a vox that cannot be had [vox]',
  corpus:
    'folder with manifest.v1.yaml; several, one a line, are scored apart and share the cap [contracts/eval/humaneval-vox of the workspace, else the shipped corpus]',
  'spend-file': 'book of what runs spend, for the cap of a month [kept in the cache of GitHub Actions]',
  'response-store': 'folder of answers that are not asked for twice [a folder of the job]',
  'vox-cache':
    'where binaries and build files are kept; binaries also in the cache of GitHub Actions [a folder of the job]',
}

const types = { integer: 'integer', number: 'float', flag: 'boolean' } as const

/** Every input of the action: its own, then every option of a sweep under the same name. */
export function listInputs(): InputEntry[] {
  const options = optionTable.map(({ name, kind, help }): InputEntry => {
    const fallback = wordsForNone[name]
    const isWorded = fallback !== undefined
    return {
      name,
      help: ownHelp[name] ?? help,
      type: isWorded || !(kind in types) ? 'string' : types[kind as keyof typeof types],
      ...(isWorded ? { fallback } : {}),
    }
  })
  return [...actionInputs, ...options]
}

export interface OutputEntry {
  readonly name: string
  readonly help: string
}

/** Outputs of the action. Paths are absolute; of several corpora they are those of the first, and `reports` has all. */
export const actionOutputs = [
  { name: 'report', help: 'path of report.json' },
  { name: 'summary', help: 'path of summary.md' },
  { name: 'page', help: 'path of report.html' },
  { name: 'attempts', help: 'path of attempts.jsonl, the journal' },
  { name: 'leaderboard', help: 'path of leaderboard.json' },
  { name: 'scoreboard', help: 'path of scoreboard.json' },
  { name: 'comparison', help: 'path of comparison.json, where something was compared' },
  { name: 'reports', help: 'JSON list of {corpus, report, gate, complete}, one for each corpus' },
  {
    name: 'gate',
    help: 'regressed, improved, not-detected, cannot-tell, blocked, no-baseline, or none where nothing was to be compared; of several corpora the worst',
  },
  {
    name: 'headline',
    help: 'pass@1 of the row, in [0, 1]; empty where there are several rows or a report withholds it',
  },
  { name: 'spend-usd', help: 'what was spent, in USD; empty where that is not known, and of mode compare' },
  { name: 'complete', help: 'true where every planned attempt has its verdict' },
  { name: 'skipped', help: 'true where no model was asked, since a fork or Dependabot gets no keys' },
  { name: 'artifact', help: 'name of the artifact with all files; empty where none was uploaded' },
  { name: 'artifact-url', help: 'where it is' },
  { name: 'page-url', help: 'where a browser shows report.html as it is; empty where it was not uploaded by itself' },
  { name: 'plan-hash', help: 'of mode plan: SHA-256 of the plan' },
  { name: 'projected-usd', help: 'of mode plan: expected spend in USD; empty where a price is not known' },
  { name: 'worst-usd', help: 'of mode plan: spend in USD at worst; empty where a price is not known' },
  { name: 'matrix', help: 'of mode plan: matrix with one entry a shard, for fromJSON' },
] as const satisfies readonly OutputEntry[]

export type OutputName = (typeof actionOutputs)[number]['name']
