import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { BenchError } from '../../../src/bench-error.ts'
import { fetchArchive } from '../../../src/engine/vox/archive-download.ts'
import { ownName } from '../../../src/engine/vox/leftovers.ts'
import { resolveVox, type VoxDeps } from '../../../src/engine/vox/resolve-vox.ts'
import { isInstalled, quickBuild, runProgram, temporaryFolder, testDeps } from './vox-workspace.ts'

vi.setConfig({ testTimeout: 120_000 })

/** As much of a vox as the smoke test asks for. */
const SMALL_VOX = `#!/bin/sh
case "$1" in
  --version) echo "vox 0.0.1" ;;
  check) echo "Check passed with 0 warning(s)" ;;
  run) sed -n 's/.*return "\\(.*\\)".*/\\1/p' "$4" ;;
esac
`

const sha256Of = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return folder
}

/** Packs a folder's entries with tar; flags such as `-czf` say how. */
function pack(folder: string, flags: string, ...entries: string[]): string {
  const file = path.join(temporaryFolder(), 'vox.archive')
  execFileSync('tar', [flags, file, '-C', folder, '-P', ...entries])
  return file
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/vox.tar.gz`
}

const resolveArchive = (url: string, sha256: string, deps: VoxDeps) =>
  resolveVox({ archive: { url, sha256 }, build: quickBuild }, deps)

const formats = [
  { flags: '-czf', tool: 'gzip' },
  { flags: '-cJf', tool: 'xz' },
  { flags: '-cf', tool: 'tar' },
]
test.for(formats)('an archive made with tar $flags gives its vox', async ({ flags, tool }, { skip }) => {
  if (!isInstalled(tool)) return skip(`there is no ${tool}`)
  const file = pack(folderOf({ 'vox-0.0.1/bin/vox': SMALL_VOX, 'vox-0.0.1/README': 'read me' }), flags, 'vox-0.0.1')
  const vox = await resolveArchive(file, sha256Of(file), testDeps().deps)
  expect(vox).toMatchObject({ provenance: 'archive', sourceCommit: null, toolchain: null, sourceGate: null })
  expect(runProgram(vox.executable, 'fn main() to str { return "seen" }\n')).toBe('seen\n')
})

test('a bare executable needs no archive', async () => {
  const file = path.join(folderOf({ 'vox-linux': SMALL_VOX }), 'vox-linux')
  const vox = await resolveArchive(file, sha256Of(file).toUpperCase(), testDeps().deps)
  expect(path.basename(vox.executable)).toBe('vox')
})

test('an archive is fetched once', async () => {
  const file = pack(folderOf({ vox: SMALL_VOX }), '-czf', 'vox')
  let requests = 0
  const url = await serve((_, response) => {
    requests++
    response.end(readFileSync(file))
  })
  const { deps, lines } = testDeps()
  const first = await resolveArchive(url, sha256Of(file), deps)
  expect(await resolveArchive(url, sha256Of(file), deps)).toEqual(first)
  expect(requests).toBe(1)
  expect(lines).toContain(`vox: archive ${sha256Of(file)} is in the work folder`)
})

test('a kept download that was changed is fetched again', async () => {
  const file = pack(folderOf({ vox: SMALL_VOX }), '-czf', 'vox')
  const { deps } = testDeps()
  await resolveArchive(file, sha256Of(file), deps)
  const kept = path.join(deps.workFolder, 'archives', sha256Of(file), 'download')
  writeFileSync(kept, 'something else')
  await resolveArchive(file, sha256Of(file), deps)
  expect(sha256Of(kept)).toBe(sha256Of(file))
})

test('an archive with another sha256 is not unpacked, and both are named', async () => {
  const file = pack(folderOf({ vox: SMALL_VOX }), '-czf', 'vox')
  const expected = 'ab'.repeat(32)
  const { deps } = testDeps()
  const error = await resolveArchive(file, expected, deps).catch((error) => error)
  expect(error).toMatchObject({ code: 'vox/wrong-sha256' })
  expect(error.message).toContain(expected)
  expect(error.message).toContain(sha256Of(file))
  expect(readdirSync(path.join(deps.workFolder, 'archives', expected))).toEqual([])
})

test('a sha256 that is none is refused', async () => {
  await expect(resolveArchive('/x', 'abc', testDeps().deps)).rejects.toMatchObject({ code: 'vox/bad-sha256' })
})

test.each(['http://example.org/vox.tar.gz', 'ftp://127.0.0.1/vox', 'https://[/vox', 'git@127.0.0.1:vox'])(
  'an address that anybody on the way could change is refused: %s',
  async (url) => {
    const refused = resolveArchive(url, 'ab'.repeat(32), testDeps().deps)
    await expect(refused).rejects.toMatchObject({ code: 'vox/bad-archive-url' })
  },
)

test.each(['/no/such/file', '/', 'vox:main', 'data:,x'])(
  'a file that cannot be read is the fault of who names it: %s',
  async (url) => {
    const error = await resolveArchive(url, 'ab'.repeat(32), testDeps().deps).catch((error) => error)
    expect(error).toMatchObject({ code: 'vox/no-archive' })
    expect(error.message).toContain(path.resolve(url))
  },
)

test('what a URL has to keep to itself is in no message or log', async () => {
  const file = pack(folderOf({ vox: SMALL_VOX }), '-czf', 'vox')
  const broken = path.join(folderOf({ vox: '#!/no/such/interpreter\n' }), 'vox')
  let answer: RequestListener = (_, response) => response.writeHead(403).end()
  const url = await serve((request, response) => answer(request, response))
  const { deps, lines } = testDeps()
  const errors: Error[] = []
  async function tryWith(url: string, sha256: string): Promise<void> {
    await resolveArchive(url, sha256, deps).catch((error) => errors.push(error))
  }
  const signed = `${url}?sig=SECRET#SECRET`
  await tryWith(signed, 'ab'.repeat(32))
  answer = (_, response) => response.end(readFileSync(file))
  await tryWith(signed, 'ab'.repeat(32))
  await tryWith(signed, sha256Of(file))
  answer = (_, response) => response.end(readFileSync(broken))
  await tryWith(signed, sha256Of(broken))
  answer = (_, response) => response.writeHead(302, { location: 'http://SECRET@[::1]:1/x?SECRET' }).end()
  await tryWith(signed, 'cd'.repeat(32))
  await tryWith(url.replace('//', '//SECRET:SECRET@'), 'ab'.repeat(32))
  await tryWith('ftp://SECRET@127.0.0.1/vox?SECRET', 'ab'.repeat(32))
  await tryWith('https://SECRET@[/vox?SECRET', 'ab'.repeat(32))
  expect(errors).toHaveLength(7)
  const said = [...lines, ...errors.flatMap((error) => [error.message, (error as BenchError).hint])].join('\n')
  expect(said).toContain(`vox: vox 0.0.1 from ${url}`)
  expect(said).not.toContain('SECRET')
})

