import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SandboxLevel } from '../../../src/engine/engine.ts'
import { findTool } from '../../../src/engine/sandbox/host-tools.ts'
import { buildDriver, countProcesses, type DrivenSandbox, driveSandbox } from './driven-sandbox.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const isRoot = process.getuid?.() === 0
/** An ordinary user for the tests; it need not exist. */
const ORDINARY = 1001

interface Case {
  readonly level: SandboxLevel
  /** Null for the user of the tests. */
  readonly uid: number | null
  /** Whether a total size holds for what a call writes. */
  readonly isScratchLimited: boolean
  /** Whether processes are counted for one slot alone. */
  readonly isCountPrivate: boolean
}

const bubblewrap = { isScratchLimited: true, isCountPrivate: true }
const landlock = { isScratchLimited: false }
const cases: readonly Case[] = isRoot
  ? [
      { level: 'bubblewrap-root', uid: null, ...bubblewrap },
      { level: 'landlock', uid: null, ...landlock, isCountPrivate: true },
      { level: 'bubblewrap', uid: ORDINARY, ...bubblewrap },
      { level: 'bubblewrap-sudo', uid: ORDINARY, ...bubblewrap },
      { level: 'landlock', uid: ORDINARY, ...landlock, isCountPrivate: false },
    ]
  : [
      { level: 'bubblewrap', uid: null, ...bubblewrap },
      { level: 'bubblewrap-sudo', uid: null, ...bubblewrap },
      { level: 'landlock', uid: null, ...landlock, isCountPrivate: false },
    ]

/** A Perl script that makes system calls by their numbers on x86-64 and ARM64, and prints the error of each, 0 for none. */
const SYSTEM_CALLS = `
use POSIX ();
my $column = (POSIX::uname())[4] eq 'x86_64' ? 0 : 1;
my $word = 'vox';
sub try { my ($name, $numbers, @rest) = @_; $! = 0; syscall($numbers->[$column], @rest); print "$name ", $! + 0, "\n" }
try('add_key', [248, 217], $word, $word, $word, 3, -3);
try('keyctl', [250, 219], 0, -3, 1);
try('msgget', [68, 186], 0, 01600);
try('semget', [64, 190], 0, 1, 01600);
try('shmget', [29, 194], 0, 4096, 01600);
try('mq_open', [240, 180], $word, 0102, 0600, 0);
try('unshare', [272, 97], 0x10000000);
try('setns', [308, 268], 0, 0);
try('clone', [56, 220], 0x10000000, 0, 0, 0, 0);
try('clone3', [435, 435], 0, 0);
try('unix', [41, 198], 1, 1, 0);
try('udp', [41, 198], 2, 2, 0);
try('netlink', [41, 198], 16, 3, 0);
try('datagrams', [53, 199], 1, 2, 0, my $pair = ' ' x 8);
try('own-streams', [53, 199], 1, 1, 0, $pair);
try('own-limits', [302, 261], 0, 7, 0, my $limits = ' ' x 16);
try('prlimit', [302, 261], getppid, 7, 0, $limits);
try('io_uring_setup', [425, 425], 1, 0);
try('memfd_create', [319, 279], $word, 0);
try('ptrace', [101, 117], 0, 0, 0, 0);
`

/** What this machine lacks for a level; of what is there every test must pass. */
function lackOf({ level, uid }: Case): string | null {
  if (process.platform !== 'linux') return 'Linux only'
  const needed =
    level === 'landlock' ? ['perl'] : level === 'bubblewrap-sudo' ? ['bwrap', 'setpriv', 'sudo'] : ['bwrap']
  const tool = needed.find((name) => findTool(name) === null)
  if (tool !== undefined) return `${tool} is not installed`
  if (level !== 'bubblewrap-sudo') return null
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore', ...(uid === null ? {} : { uid, gid: uid }) })
    return null
  } catch {
    return 'this user may not use sudo without a password'
  }
}

