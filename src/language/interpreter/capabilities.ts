/** Namespaces without host access; never gated. */
const PURE_NAMESPACES: ReadonlySet<string> = new Set('path json csv toml yaml regex log db repo'.split(' '))
const GATED_NAMESPACES = 'fs io process env secrets http time agentos crypto'.split(' ')

export interface Capabilities {
  /** Gated namespaces the program may use. */
  readonly allowed: ReadonlySet<string>
}

export type CapabilitiesResult =
  | { readonly kind: 'granted'; readonly capabilities: Capabilities }
  /** A malformed token; `message` is Vox's text for it. */
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'unsupported'; readonly reason: string }

export function allowsNamespace(capabilities: Capabilities, namespace: string): boolean {
  return PURE_NAMESPACES.has(namespace) || capabilities.allowed.has(namespace)
}

/**
 * Rights of a run: those of the `--caps` tokens when there are any, else of a `// vox:caps ` directive
 * on the very first line of the source as it stands in the file, else all of them.
 */
export function grantCapabilities(source: string, tokens: readonly string[]): CapabilitiesResult {
  if (tokens.length > 0) return grantTokens(tokens)
  const directive = '// vox:caps '
  if (!source.startsWith(directive)) return granted(GATED_NAMESPACES)
  let words = source.split('\n', 1)[0] ?? ''
  while (words.startsWith(directive)) words = words.slice(directive.length)
  return granted(words.split(/\p{White_Space}+/u).flatMap(namespacesOfWord))
}

function granted(namespaces: readonly string[]): CapabilitiesResult {
  return { kind: 'granted', capabilities: { allowed: new Set(namespaces) } }
}

function namespacesOfWord(word: string): readonly string[] {
  if (word === 'fs') return ['fs', 'io']
  if (word === 'subprocess') return ['process']
  if (word === 'net') return ['http']
  return word === '' ? [] : [word]
}

function grantTokens(specs: readonly string[]): CapabilitiesResult {
  const allowed: string[] = []
  for (const token of specs.flatMap((spec) => spec.split(',')).map((part) => part.trim())) {
    if (token === '') continue
    const outcome = readToken(token)
    if ('why' in outcome)
      return { kind: 'invalid', message: `invalid --caps token ${JSON.stringify(token)}: ${outcome.why}` }
    if ('reason' in outcome) return { kind: 'unsupported', reason: outcome.reason }
    allowed.push(...outcome.namespaces)
  }
  return granted(allowed)
}

type TokenOutcome = { readonly namespaces: readonly string[] } | { readonly why: string } | { readonly reason: string }

/** One `namespace:value` token. Folder roots cannot be looked up here: this interpreter sees no files. */
function readToken(token: string): TokenOutcome {
  if (token === 'deterministic') return { namespaces: ['time', 'crypto'] }
  const colon = token.indexOf(':')
  if (colon < 0) return { why: 'expected ns:value' }
  const namespace = token.slice(0, colon)
  const value = token.slice(colon + 1)
  switch (namespace) {
    case 'fs':
      if (!/^r[ow]=/.test(value)) return { why: 'fs takes ro=<dir> or rw=<dir>' }
      if (value.length === 3) return { why: 'fs needs a directory' }
      if (value.includes('|')) return { why: 'one directory per token; repeat fs:ro=/fs:rw=' }
      return { reason: 'capability token with a folder' }
    case 'io':
      return { why: 'io is covered by fs:ro= / fs:rw=' }
    case 'net':
    case 'http':
      return choose(value, { allow: ['http'], none: [] }, 'net takes none|allow')
    case 'env':
      return choose(value, { ro: ['env'], rw: ['env'], none: [] }, 'env takes none|ro|rw')
    case 'time':
      if (value.startsWith('frozen='))
        return /^frozen=\+?\d+$/.test(value) ? { namespaces: ['time'] } : { why: 'frozen= needs integer ms' }
      return choose(value, { real: ['time'] }, 'time takes real|frozen=<ms>')
    case 'random':
      if (value.startsWith('seed='))
        return /^seed=\+?\d+$/.test(value) ? { namespaces: ['crypto'] } : { why: 'seed= needs a u64' }
      return choose(value, { deny: [] }, 'random takes seed=<u64>|deny')
    case 'process':
    case 'secrets':
    case 'agentos':
      return choose(value, { allow: [namespace], none: [] }, 'expected none|allow')
    default:
      return { why: 'unknown namespace' }
  }
}

function choose(value: string, choices: Readonly<Record<string, readonly string[]>>, why: string): TokenOutcome {
  const namespaces = Object.hasOwn(choices, value) ? choices[value] : undefined
  return namespaces === undefined ? { why } : { namespaces }
}