test('a server that does not give the archive is told', async () => {
  const { deps } = testDeps()
  const url = await serve((_, response) => response.writeHead(404).end())
  const error = await resolveArchive(url, 'ab'.repeat(32), deps).catch((error) => error)
  expect(error).toMatchObject({ code: 'infra/vox-download' })
  expect(error.message).toContain('404')
})

test('a server that sends nothing is not waited for without end, and what came is told', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200)
    response.write('half')
  })
  const { lines, deps } = testDeps()
  const folder = temporaryFolder()
  const archive = { url, sha256: 'ab'.repeat(32) }
  const error = await fetchArchive(archive, path.join(folder, 'download'), deps, 300).catch((error) => error)
  expect(error).toMatchObject({ code: 'infra/vox-download' })
  expect(error.message).toContain('nothing came for 1 s')
  expect(lines).toEqual([`vox: fetching ${url}`])
  expect(readdirSync(folder)).toEqual([])
})

test('what comes slowly is fetched whole and told as it comes', async () => {
  const url = await serve((_, response) => {
    let pieces = 0
    const timer = setInterval(() => {
      response.write(Buffer.alloc(2 ** 20))
      if (++pieces < 6) return
      clearInterval(timer)
      response.end()
    }, 300)
  })
  const { deps, progress } = testDeps()
  const sha256 = createHash('sha256')
    .update(Buffer.alloc(6 * 2 ** 20))
    .digest('hex')
  await fetchArchive({ url, sha256 }, path.join(temporaryFolder(), 'download'), deps, 20_000)
  expect(progress[0]).toMatch(/^vox: [1-6]\.\d MiB fetched$/)
})

