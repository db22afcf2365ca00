/** How an option's text is read. A path in a sweep file is relative to that file; a `location` is a path or a URL. */
export type OptionKind = 'text' | 'path' | 'location' | 'integer' | 'number' | 'flag' | 'list'

export interface OptionEntry {
  /** Flag without the dashes, key in a sweep file, and name of the action's input. */
  readonly name: string
  readonly kind: OptionKind
  /** `sweep` options stand once; `subject` options describe one subject and stand under `subjects:` in a file. */
  readonly scope: 'sweep' | 'subject'
  /** What stands for the value in help texts; empty for a flag. */
  readonly value: string
  readonly help: string
}

/** Which engine checks and runs programs, where its binary comes from, and what it is kept in. */
const engineOptions = [
  {
    name: 'engine',
    kind: 'text',
    scope: 'sweep',
    value: 'NAME',
    help: 'embedded or vox [vox where an option says where to get it, else embedded]',
  },
  { name: 'vox', kind: 'path', scope: 'sweep', value: 'PATH', help: 'vox executable that checks and runs programs' },
  {
    name: 'vox-archive',
    kind: 'location',
    scope: 'sweep',
    value: 'URL',
    help: 'prebuilt vox: a .tar.gz or the bare binary, by URL or path; needs vox-sha256',
  },
  { name: 'vox-sha256', kind: 'text', scope: 'sweep', value: 'HEX', help: 'SHA-256 of that file' },
  {
    name: 'vox-source',
    kind: 'location',
    scope: 'sweep',
    value: 'WHERE',
    help: 'Vox source tree to build: a folder, or a git URL (token in VOX_SOURCE_TOKEN)',
  },
  {
    name: 'vox-ref',
    kind: 'text',
    scope: 'sweep',
    value: 'REF',
    help: 'branch, tag or commit of that URL [its default]',
  },
  { name: 'vox-profile', kind: 'text', scope: 'sweep', value: 'NAME', help: 'cargo profile: release or dev [release]' },
  {
    name: 'vox-overrides',
    kind: 'list',
    scope: 'sweep',
    value: 'KEY=V,…',
    help: "changes to that profile, e.g. opt-level=1,lto=off; part of the engine's identity",
  },
  {
    name: 'vox-features',
    kind: 'list',
    scope: 'sweep',
    value: 'NAME,…',
    help: 'cargo features of vox-cli [its default]',
  },
  {
    name: 'vox-toolchain',
    kind: 'text',
    scope: 'sweep',
    value: 'NAME',
    help: 'Rust toolchain in place of the one the tree pins',
  },
  {
    name: 'vox-jobs',
    kind: 'integer',
    scope: 'sweep',
    value: 'N',
    help: 'compilers at once [what cores and free memory allow]',
  },
  {
    name: 'vox-job-memory-gb',
    kind: 'number',
    scope: 'sweep',
    value: 'GB',
    help: 'memory to count for each compiler [2]',
  },
  { name: 'vox-disk-gb', kind: 'number', scope: 'sweep', value: 'GB', help: 'free disk a build must find [25]' },
  {
    name: 'vox-sccache',
    kind: 'flag',
    scope: 'sweep',
    value: '',
    help: 'compile through sccache where it is installed',
  },
  {
    name: 'vox-cache',
    kind: 'path',
    scope: 'sweep',
    value: 'DIR',
    help: 'where built binaries and build files are kept [the cache folder of the user]',
  },
  {
    name: 'source-gate',
    kind: 'text',
    scope: 'sweep',
    value: 'MODE',
    help: "the source tree's own checks: off, record or require [off]",
  },
  {
    name: 'sandbox',
    kind: 'text',
    scope: 'sweep',
    value: 'MODE',
    help: 'what vox processes are kept in: require, best or off [best]',
  },
] as const satisfies readonly OptionEntry[]

export const engineOptionNames: readonly string[] = engineOptions.map(({ name }) => name)

