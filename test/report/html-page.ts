/** One tag of a page, read strictly. */
export interface Tag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
}

const VOID = new Set(['meta', 'br', 'input', 'img', 'link'])
/** Elements of drawings that close themselves. */
const TAG = /<(\/?)([a-z0-9]+)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*(\/?)>/gy

/**
 * Reads a page much more strictly than a browser: lower-case tags, attributes in double quotes, every element closed in
 * order, no bare `<`. What gets through has no markup but what the program meant.
 * @throws Error naming the place that is out of order.
 */
export function readPage(page: string): { readonly tags: readonly Tag[]; readonly text: string } {
  const tags: Tag[] = []
  const open: string[] = []
  let text = ''
  let at = page.indexOf('<html')
  if (page.slice(0, at) !== '<!doctype html>\n') throw new Error('no doctype')
  while (at < page.length) {
    const next = page.indexOf('<', at)
    text += page.slice(at, next === -1 ? undefined : next)
    if (next === -1) break
    TAG.lastIndex = next
    const match = TAG.exec(page)
    if (match === null) throw new Error(`no tag at ${next}: ${page.slice(next, next + 120)}`)
    at = TAG.lastIndex
    const [, isEnd, name = '', attributes = '', isClosed] = match
    if (isEnd !== '') {
      if (open.pop() !== name) throw new Error(`</${name}> out of order: ${page.slice(next - 120, at)}`)
      continue
    }
    tags.push({ name, attributes: readAttributes(attributes) })
    if (isClosed === '' && !VOID.has(name)) open.push(name)
    if (name === 'style') {
      const end = page.indexOf('</style>', at)
      at = end
    }
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join(', ')}`)
  return { tags, text: withoutReferences(text) }
}

function readAttributes(text: string): Map<string, string> {
  return new Map([...text.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, value]))
}

function withoutReferences(text: string): string {
  return text.replace(
    /&(lt|gt|quot|amp|#39);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" })[name] ?? '',
  )
}
