/** Numbers of a system call on x86-64 and on ARM64, from the kernel's tables: syscall_64.tbl, and asm-generic/unistd.h. */
type Numbers = readonly [x64: number, arm64: number | null]

/** Refused whatever they are asked for. */
const REFUSED: Readonly<Record<string, Numbers>> = {
  // Every way to the network, and to named Unix sockets, begins with one. Pairs are told apart below.
  socket: [41, 198],
  // Keys belong to a user or a session, not to a process: a later run finds them, and those of the caller's session.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // System V's objects outlive their maker, and under landlock those of others are in reach; an id can be guessed.
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  semget: [64, 190],
  semop: [65, 193],
  semctl: [66, 191],
  semtimedop: [220, 192],
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  // POSIX queues outlive their maker too.
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  // The times of a device are the host's, for a later run to read, and a user may set those of his files.
  utimensat: [280, 88],
  utimes: [235, null],
  utime: [132, null],
  futimesat: [261, null],
  // A crash leaves a line in the kernel's log, which some machines let anybody read.
  syslog: [103, 116],
  // Namespaces: with one of its own a program may mount a file system of any size, and reach far more of the kernel.
  unshare: [272, 97],
  setns: [308, 268],
  // Other processes: the sandbox's own first process is of the same user, and holds the descriptor of the status.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  // Large parts of the kernel with a history of holes, which no program here needs.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
}

/** Refused as a kernel does that has no such call: there, runtimes go another way. */
const UNKNOWN: Readonly<Record<string, Numbers>> = {
  // Its flags lie in memory, where a filter cannot read; `clone` does the same.
  clone3: [435, 435],
  // Does what other calls do, behind the filter.
  io_uring_setup: [425, 425],
  // Files without a name are no process's memory: no limit counts them.
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
}

/** Refused when one of the tests holds for a number it is given. */
const REFUSED_IF: readonly {
  readonly numbers: readonly [x64: number, arm64: number]
  readonly tests: readonly { readonly argument: number; readonly is: 'not' | 'any-bit'; readonly value: number }[]
}[] = [
  // clone(CLONE_NEWUSER): without a user namespace no other kind is to be had.
  { numbers: [56, 220], tests: [{ argument: 0, is: 'any-bit', value: 0x1000_0000 }] },
  // socketpair of other than AF_UNIX, or of SOCK_DGRAM (2) or SOCK_RAW (3): such a socket can send to any other by its name.
  {
    numbers: [53, 199],
    tests: [
      { argument: 0, is: 'not', value: 1 },
      { argument: 1, is: 'any-bit', value: 2 },
    ],
  },
  // prlimit64 on another process: those of the same user would obey.
  { numbers: [302, 261], tests: [{ argument: 0, is: 'not', value: 0 }] },
]

/** As the kernel names processors to a filter (AUDIT_ARCH), with the column of theirs above. */
const PROCESSORS: Readonly<Record<string, { readonly audit: number; readonly column: 0 | 1 }>> = {
  x64: { audit: 0xc000_003e, column: 0 },
  arm64: { audit: 0xc000_00b7, column: 1 },
}

/** An instruction of classic BPF: `struct sock_filter`. A jump is taken relative to the next instruction. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

const [LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06]
/** Offsets in `struct seccomp_data`; of an argument the lower half, as these two processors lay it out. */
const [NUMBER, PROCESSOR, ARGUMENTS] = [0, 4, 16]
const [ALLOW, KILL, FAIL] = [0x7fff_0000, 0x8000_0000, 0x0005_0000]
const [EPERM, ENOSYS] = [1, 38]
/** From here on are the numbers of x32, another way to the same calls. */
const FIRST_OF_X32 = 0x4000_0000

/**
 * The filter of system calls that every program in a sandbox runs under, as the bytes of a program for seccomp: an array of `struct
 * sock_filter`. It allows all that is not named above; the calls of another processor's kind, 32-bit ones among them, kill. Null for a
 * processor (as Node names it) whose numbers are not known.
 */
export function systemCallFilter(processor: string): Buffer | null {
  const known = PROCESSORS[processor]
  if (known === undefined) return null
  const { audit, column } = known
  const program: Instruction[] = [
    [LOAD, 0, 0, PROCESSOR],
    [IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    [IF_AT_LEAST, 0, 1, FIRST_OF_X32],
    [RETURN, 0, 0, FAIL | ENOSYS],
    ...Object.values(REFUSED).flatMap((numbers) => failing(numbers[column], EPERM)),
    ...Object.values(UNKNOWN).flatMap((numbers) => failing(numbers[column], ENOSYS)),
    ...REFUSED_IF.flatMap(({ numbers, tests }) => {
      const body = [...tests.flatMap(failingIf), [RETURN, 0, 0, ALLOW] as const]
      return [[IF_EQUAL, 0, body.length, numbers[column]] as const, ...body]
    }),
    [RETURN, 0, 0, ALLOW],
  ]
  return assemble(program)
}

function failing(number: number | null, errno: number): readonly Instruction[] {
  if (number === null) return []
  return [
    [IF_EQUAL, 0, 1, number],
    [RETURN, 0, 0, FAIL | errno],
  ]
}

function failingIf(test: (typeof REFUSED_IF)[number]['tests'][number]): readonly Instruction[] {
  return [
    [LOAD, 0, 0, ARGUMENTS + 8 * test.argument],
    test.is === 'any-bit' ? [IF_ANY_BIT, 0, 1, test.value] : [IF_EQUAL, 1, 0, test.value],
    [RETURN, 0, 0, FAIL | EPERM],
  ]
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * program.length)
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * at)
    bytes.writeUInt8(ifTrue, 8 * at + 2)
    bytes.writeUInt8(ifFalse, 8 * at + 3)
    bytes.writeUInt32LE(value, 8 * at + 4)
  }
  return bytes
}