let driver: string
let outside: string
/** Holds the driver, and the folders of harnesses: one that is killed leaves some. */
let scratch: string
let tcp: Server
let udp: Socket
let heard: string[] = []
const secret = `secret-${randomBytes(8).toString('hex')}`
const newMarker = () => `vox-marker-${randomBytes(8).toString('hex')}`

beforeAll(async () => {
  // Open to every user, so that only the sandbox keeps a program out.
  outside = await mkdtemp(path.join(tmpdir(), 'vox-outside-'))
  scratch = await mkdtemp(path.join(tmpdir(), 'vox-scratch-'))
  await Promise.all([outside, scratch].map((folder) => chmod(folder, 0o777)))
  driver = await buildDriver(scratch)
  await writeFile(path.join(outside, 'secret.txt'), secret)
  await writeFile(path.join(outside, 'engine.txt'), 'readable')
  tcp = createServer((socket) => {
    heard.push('tcp')
    socket.destroy()
  })
  udp = createSocket('udp4').on('message', (message) => heard.push(message.toString('latin1')))
  await Promise.all([once(tcp.listen(0, '127.0.0.1'), 'listening'), once(udp.bind(0, '127.0.0.1'), 'listening')])
})
afterAll(async () => {
  tcp.close()
  udp.close()
  await Promise.all([outside, scratch].map((folder) => rm(folder, { recursive: true })))
})

