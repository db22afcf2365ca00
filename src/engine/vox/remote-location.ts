const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const SHORT_FORM = /^[\w.-]+@[\w.-]+:/
const URLS = /[a-z][a-z0-9+.-]*:\/\/\S*/gi

/**
 * Whether a location is a URL, or git's short form `user@host:path`, rather than a path; a drive letter is no scheme. The configuration
 * has the same rule.
 */
export function isRemote(location: string): boolean {
  return SCHEME.test(location) || isShortForm(location)
}

export function isShortForm(location: string): boolean {
  return SHORT_FORM.test(location)
}

/** Whether a URL stays on this machine, where unencrypted http is fine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

/** What of a location may be shown: a URL without user, password, query and fragment, each of which may be a key. */
export function publicPart(location: string): string {
  if (!SCHEME.test(location)) return location
  return location.replace(/[?#].*$/s, '').replace(/^([^/]+:\/\/)[^/]*@/, '$1')
}

/** The words of a tool that was given `location`, with only the public part of it and of every other URL. */
export function hideKeys(text: string, location: string): string {
  return text.replaceAll(location, publicPart(location)).replace(URLS, publicPart)
}