/** Every option of a sweep, in the order in which help texts show them. The only list of them. */
export const optionTable = [
  {
    name: 'model',
    kind: 'text',
    scope: 'subject',
    value: 'ID',
    help: 'model id at the endpoint; for answers from files the name of the row',
  },
  {
    name: 'checkpoint',
    kind: 'text',
    scope: 'subject',
    value: 'LABEL',
    help: 'checkpoint label; the row is MODEL@LABEL',
  },
  {
    name: 'harness',
    kind: 'text',
    scope: 'subject',
    value: 'NAME',
    help: 'what turned the model into answers [vox-harness]',
  },
  {
    name: 'fix',
    kind: 'flag',
    scope: 'subject',
    value: '',
    help: 'give an answer that fails back once with its diagnostics; scored apart as fix@1, in a row of its own',
  },
  {
    name: 'from-dir',
    kind: 'path',
    scope: 'subject',
    value: 'DIR',
    help: 'score the answers in DIR (<fixture-id>.vox, .md or .txt) instead of asking a model',
  },
  {
    name: 'recording',
    kind: 'path',
    scope: 'subject',
    value: 'DIR',
    help: 'replay the recorded answers in DIR through a loopback endpoint',
  },
  {
    name: 'script',
    kind: 'path',
    scope: 'subject',
    value: 'FILE',
    help: 'answer from a script (docs/scripted-models.md), to rehearse a sweep',
  },
  { name: 'base-url', kind: 'text', scope: 'subject', value: 'URL', help: 'OpenAI-compatible endpoint [OpenRouter]' },
  {
    name: 'api-key-env',
    kind: 'text',
    scope: 'subject',
    value: 'VAR',
    help: 'environment variable that holds the key [OPENROUTER_API_KEY for OpenRouter, else no key is sent]',
  },
  {
    name: 'temperature',
    kind: 'number',
    scope: 'subject',
    value: 'T',
    help: 'sampling temperature [0 for n = 1, else 0.8]',
  },
  { name: 'top-p', kind: 'number', scope: 'subject', value: 'P', help: 'nucleus sampling [endpoint default]' },
  {
    name: 'max-tokens',
    kind: 'integer',
    scope: 'subject',
    value: 'N',
    help: 'tokens of an answer at most, thinking included [16384]',
  },
  {
    name: 'max-tokens-field',
    kind: 'text',
    scope: 'subject',
    value: 'NAME',
    help: 'field of a request that carries them: max_tokens or max_completion_tokens [max_tokens]',
  },
  {
    name: 'reasoning-effort',
    kind: 'text',
    scope: 'subject',
    value: 'LEVEL',
    help: 'sent as reasoning_effort [endpoint default]',
  },
  {
    name: 'reasoning-max-tokens',
    kind: 'integer',
    scope: 'subject',
    value: 'N',
    help: 'tokens of thinking at most, sent as reasoning.max_tokens, which OpenRouter takes [endpoint default]',
  },
  {
    name: 'provider',
    kind: 'list',
    scope: 'subject',
    value: 'NAME,…',
    help: 'providers behind OpenRouter, tried in this order and no others [its choice]',
  },
  {
    name: 'cutoff',
    kind: 'text',
    scope: 'subject',
    value: 'DATE',
    help: 'training cutoff (YYYY-MM-DD, or auto: from the catalogue); only later fixtures count as uncontaminated [unknown]',
  },
  {
    name: 'training-data',
    kind: 'path',
    scope: 'subject',
    value: 'FILE',
    help: 'what "mens check-data --output FILE" found in the data the model was trained on; goes into the report',
  },
  {
    name: 'prompt-usd-per-m',
    kind: 'number',
    scope: 'subject',
    value: 'USD',
    help: 'price of a million prompt tokens',
  },
  {
    name: 'completion-usd-per-m',
    kind: 'number',
    scope: 'subject',
    value: 'USD',
    help: 'price of a million completion tokens',
  },
  {
    name: 'cached-usd-per-m',
    kind: 'number',
    scope: 'subject',
    value: 'USD',
    help: "price of a million prompt tokens that the provider's cache had [that of prompt tokens]",
  },
  {
    name: 'cache-write-usd-per-m',
    kind: 'number',
    scope: 'subject',
    value: 'USD',
    help: 'price of a million prompt tokens put into the cache [that of prompt tokens]',
  },
  {
    name: 'request-usd',
    kind: 'number',
    scope: 'subject',
    value: 'USD',
    help: 'price of a request beside its tokens [0]',
  },
  {
    name: 'mens-serve',
    kind: 'text',
    scope: 'subject',
    value: 'COMMAND',
    help: 'serve a mens/ model with this command while it is asked; {path}, {port}, {model}, {checkpoint} stand in it (docs/mens.md)',
  },
  {
    name: 'corpus',
    kind: 'path',
    scope: 'sweep',
    value: 'DIR',
    help: 'folder with manifest.v1.yaml [the shipped corpus]',
  },
  {
    name: 'catalogue',
    kind: 'path',
    scope: 'sweep',
    value: 'FILE',
    help: "auto, off, or a snapshot of OpenRouter's list of models: prices, contexts, cutoffs [auto: for its models]",
  },
  {
    name: 'registered',
    kind: 'path',
    scope: 'sweep',
    value: 'FILE',
    help: 'plan that was registered before (plan --register); the report says whether it was followed',
  },
  { name: 'split', kind: 'text', scope: 'sweep', value: 'NAME', help: 'held-out, training-eligible or all [held-out]' },
  { name: 'fixtures', kind: 'list', scope: 'sweep', value: 'ID,ID', help: 'only these fixtures [all of the split]' },
  {
    name: 'condition',
    kind: 'list',
    scope: 'sweep',
    value: 'C,C',
    help: 'language help: C0..C3, C1@50, C1-strings, file:PATH [C1]',
  },
  { name: 'n', kind: 'integer', scope: 'sweep', value: 'N', help: 'samples for each fixture [1]' },
  { name: 'k', kind: 'list', scope: 'sweep', value: 'K,K', help: 'report pass@k for these k <= n [1]' },
  {
    name: 'seed',
    kind: 'integer',
    scope: 'sweep',
    value: 'N',
    help: 'seed of the order of problems and of requests [1]',
  },
  ...engineOptions,
  {
    name: 'exclude-failing-references',
    kind: 'flag',
    scope: 'sweep',
    value: '',
    help: 'leave out the problems whose reference fails on this engine, instead of stopping; never gated',
  },
  { name: 'max-spend-usd', kind: 'number', scope: 'sweep', value: 'USD', help: 'never spend more than this [no cap]' },
  {
    name: 'max-spend-usd-per-month',
    kind: 'number',
    scope: 'sweep',
    value: 'USD',
    help: 'never spend more than this in a calendar month (UTC), over all runs with one spend-file [no cap]',
  },
  {
    name: 'spend-file',
    kind: 'path',
    scope: 'sweep',
    value: 'FILE',
    help: 'book of what runs spend, for the cap of a month [spend.jsonl in the cache folder of the user]',
  },
  {
    name: 'response-store',
    kind: 'path',
    scope: 'sweep',
    value: 'DIR',
    help: 'folder of answers that are not asked for twice [for paid requests to other machines, in the cache folder of the user]',
  },
  {
    name: 'fresh',
    kind: 'flag',
    scope: 'sweep',
    value: '',
    help: 'ask even for answers that are in the response store',
  },
  {
    name: 'concurrency',
    kind: 'integer',
    scope: 'sweep',
    value: 'N',
    help: 'requests under way at once to one endpoint at most; fewer while it is short of room [4]',
  },
  { name: 'request-timeout-s', kind: 'integer', scope: 'sweep', value: 'S', help: 'patience for one request [600]' },
  {
    name: 'retries',
    kind: 'integer',
    scope: 'sweep',
    value: 'N',
    help: 'further requests when one fails for a passing reason [3]',
  },
  {
    name: 'mens-runs',
    kind: 'path',
    scope: 'sweep',
    value: 'DIR',
    help: 'folder of training runs: DIR/NAME/final and DIR/NAME/checkpoint-N are checkpoints of mens/NAME [mens/runs]',
  },
  {
    name: 'mens-ready-s',
    kind: 'integer',
    scope: 'sweep',
    value: 'S',
    help: 'patience for a server that mens-serve starts until it answers [600]',
  },
  {
    name: 'deadline-min',
    kind: 'number',
    scope: 'sweep',
    value: 'MIN',
    help: 'minutes after the start of the run from which no request is sent any more [no deadline]',
  },
  {
    name: 'shard',
    kind: 'text',
    scope: 'sweep',
    value: 'I/N',
    help: 'make only part I of N of the plan, with an N-th of each cap; "merge" joins the parts [all of it]',
  },
  {
    name: 'output',
    kind: 'text',
    scope: 'sweep',
    value: 'PATH',
    help: 'folder for all files, or the .json file of the report; files of an earlier run are set aside [out]',
  },
  {
    name: 'smoke',
    kind: 'flag',
    scope: 'sweep',
    value: '',
    help: 'three fixtures, C1, n = 1, temperature 0, cap 2 USD; confirms that the report landed',
  },
] as const satisfies readonly OptionEntry[]

/** What only a sweep file says, since it is more than a text. */
export const fileOptions = [
  { name: 'subjects', scope: 'sweep', help: 'what is measured: models, folders of answers, recordings, scripts' },
  {
    name: 'extra-body',
    scope: 'subject',
    help: 'further fields of the body of each request, e.g. top_k: 20 (docs/requests.md)',
  },
] as const satisfies readonly Pick<OptionEntry, 'name' | 'scope' | 'help'>[]

export type OptionName = (typeof optionTable)[number]['name']