test('what a killed run left of a download is removed, what a live one has is not', async () => {
  const file = pack(folderOf({ vox: SMALL_VOX }), '-czf', 'vox')
  const { deps } = testDeps()
  const folder = path.join(deps.workFolder, 'archives', sha256Of(file))
  mkdirSync(folder, { recursive: true })
  const live = ownName('download')
  const { pid: dead } = spawnSync('true')
  const left = ['download', 'unpacked'].map((name) => ownName(name).replace(`-${process.pid}-`, `-${dead}-`))
  for (const name of [live, ...left]) mkdirSync(path.join(folder, name))
  await resolveArchive(file, sha256Of(file), deps)
  expect(readdirSync(folder).sort()).toEqual(['bin', 'download', live])
})

test.each([
  ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
  ['a folder', (file: string) => mkdirSync(file)],
])('%s in the place of an archive or of a kept download is not read', async (_, make) => {
  const pipe = path.join(temporaryFolder(), 'vox.tar.gz')
  make(pipe)
  const { deps } = testDeps()
  await expect(resolveArchive(pipe, 'ab'.repeat(32), deps)).rejects.toMatchObject({ code: 'vox/no-archive' })
  const file = pack(folderOf({ vox: SMALL_VOX }), '-czf', 'vox')
  const folder = path.join(deps.workFolder, 'archives', sha256Of(file))
  mkdirSync(folder, { recursive: true })
  make(path.join(folder, 'download'))
  expect(await resolveArchive(file, sha256Of(file), deps)).toMatchObject({ provenance: 'archive' })
})

test('a host that is not reached is told with the reason', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  for (const [url, reason] of [
    [`http://127.0.0.1:${port}/vox`, 'the connection is refused'],
    ['https://no-such-host.invalid/vox', 'host'],
  ] as const) {
    const error = await resolveArchive(url, 'ab'.repeat(32), testDeps().deps).catch((error) => error)
    expect(error).toMatchObject({ code: 'infra/vox-download' })
    expect(error.message).toContain(reason)
    expect(error.message).not.toContain('fetch failed')
  }
})

test('a redirection is followed to where an archive may come from, and not asked for elsewhere', async () => {
  const file = pack(folderOf({ vox: SMALL_VOX }), '-czf', 'vox')
  const asked: (string | undefined)[] = []
  // Reached by a name that is not the loopback's.
  const elsewhere = (
    await serve((request, response) => {
      asked.push(request.headers.host)
      response.end()
    })
  ).replace('127.0.0.1', '0.0.0.0')
  const url = await serve((request, response) => {
    if (request.url === '/good') return void response.end(readFileSync(file))
    const location = request.url === '/bad' ? elsewhere : request.url === '/round' ? '/round' : '/good'
    response.writeHead(302, { location }).end()
  })
  expect(await resolveArchive(url, sha256Of(file), testDeps().deps)).toMatchObject({ provenance: 'archive' })
  const failure = async (name: string) =>
    resolveArchive(new URL(name, url).href, sha256Of(file), testDeps().deps).catch((error) => error)
  expect(await failure('/bad')).toMatchObject({ code: 'vox/bad-archive-url' })
  expect(asked).toEqual([])
  const round = await failure('/round')
  expect(round).toMatchObject({ code: 'infra/vox-download' })
  expect(round.message).toContain('redirected more than 5 times')
})

test('a full disk is the reason when an archive does not fit', async ({ skip }) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return skip('mounting a small disk needs root on Linux')
  const disk = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
  onTestFinished(() => void spawnSync('umount', ['--lazy', disk]))
  const file = path.join(temporaryFolder(), 'vox')
  writeFileSync(file, Buffer.alloc(2 ** 21))
  const { deps } = testDeps({ workFolder: path.join(disk, 'work') })
  const error = await resolveArchive(file, sha256Of(file), deps).catch((error) => error)
  expect(error).toMatchObject({ code: 'infra/vox-disk' })
  expect(readdirSync(path.join(disk, 'work', 'archives', sha256Of(file)))).toEqual([])
  return undefined
})

