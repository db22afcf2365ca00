import manifest from '../package.json' with { type: 'json' }

/** The version of the tool, as in package.json. */
export const VERSION: string = manifest.version
