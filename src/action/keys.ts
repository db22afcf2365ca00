import { OPENROUTER_URL } from '../config/subject-source.ts'
import { variableOf } from './input-variable.ts'

/** Keys of a step, taken out of the environment that its children would inherit. */
export interface Keys {
  /** The environment for the library: this process's, with the keys. */
  readonly env: NodeJS.ProcessEnv
  /** Of GitHub; empty where there is none. */
  readonly token: string
  /** Values that no log may show. */
  readonly secrets: readonly string[]
  /** Whether a key of an endpoint, or one for a source tree, came with the step. */
  readonly hasKeys: boolean
  /** What the input of the key stands for, so that it reaches the endpoint that the other inputs describe. */
  readonly options: Readonly<Record<string, string>>
}

const DEFAULT_VARIABLE = 'OPENROUTER_API_KEY'
/** For an endpoint other than OpenRouter that is given by inputs with a key, but without the name of a variable. */
const OWN_VARIABLE = 'VOX_EFFICACY_API_KEY'
const ALWAYS = [DEFAULT_VARIABLE, OWN_VARIABLE, 'VOX_SOURCE_TOKEN']
const TOKEN_VARIABLES = ['GITHUB_TOKEN', 'GH_TOKEN']

/**
 * Takes keys and tokens out of `env`, which is this process's own: what it starts inherits that, and the toolkit gives
 * tar all of it. `named` are variables that a sweep file names as keys.
 */
export function takeKeys(env: NodeJS.ProcessEnv): Keys {
  const input = (name: string) => env[variableOf(name)]?.trim() ?? ''
  const apiKey = input('api-key')
  const named = input('api-key-env')
  const baseUrl = input('base-url')
  const isElsewhere = baseUrl !== '' && !baseUrl.startsWith(OPENROUTER_URL)
  const variable = isVariable(named) ? named : isElsewhere && apiKey !== '' ? OWN_VARIABLE : DEFAULT_VARIABLE
  const token = input('github-token')
  const own: NodeJS.ProcessEnv = Object.assign(Object.create(null), env)
  for (const name of ['api-key', 'github-token'].map(variableOf)) {
    delete own[name]
    delete env[name]
  }
  if (apiKey !== '') own[variable] = apiKey
  if (token !== '') own.GITHUB_TOKEN ??= token
  const names = new Set([...ALWAYS, variable])
  const keys = valuesOf(own, names)
  for (const name of [...names, ...TOKEN_VARIABLES]) delete env[name]
  return {
    env: own,
    token,
    secrets: [...new Set([...keys, token, ...valuesOf(own, new Set(TOKEN_VARIABLES))])].filter((text) => text !== ''),
    hasKeys: keys.length > 0,
    options: variable === OWN_VARIABLE ? { 'api-key-env': OWN_VARIABLE } : {},
  }
}

/** Whether a key can be in a variable of that name; inputs hold none but those that are taken. */
export function isVariable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^INPUT_/i.test(name) && name !== '__proto__'
}

/** Takes the variables out of this process's environment that a sweep file names as keys, and gives their values. */
export function takeNamedKeys(names: readonly string[], keys: Keys, env: NodeJS.ProcessEnv): string[] {
  for (const name of names) delete env[name]
  return valuesOf(keys.env, new Set(names))
}

/**
 * What an engine is built in the sight of: without what every step of a job has. The runner's own tokens are no nearer to a build in
 * this step than to one in another; what bounds them is the workflow's `permissions`. Of inputs, keys are gone already.
 */
export function withoutRunnerTokens(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isRunners = (name: string, value = '') =>
    /^(ACTIONS|INPUT)_/.test(name) || (TOKEN_VARIABLES.includes(name) && value.startsWith('ghs_'))
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isRunners(name, value)))
}

function valuesOf(env: NodeJS.ProcessEnv, names: ReadonlySet<string>): string[] {
  return [...names].flatMap((name) => {
    const value = env[name]?.trim() ?? ''
    return value === '' ? [] : [value]
  })
}