test('a download that breaks off leaves nothing', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('half')
    setTimeout(() => response.destroy(), 20)
  })
  const { deps } = testDeps()
  await expect(resolveArchive(url, 'ab'.repeat(32), deps)).rejects.toMatchObject({ code: 'infra/vox-download' })
  expect(readdirSync(path.join(deps.workFolder, 'archives', 'ab'.repeat(32)))).toEqual([])
})

test('an entry that leaves the folder is refused before anything is unpacked', async () => {
  const folder = folderOf({ 'inner/vox': SMALL_VOX, 'escaped.txt': 'x' })
  const file = pack(path.join(folder, 'inner'), '-czf', 'vox', '../escaped.txt')
  const { deps } = testDeps()
  const error = await resolveArchive(file, sha256Of(file), deps).catch((error) => error)
  expect(error).toMatchObject({ code: 'vox/bad-archive' })
  expect(error.message).toContain('../escaped.txt')
  const kept = readdirSync(deps.workFolder, { recursive: true, encoding: 'utf8' })
  expect(kept.some((name) => name.endsWith('escaped.txt'))).toBe(false)
})

test('a link named vox is no vox', async () => {
  const folder = temporaryFolder()
  symlinkSync(process.execPath, path.join(folder, 'vox'))
  const file = pack(folder, '-czf', 'vox')
  const error = await resolveArchive(file, sha256Of(file), testDeps().deps).catch((error) => error)
  expect(error).toMatchObject({ code: 'vox/bad-archive' })
  expect(error.message).toContain('no file named vox')
})

test('a file written through a link of the archive does not land outside', async () => {
  const outside = temporaryFolder()
  const [first, second] = [temporaryFolder(), folderOf({ 'way/vox': SMALL_VOX })]
  symlinkSync(outside, path.join(first, 'way'))
  const file = pack(first, '-cf', 'way')
  execFileSync('tar', ['-rf', file, '-C', second, 'way/vox'])
  await resolveArchive(file, sha256Of(file), testDeps().deps).catch(() => {})
  expect(existsSync(path.join(outside, 'vox'))).toBe(false)
})

test('several files named vox are refused by name', async () => {
  const file = pack(folderOf({ 'a/vox': SMALL_VOX, 'b/vox': SMALL_VOX }), '-czf', 'a', 'b')
  const error = await resolveArchive(file, sha256Of(file), testDeps().deps).catch((error) => error)
  expect(error.message).toContain('a/vox, b/vox')
})

test('a damaged archive is told', async () => {
  const file = path.join(temporaryFolder(), 'vox.tar.gz')
  writeFileSync(file, Buffer.concat([Buffer.from('1f8b0800', 'hex'), Buffer.alloc(64, 7)]))
  const error = await resolveArchive(file, sha256Of(file), testDeps().deps).catch((error) => error)
  expect(error).toMatchObject({ code: 'vox/bad-archive' })
})

test.each([
  ['says another name', SMALL_VOX.replace('vox 0.0.1', 'node 1'), 'it calls itself "node 1"'],
  [
    'fails to check',
    SMALL_VOX.replace('check) echo', 'check) exit 3; echo'),
    'check of a one-line program: exit code 3',
  ],
  ['runs wrongly', SMALL_VOX.replace('run) sed', 'run) echo 42; true'), 'run of a one-line program: exit code 0\n42'],
  ['cannot be started', '#!/no/such/interpreter\n', 'does not work here: '],
])('an executable that %s is refused with what it said', async (_, text, reason) => {
  const file = path.join(folderOf({ vox: text }), 'vox')
  const error = await resolveArchive(file, sha256Of(file), testDeps().deps).catch((error) => error)
  expect(error).toMatchObject({ code: 'vox/smoke-test-failed' })
  expect(error.message).toContain(reason)
})

test('an archive comes before a source', async () => {
  const file = path.join(folderOf({ vox: SMALL_VOX }), 'vox')
  const request = {
    archive: { url: file, sha256: sha256Of(file) },
    source: { location: '/no/such' },
    build: quickBuild,
  }
  expect(await resolveVox(request, testDeps().deps)).toMatchObject({ provenance: 'archive' })
  rmSync(file)
})
