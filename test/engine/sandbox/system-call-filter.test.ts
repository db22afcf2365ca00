import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { describe, expect, test } from 'vitest'
import { systemCallFilter } from '../../../src/engine/sandbox/system-call-filter.ts'

const { EPERM, ENOSYS } = constants.errno
const X64 = { processor: 'x64', audit: 0xc000_003e, clone: 56, socketpair: 53, prlimit: 302 }
const ARM64 = { processor: 'arm64', audit: 0xc000_00b7, clone: 220, socketpair: 199, prlimit: 261 }
const CLONE_NEWUSER = 0x1000_0000

/** What the kernel would do: a number of an error, or a word. */
function judge(filter: Buffer, audit: number, number: number, args: readonly number[] = []): number | 'allow' | 'kill' {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(audit, 4)
  for (const [at, value] of args.entries()) data.writeUInt32LE(value, 16 + 8 * at)
  let accumulator = 0
  for (let at = 0; at < filter.length; at += 8) {
    const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)]
    const jump = (isTaken: boolean) => {
      at += 8 * filter.readUInt8(at + (isTaken ? 2 : 3))
    }
    if (code === 0x20) accumulator = data.readUInt32LE(value)
    else if (code === 0x15) jump(accumulator === value)
    else if (code === 0x35) jump(accumulator >= value)
    else if (code === 0x45) jump((accumulator & value) !== 0)
    else if (code === 0x06)
      return value === 0x7fff_0000 ? 'allow' : value === 0x8000_0000 ? 'kill' : value - 0x0005_0000
    else throw new Error(`no instruction ${code}`)
  }
  throw new Error('it ends without a verdict')
}

describe.each([X64, ARM64])('on $processor', ({ processor, audit, clone, socketpair, prlimit }) => {
  const filter = systemCallFilter(processor) ?? Buffer.alloc(0)

  test('a call of another processor’s kind kills', () => {
    expect(judge(filter, 0x4000_0003, 1)).toBe('kill')
    expect(judge(filter, audit === X64.audit ? ARM64.audit : X64.audit, 1)).toBe('kill')
  })

  test('calls by x32 numbers, and by none, are unknown', () => {
    expect(judge(filter, audit, 0x4000_0000 + 41)).toBe(ENOSYS)
    expect(judge(filter, audit, 0xffff_ffff)).toBe(ENOSYS)
  })

  test('processes and threads may be made, user namespaces may not', () => {
    expect(judge(filter, audit, clone, [17])).toBe('allow')
    expect(judge(filter, audit, clone, [0x3d_0f00])).toBe('allow')
    expect(judge(filter, audit, clone, [CLONE_NEWUSER | 17])).toBe(EPERM)
  })

  test('pairs of sockets may be made that can only reach each other', () => {
    const [NET_INET, UNIX, STREAM, DATAGRAM, RAW, PACKETS, FLAGS] = [2, 1, 1, 2, 3, 5, 0x8_0800]
    expect(judge(filter, audit, socketpair, [UNIX, STREAM | FLAGS])).toBe('allow')
    expect(judge(filter, audit, socketpair, [UNIX, PACKETS | FLAGS])).toBe('allow')
    expect(judge(filter, audit, socketpair, [UNIX, DATAGRAM | FLAGS])).toBe(EPERM)
    expect(judge(filter, audit, socketpair, [UNIX, RAW])).toBe(EPERM)
    expect(judge(filter, audit, socketpair, [NET_INET, STREAM])).toBe(EPERM)
  })

  test('a process may set its own limits alone', () => {
    expect(judge(filter, audit, prlimit, [0])).toBe('allow')
    expect(judge(filter, audit, prlimit, [1])).toBe(EPERM)
  })
})

const refused = [
  ...['add_key', 'request_key', 'keyctl', 'socket', 'mq_open', 'mq_unlink', 'syslog', 'unshare', 'setns'],
  ...['msgget', 'msgsnd', 'msgrcv', 'msgctl', 'semget', 'semop', 'semctl', 'semtimedop', 'shmget', 'shmat', 'shmctl'],
  ...[
    'utimensat',
    'utimes',
    'utime',
    'futimesat',
    'ptrace',
    'process_vm_readv',
    'process_vm_writev',
    'pidfd_getfd',
    'bpf',
    'perf_event_open',
    'userfaultfd',
  ],
  ...['clone3', 'io_uring_setup', 'memfd_create', 'memfd_secret'],
  // With nothing but zeros for arguments it asks for a pair of no family.
  'socketpair',
].sort()

describe.each([
  [X64, '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', []],
  [ARM64, '/usr/include/asm-generic/unistd.h', ['futimesat', 'utime', 'utimes']],
] as const)('by the kernel’s headers', ({ processor, audit }, header, missing) => {
  test.skipIf(!existsSync(header))(`just these calls are refused on ${processor}`, () => {
    const filter = systemCallFilter(processor) ?? Buffer.alloc(0)
    const numbers = readFileSync(header, 'utf8').matchAll(/#define __NR(?:3264)?_(\w+)\s+(\d+)/g)
    const calls = [...numbers].map(([, name = '', number]) => [name, Number(number)] as const)
    const names = calls.map(([name]) => name)
    const found = calls.filter(([, number]) => judge(filter, audit, number) !== 'allow').map(([name]) => name)
    expect(found.sort()).toEqual(refused.filter((name) => names.includes(name)))
    expect(refused.filter((name) => !names.includes(name))).toEqual(missing)
  })
})

test('a processor with other numbers has no filter', () => {
  expect(systemCallFilter('riscv64')).toBeNull()
})
