import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** Canaries by the name of the variable that holds them. */
export type Secrets = Readonly<Record<string, string>>

/** Pieces of a secret that are this long count as the secret. */
const PIECE = 8
/** Letters that neither hashes nor words are made of, so that a piece of a canary is found nowhere by chance. */
export const CANARY_LETTERS = 'ghjkmnpqrtvwxz'
const RUN_OF_LETTERS = new RegExp(`[${CANARY_LETTERS}]{${PIECE},}`, 'g')

/** How a secret may stand in a text, written down apart from what masks it. */
export function writingsOf(secret: string): ReadonlyMap<string, readonly string[]> {
  const json = JSON.stringify(secret).slice(1, -1)
  const isPlain = /^[A-Za-z0-9]*$/.test(secret)
  return new Map([
    ['as it is', [secret]],
    ['in JSON', [json, inAscii(json)]],
    ['in JSON within JSON', [JSON.stringify(json).slice(1, -1)]],
    ['in HTML', [inHtml(secret, '&quot;'), inHtml(secret, '&#34;'), inHtml(secret, '&#x22;')]],
    ['in HTML by numbers', [inNumbers(secret, 10), inNumbers(secret, 16)]],
    ['in a URL', isPlain ? [] : [inUrl(secret), inUrl(secret).replaceAll(/%../g, (code) => code.toLowerCase())]],
    ['in a URL of Latin-1', isPlain ? [] : [escape(secret).replaceAll('+', '%2B')]],
    ['in base64', ['utf8', 'latin1'].flatMap((encoding) => inBase64(Buffer.from(secret, encoding as BufferEncoding)))],
    ['in pieces', piecesOf(secret)],
  ])
}

function inAscii(json: string): string {
  return json.replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function inHtml(text: string, quote: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', quote)
}

function inNumbers(text: string, base: 10 | 16): string {
  const number = (letter: string) => `&#${base === 16 ? 'x' : ''}${letter.charCodeAt(0).toString(base)};`
  return text.replaceAll(/[^A-Za-z0-9]/g, number)
}

function inUrl(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*~.-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
}

/** What is the same of a text's base64 whatever stands around it, for each of the three places it may begin at. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const whole = Math.floor(((before + bytes.length) * 4) / 3)
    const kept = text.slice([0, 2, 3][before], whole)
    return [kept, kept.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function piecesOf(secret: string): string[] {
  return [...secret.matchAll(RUN_OF_LETTERS)].flatMap(([run]) =>
    Array.from({ length: run.length - PIECE + 1 }, (_, at) => run.slice(at, at + PIECE)),
  )
}

/** Finds secrets in bytes; a piece is told only where nothing more of the secret is found. */
export function createSearch(secrets: Secrets): (bytes: Buffer | string) => readonly string[] {
  const sought = Object.entries(secrets).map(([name, secret]) => ({
    name,
    // Bytes are read as Latin-1, so that nothing of a file that is no UTF-8 is lost.
    writings: [...writingsOf(secret)].map(([writing, texts]) => ({
      writing,
      texts: [...new Set(texts.flatMap((text) => [text, Buffer.from(text).toString('latin1')]))],
    })),
  }))
  return (bytes) => {
    const text = (typeof bytes === 'string' ? Buffer.from(bytes) : bytes).toString('latin1')
    return sought.flatMap(({ name, writings }) => {
      const found = writings.filter(({ texts }) => texts.some((each) => text.includes(each)))
      const [first] = found
      return first === undefined ? [] : [`${name} ${first.writing}`]
    })
  }
}

/** Every secret below a folder: in the names of files and folders, in what they hold, in where links lead. */
export function findInFolder(folder: string, search: ReturnType<typeof createSearch>): readonly string[] {
  const found: string[] = []
  for (const name of namesBelow(folder)) {
    const file = path.join(folder, name)
    try {
      const stat = lstatSync(file)
      const inside = stat.isFile() ? readFileSync(file) : stat.isSymbolicLink() ? readlinkSync(file) : ''
      found.push(...[...search(name), ...search(inside)].map((what) => `${name}: ${what}`))
    } catch (error) {
      // Files of a run under way come and go.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return found
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * Every secret in arguments and environments of the processes of this machine, but in the environments of those whose arguments are
 * `bearer`, which was given them: the process itself, and what it forks before that becomes another program.
 */
export function findInProcesses(bearer: Buffer, search: ReturnType<typeof createSearch>): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return pids.flatMap((pid) => {
    // In this order: what has other arguments by now is another program, and so is its environment.
    const first = readProc(`/proc/${pid}/cmdline`)
    // Without arguments it is just becoming a program, or is one of the kernel's.
    const command = first.length > 0 ? first : readProc(`/proc/${pid}/cmdline`)
    const environment = command.equals(bearer) ? '' : readProc(`/proc/${pid}/environ`)
    const name = command.toString().split('\0').slice(0, 2).join(' ')
    return [
      ...search(command).map((what) => `arguments of ${name}: ${what}`),
      ...search(environment).map((what) => `environment of ${name}: ${what}`),
    ]
  })
}

function readProc(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.of()
  }
}