for (const where of cases) {
  const lack = lackOf(where)
  const name = `${where.level} as ${(where.uid ?? process.getuid?.()) === 0 ? 'root' : 'an ordinary user'}`
  describe.skipIf(lack !== null)(lack === null ? name : `${name} (skipped: ${lack})`, () => {
    let sandbox: DrivenSandbox
    const open = (readable: readonly string[] = []) =>
      driveSandbox(driver, {
        level: where.level,
        uid: where.uid,
        readable: [process.execPath, path.join(outside, 'engine.txt'), ...readable],
        env: { PATH: process.env.PATH ?? '', TMPDIR: scratch, VOX_TEST_KEY: secret },
      })
    beforeAll(async () => {
      sandbox = await open()
    })
    afterAll(() => sandbox.close())

    test('the probe finds closed what the level promises', () => {
      const { tcp, udp, reads, writes, processes, survivors } = sandbox.report.closed
      expect(sandbox.report.level).toBe(where.level)
      expect([tcp, udp, reads, writes, processes, survivors]).toEqual([true, true, true, true, true, true])
    })

    test('no TCP connection gets out', async () => {
      heard = []
      const { port } = tcp.address() as { port: number }
      const { stdout } = await sandbox.node(
        `require('node:net').connect(${port}, '127.0.0.1').on('error', () => console.log('refused')).on('connect', () => process.exit())`,
      )
      expect(stdout.lastLine).toBe('refused')
      expect(heard).toEqual([])
    })

    test('no datagram gets out, nor a question to a name server', async () => {
      heard = []
      const { port } = udp.address()
      await sandbox.node(`
        process.on('uncaughtException', () => {})
        require('node:dgram').createSocket('udp4').send('datagram', ${port}, '127.0.0.1')
        const { Resolver } = require('node:dns')
        const resolver = new Resolver({ timeout: 100, tries: 1 })
        resolver.setServers(['127.0.0.1:${port}'])
        resolver.resolve4('canary.test', () => process.exit())
        setTimeout(() => process.exit(), 400)`)
      await delay(50)
      expect(heard).toEqual([])
    })

    test('system calls that lead out, or leave something behind, are refused', async () => {
      const { stdout } = await sandbox.sh(`perl "$0"`, { program: SYSTEM_CALLS })
      const found = Object.fromEntries(
        stdout.head
          .trim()
          .split('\n')
          .map((line) => line.split(' ')),
      )
      const { EPERM, ENOSYS } = constants.errno
      for (const [name, errno] of Object.entries(found)) {
        const isUnknown = ['clone3', 'io_uring_setup', 'memfd_create'].includes(name)
        const isAllowed = name.startsWith('own-')
        expect([name, errno]).toEqual([name, String(isAllowed ? 0 : isUnknown ? ENOSYS : EPERM)])
      }
      expect(Object.keys(found)).toHaveLength(20)
    })

    test('Node starts workers and other programs', async () => {
      const { stdout } = await sandbox.node(`
        const { Worker } = require('node:worker_threads')
        const { execFile } = require('node:child_process')
        new Worker('require("node:worker_threads").parentPort.postMessage("worker")', { eval: true }).on('message', (said) => {
          execFile('/bin/sh', ['-c', 'echo shell'], (_, text) => console.log(said, text.trim()))
        })`)
      expect(stdout.lastLine).toBe('worker shell')
    })

    test('the times of what it shares with the host stay as they are', async () => {
      const files = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom', '/usr/bin/env']
      const times = () => files.map((file) => statSync(file).mtimeMs)
      const before = times()
      const { stdout } = await sandbox.sh(`touch ${files.join(' ')}; head -c 3 /dev/zero > /dev/null && echo usable`)
      expect(stdout.lastLine).toBe('usable')
      expect(times()).toEqual(before)
    })

    test('what was given is readable, the file beside it is not', async () => {
      const { stdout } = await sandbox.sh(`cat ${outside}/engine.txt ${outside}/secret.txt; ls ${outside}`)
      expect(stdout.head).toContain('readable')
      expect(stdout.head).not.toContain('secret')
    })

    test('nothing it writes elsewhere reaches the host', async () => {
      const file = newMarker()
      const folders = [outside, '/tmp', '/var/tmp', '/dev/shm', '/', '/usr/local', '/etc']
      const script = folders.map((folder) => `echo x > ${folder}/${file}; ln -s /etc/passwd ${folder}/${file}-link`)
      await sandbox.sh(script.join('\n'))
      expect(folders.filter((folder) => existsSync(path.join(folder, file)))).toEqual([])
    })

    test('no environment of another process can be read', async () => {
      const { stdout } = await sandbox.sh('cat /proc/*/environ; cat /proc/$PPID/environ; env')
      expect(stdout.head).toContain('PATH=')
      expect(stdout.head + stdout.tail).not.toContain(secret)
    })

    test('its environment holds six harmless variables at most', async () => {
      const { stdout } = await sandbox.sh('env')
      const names = stdout.head
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0])
      expect(
        names.filter((name) => !['HOME', 'LANG', 'NO_COLOR', 'PATH', 'PWD', 'TMPDIR'].includes(name ?? '')),
      ).toEqual([])
    })

    test('no signal reaches the harness', async () => {
      const { pid } = sandbox.harness
      await sandbox.sh(`kill -KILL ${pid}; kill -KILL $PPID; kill -KILL -1; true`)
      expect((await sandbox.sh('echo alive')).stdout.lastLine).toBe('alive')
    })

    test('a process that left its session is gone when the call is over', async () => {
      const marker = newMarker()
      const { end } = await sandbox.sh(
        `setsid sh -c 'exec </dev/null >/dev/null 2>&1; sleep 60; : ${marker}' & sleep 0.2`,
      )
      expect(end).toEqual({ kind: 'exited', code: 0 })
      expect(countProcesses(marker)).toBe(0)
    })

    test('a process that left its session is gone after a timeout', async () => {
      const marker = newMarker()
      const limits = { wallMs: 500 }
      const { end } = await sandbox.sh(`setsid sh -c 'sleep 60; : ${marker}' & sleep 60`, { limits })
      expect(end.kind).toBe('timeout')
      expect(countProcesses(marker)).toBe(0)
    })

    test('nothing outlives a harness that is killed', async () => {
      const other = await open()
      const marker = newMarker()
      other.sh(`setsid sh -c 'sleep 60; : ${marker}' & sleep 60`).catch(() => {})
      // An argument that ends so is the program's own: before it runs, the sandbox may not have bound its life to ours.
      await expect.poll(() => countProcesses(`${marker}\0`), { timeout: 30_000 }).toBeGreaterThan(0)
      other.harness.kill('SIGKILL')
      await expect.poll(() => countProcesses(marker), { timeout: 30_000 }).toBe(0)
    })

    test('a fork bomb hurts neither the other slots nor the next call of its own', async () => {
      const marker = newMarker()
      const bomb = sandbox.sh(`exec perl -e 'fork while 1' ${marker}`, { limits: { wallMs: 1500 } })
      const limits = { wallMs: 60_000 }
      const beside = where.isCountPrivate ? await sandbox.node('console.log("fine")', { slot: 1, limits }) : null
      const { end } = await bomb
      const after = await sandbox.node('console.log("fine")', { limits })
      expect(end.kind).toBe('timeout')
      expect(countProcesses(marker)).toBe(0)
      expect(beside?.stdout.lastLine ?? 'fine').toBe('fine')
      expect(after.stdout.lastLine).toBe('fine')
    })

    test('memory is limited', async () => {
      const limits = { memoryBytes: 256 * 1024 * 1024 }
      const little = await sandbox.sh(`perl -e '$x = "a" x 5e7; print "got it"'`, { limits })
      const much = await sandbox.sh(`perl -e '$x = "a" x 5e8; print "got it"'`, { limits })
      const inNode = await sandbox.node(
        'const kept = []; for (let n = 0; n < 100; n++) kept.push(Buffer.alloc(2 ** 24, 1)); console.log("got it")',
        { limits },
      )
      expect(little.stdout.lastLine).toBe('got it')
      expect(much.stdout.lastLine).toBe('')
      expect(inNode.stdout.lastLine).toBe('')
    })

    test('the size of a file is limited, and of all files where it is said', async () => {
      const { stdout } = await sandbox.sh(`
        head -c 50000000 /dev/zero > a 2>/dev/null
        wc -c < a
        for name in b c d; do head -c 30000000 /dev/zero > $name; done 2>/dev/null
        cat a b c d | wc -c`)
      const [one = 0, all = 0] = stdout.head.trim().split('\n').map(Number)
      expect(one).toBe(32 * 1024 * 1024)
      if (where.isScratchLimited) expect(all).toBeLessThanOrEqual(64 * 1024 * 1024)
    })

    test('the program can be read and not be changed', async () => {
      const { stdout } = await sandbox.sh('echo spoiled > "$0"; cat "$0"', { program: 'as it was\n' })
      expect(stdout.head).toBe('as it was\n')
    })

    test('a call can write in its folder, and the next one finds nothing of it', async () => {
      const script = 'ls -A; mkdir .vox && echo kept > .vox/state && chmod 000 .vox && ls -A'
      expect((await sandbox.sh(script)).stdout.head).toBe('program.vox\n.vox\nprogram.vox\n')
      expect((await sandbox.sh(script)).stdout.head).toBe('program.vox\n.vox\nprogram.vox\n')
    })

    test('exit codes, signals and both streams come back', async () => {
      expect(await sandbox.sh('echo out; echo err >&2; exit 78')).toMatchObject({
        end: { kind: 'exited', code: 78 },
        stdout: { head: 'out\n' },
        stderr: { head: 'err\n' },
      })
      expect((await sandbox.sh('kill -SEGV $$')).end).toEqual({ kind: 'signalled', signal: 'SIGSEGV' })
      expect((await sandbox.sh('kill -KILL $$')).end).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
    })

    test('much output comes back whole, and too much ends the call', async () => {
      const { stdout } = await sandbox.sh('head -c 3000000 /dev/zero; echo; echo end')
      expect([stdout.bytes, stdout.lastLine]).toEqual([3_000_005, 'end'])
      const marker = newMarker()
      const flood = await sandbox.sh(`yes ${marker}`)
      expect(flood.end.kind).toBe('output-limit')
      expect(countProcesses(marker)).toBe(0)
    })

    test.skipIf(where.level === 'landlock')('a sandbox that cannot be set up is not taken for a crash', async () => {
      const file = path.join(outside, newMarker())
      await writeFile(file, '')
      const other = await open([file])
      await rm(file)
      await expect(other.sh('true')).rejects.toThrow('infra/sandbox-broke')
      await other.close()
    })
  })
}
