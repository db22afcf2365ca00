import { z } from 'zod'

/** Fields that an option sets, each with that option. */
const setByOption: ReadonlyMap<string, string> = new Map([
  ['model', 'model'],
  ['models', 'model'],
  ['max_tokens', 'max-tokens'],
  ['max_completion_tokens', 'max-tokens-field'],
  ['temperature', 'temperature'],
  ['top_p', 'top-p'],
  ['reasoning_effort', 'reasoning-effort'],
  ['reasoning', 'reasoning-max-tokens'],
  ['provider', 'provider'],
  ['n', 'n'],
  ['seed', 'seed'],
])

/**
 * Fields that would make of a request another one than is planned, priced and read: other messages or models, tools,
 * an answer that is not one text, more or longer answers than a reservation counts, or a body within the body.
 */
const changesRequest: ReadonlySet<string> = new Set([
  ...['messages', 'prompt', 'transforms', 'preset', 'prediction', 'chat_template', 'documents'],
  ...['fallbacks', 'route', 'best_of', 'num_return_sequences', 'num_beams', 'candidate_count'],
  ...['stream', 'stream_options', 'modalities', 'audio', 'echo'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call', 'plugins', 'web_search_options'],
  ...['thinking', 'thinking_config', 'n_predict', 'num_predict', 'max_length', 'min_length', 'max_tokens_to_sample'],
  ...['extra_body', 'options', 'parameters', 'sampling_params', 'generation_config'],
])

/** As `max_new_tokens`, `min_tokens` or `thinking_token_budget`: each server has its own name for such a limit. */
const limitsTokens = /^(max|min)_(\w+_)?tokens$|(^|_)budget(_|$)/

const secretWords: ReadonlySet<string> = new Set([
  ...['apikey', 'auth', 'authorization', 'authentication', 'bearer', 'cookie', 'cookies', 'credential', 'credentials'],
  ...['headers', 'jwt', 'passphrase', 'passwd', 'password', 'secret', 'secrets'],
])

/** Ends of names that are no credentials although they end in `key` or `token`: tokens of a vocabulary, keys of a cache. */
const harmlessEnds: readonly string[] = [
  ...['bos token', 'eos token', 'pad token', 'unk token', 'sep token', 'cls token', 'mask token'],
  ...['start token', 'stop token', 'cache key', 'cache isolation key'],
]

/** Values that hold something that begins like the keys of well-known providers, or a URL with a password. */
const secretValues: readonly RegExp[] = [
  /^(bearer\s+\S|basic\s+\S{8})/i,
  /(?<![\w-])((sk|rk|pk|xai|nvapi|glpat|pplx|csk|xox[abeps])-|(sk|rk)_live_|gh[opsur]_|github_pat_|hf_|gsk_|r8_|AKIA|ASIA)[\w-]{16}/i,
  /(?<![\w-])(AIza|eyJ|ya29\.)[\w-]{16}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /:\/\/[^\s/?#@:]*:[^\s/?#@]+@/,
]

/** Limits of what goes into every plan and every request. */
const MAX_DEPTH = 16
const MAX_LENGTH = 64 * 1024

/**
 * Further fields of the body of each request, as JSON, with their names in order: neither the hash of a plan nor a key
 * of the response store may depend on how a file is written. Fields that the tool sends or relies on are refused, and
 * so is what looks like a credential, since plans and reports are published.
 */
export const extraBodySchema = z
  // Before the record is read, which drops `__proto__` and says nothing.
  .preprocess(
    (fields, context) => {
      if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields
      const refuse: Refuse = (path, message) => context.addIssue({ code: 'custom', path: [...path], message })
      for (const name of Object.keys(fields)) {
        const problem = wordReserved(name)
        if (problem !== null) refuse([name], problem)
      }
      const isWhole = refuseValues(fields, [], refuse)
      if (isWhole && JSON.stringify(fields).length > MAX_LENGTH) refuse([], `is longer than ${MAX_LENGTH} characters`)
      return fields
    },
    z.record(z.string(), z.unknown()),
  )
  .transform((fields) => sorted(fields) as Readonly<Record<string, unknown>>)

type Refuse = (path: readonly string[], message: string) => void

function wordReserved(name: string): string | null {
  // Some servers take a field in camel case as well.
  const plain = wordsOf(name).join('_')
  const option = setByOption.get(plain)
  if (option !== undefined) return `is set by the tool; see the option "${option}"`
  if (!changesRequest.has(plain) && !limitsTokens.test(plain)) return null
  return 'would change what is asked, what comes back or what it costs; leave it out'
}

/** Refuses every credential and everything that is not JSON below `value`; false once it is too deep to go on. */
function refuseValues(value: unknown, path: readonly string[], refuse: Refuse): boolean {
  if (path.length > MAX_DEPTH) {
    refuse(path, `lies more than ${MAX_DEPTH} levels deep`)
    return false
  }
  if (typeof value === 'string' && isSecretValue(value)) refuse(path, IS_SECRET)
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(path, 'must be a number that JSON has')
  if (typeof value === 'bigint' || value === undefined) refuse(path, 'must be a value that JSON has')
  if (typeof value !== 'object' || value === null) return true
  let isWhole = true
  for (const [name, item] of Object.entries(value)) {
    // At its parent: the path would repeat it.
    if (isSecretValue(name)) refuse(path, IS_SECRET)
    else if (name === '__proto__') refuse([...path, name], 'cannot be sent; leave it out')
    else if (!Array.isArray(value) && isSecretName(name)) refuse([...path, name], IS_SECRET)
    else if (!refuseValues(item, [...path, name], refuse)) isWhole = false
  }
  return isWhole
}

const IS_SECRET =
  'looks like a credential, and plans and reports are published; name the environment variable of a key with "api-key-env"'

function isSecretValue(text: string): boolean {
  return secretValues.some((pattern) => pattern.test(text.trim()))
}

function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  if (words.some((word) => secretWords.has(word))) return true
  const ending = words.slice(0, words.findLastIndex((word) => !/^\d+$/.test(word)) + 1).join(' ')
  if (!/(keys?|token)\d*$/.test(ending)) return false
  return !harmlessEnds.some((end) => ending === end || ending.endsWith(` ${end}`))
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]))
}
