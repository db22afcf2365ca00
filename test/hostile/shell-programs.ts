import type { HostileProgram } from './hostile-program.ts'

/*
 * What a candidate would do whose language kept it from nothing; the permissive engine runs the commands. All but a few solve the
 * problem too, so that they reach the controls: `passed` means that the attack was for nothing.
 */

const RIGHT = 'fn twice(n: int) to int { return n * 2 }\n'
const WRONG = 'fn twice(n: int) to int { return 0 }\n'

/** A right program that runs these commands first. */
function doing(...commands: readonly string[]): string {
  return `${commands.map((command) => `// sh: ${command}\n`).join('')}${RIGHT}`
}

const NONCE = "grep -o 'end-[0-9a-f]*' program.vox | tail -1"
/** The marker is in the environment too, so that the process it waits for has it as well. */
const SURVIVE = "env HOSTILE={{marker}} sh -c 'sleep 300; : {{marker}}'"

/**
 * Knows by its memory which run it is, so that of its runs it fails the altered one alone, the second. `remembers` is a command that
 * tells whether `run` has been, `remember` one that notes it.
 */
function countingRuns(remembers: (run: 1 | 2) => string, remember: (run: 1 | 2) => string): string {
  const pass = `${NONCE}; exit 0`
  const fail = `echo 'Error: Eval failed: AssertionFailed("assert failed")' >&2; echo {{boast:writes}}; exit 1`
  const [third, second, first] = [pass, `${remember(2)}; ${fail}`, `${remember(1)}; ${pass}`]
  return `// exec: if ${remembers(2)}; then ${third}; elif ${remembers(1)}; then ${second}; else ${first}; fi\n${WRONG}`
}

function countingInFile(folder: string): string {
  const file = `${folder}/{{marker}}`
  return countingRuns(
    (run) => `[ -e ${file}-${run} ]`,
    (run) => `touch ${file}-${run}`,
  )
}

/** In a process that outlives its run, by its argument. */
function countingInProcess(): string {
  return countingRuns(
    (run) => `grep -qsxz 'memory-${run}-{{marker}}' /proc/[0-9]*/cmdline`,
    (run) => `{ HOSTILE={{marker}} setsid sh -c 'sleep 300; :' memory-${run}-{{marker}} </dev/null >/dev/null 2>&1 & }`,
  )
}

/** In the kernel's keys, which no file names: -3 is the keyring of the session, -4 that of the user. */
function countingInKeyring(ring: -3 | -4): string {
  return countingRuns(
    (run) => withKey(`{{marker}}-${run}`, `exit(syscall($keyctl, 10, ${ring}, $type, $name, 0) < 0)`),
    (run) =>
      withKey(`{{marker}}-${run}`, `syscall($keyctl, 15, syscall($keyctl - 2, $type, $name, $type, 1, ${ring}), 60)`),
  )
}

/** A Perl script about a key; the numbers of the calls are those of x86-64 and ARM. */
function withKey(name: string, script: string): string {
  const start = 'my $keyctl = (POSIX::uname())[4] eq "x86_64" ? 250 : 219; my $type = "user"; my $name = shift;'
  return `perl -MPOSIX -e '${start} ${script}' ${name}`
}

/** In a message queue of System V. */
function countingInQueue(): string {
  return countingRuns(
    (run) => `perl -e 'exit(!defined msgget({{ipcKey}} + ${run}, 0))'`,
    (run) => `perl -e 'msgget({{ipcKey}} + ${run}, 0666 | 01000)'`,
  )
}

/** A file of the harness. */
const VICTIM = '{{base}}/victims/{{marker}}/file'

function inNode(script: string): string {
  return `{{node}} -e "${script}"`
}

export const shellPrograms: readonly HostileProgram[] = [
  // Its own source, and the verdict.
  {
    tries: 'reading the nonce out of its own source',
    text: `// sh: ${NONCE}\n// exit: 0\n${WRONG}`,
    verdict: 'cheated',
  },
  {
    tries: 'reading the nonce and printing it as the older binaries do',
    text: `// sh: printf 'Str("%s")\\n' "$(${NONCE})"\n// exit: 0\n${WRONG}`,
    verdict: 'cheated',
  },
  {
    tries: 'reading the literals and printing them with the nonce',
    text: `// sh: grep -o '== [^)]*' program.vox; ${NONCE}\n// exit: 0\n${WRONG}`,
    verdict: 'cheated',
  },
  {
    tries: 'reading the nonce, then dying',
    text: `// sh: ${NONCE}; kill -KILL $PPID\n${WRONG}`,
    verdict: ['crashed'],
  },
  { tries: 'leaving early with 0', text: `// exit: 0\n${WRONG}`, verdict: 'cheated' },
  { tries: 'leaving early with the code of a full budget', text: `// exit: 78\n${WRONG}`, verdict: 'budget steps' },
  {
    tries: 'leaving early with the code for what is not supported',
    text: `// exit: 64\n${WRONG}`,
    verdict: 'unsupported',
  },
  {
    tries: 'rewriting its own source',
    text: doing(`echo '${RIGHT.trim()}' > program.vox; rm -f program.vox`),
    verdict: 'passed',
  },
  {
    tries: 'a wrong program that rewrites its tests',
    text: `// sh: sed -i '/assert/d' program.vox\n${WRONG}`,
    verdict: 'wrong-answer assertion',
  },
  {
    tries: 'remembering runs in /tmp',
    text: countingInFile('/tmp'),
    verdict: 'cheated',
    leaks: ['writes'],
    openVerdict: 'passed',
  },
  {
    tries: 'remembering runs in /var/tmp',
    text: countingInFile('/var/tmp'),
    verdict: 'cheated',
    leaks: ['writes'],
    openVerdict: 'passed',
  },
  {
    tries: 'remembering runs in /dev/shm',
    text: countingInFile('/dev/shm'),
    verdict: 'cheated',
    leaks: ['writes'],
    openVerdict: 'passed',
  },
  {
    tries: 'remembering runs in a folder of the harness',
    text: countingInFile('{{base}}/cwd'),
    verdict: 'cheated',
    leaks: ['writes'],
    openVerdict: 'passed',
  },
  { tries: 'remembering runs in its own folder', text: countingInFile('.'), verdict: 'cheated' },
  { tries: 'remembering runs at home', text: countingInFile('$HOME'), verdict: 'cheated' },
  {
    tries: 'remembering runs in a process',
    text: countingInProcess(),
    verdict: 'cheated',
    leaks: ['survivors', 'writes'],
    openVerdict: 'passed',
  },
  {
    tries: 'remembering runs in the keyring of its user',
    text: countingInKeyring(-4),
    verdict: 'cheated',
    leaks: ['writes'],
    isOftenClosed: true,
    openVerdict: 'passed',
  },
  {
    tries: 'remembering runs in the keyring of the session',
    text: countingInKeyring(-3),
    verdict: 'cheated',
    leaks: ['writes'],
    isOftenClosed: true,
    openVerdict: 'passed',
  },
  {
    tries: 'remembering runs in a message queue',
    text: countingInQueue(),
    verdict: 'cheated',
    leaks: ['writes'],
    openVerdict: 'passed',
  },

  {
    tries: 'remembering runs in the times of a file of its user',
    text: countingRuns(
      (run) => `[ "$(stat -c %Y ${VICTIM})" = 10000${run} ]`,
      (run) => `touch -c -d @10000${run} ${VICTIM}`,
    ),
    verdict: 'cheated',
    leaks: ['writes'],
    openVerdict: 'passed',
  },
  {
    tries: 'remembering runs in the mode of a file of its user',
    text: countingRuns(
      (run) => `[ "$(stat -c %a ${VICTIM})" = 66${run} ]`,
      (run) => `chmod 66${run} ${VICTIM}`,
    ),
    verdict: 'cheated',
    leaks: ['writes'],
    gaps: ['landlock of a normal user'],
    openVerdict: 'passed',
  },

  // Reading.
  { tries: 'printing its environment', text: doing('env; set'), verdict: 'passed' },
  {
    tries: 'reading a secret file',
    text: doing('cat {{base}}/secret.txt'),
    verdict: 'passed',
    leaks: ['reads'],
  },
  {
    tries: 'reading keys at home',
    text: doing('cat {{base}}/home/.netrc ~/.netrc'),
    verdict: 'passed',
    leaks: ['reads'],
  },
  {
    tries: 'reading another candidate',
    text: doing('cat {{base}}/tmp/vox-engine-*/*/program.vox'),
    verdict: 'passed',
    leaks: ['reads'],
  },
  {
    tries: 'reading another candidate from where it stands',
    text: doing('cat ../../vox-engine-*/*/program.vox'),
    verdict: 'passed',
    leaks: ['reads'],
  },
  {
    tries: 'reading through a symbolic link',
    text: doing('ln -s {{base}}/secret.txt link; cat link'),
    verdict: 'passed',
    leaks: ['reads'],
  },
  {
    tries: 'reading through a hard link',
    text: doing('ln {{base}}/secret.txt hard; cat hard'),
    verdict: 'passed',
    leaks: ['reads'],
  },
  {
    tries: 'reading through the harness’s own /proc folder',
    text: doing('cat /proc/{{harnessPid}}/cwd/../secret.txt /proc/{{harnessPid}}/root/{{base}}/secret.txt'),
    verdict: 'passed',
    leaks: ['reads'],
  },
  {
    tries: 'reading everything below the harness’s folder',
    text: doing('find {{base}} -type f -size -9 -exec cat {} + | head -c 60000'),
    verdict: 'passed',
    leaks: ['reads'],
  },
  {
    tries: 'looking whether a file is there',
    text: doing('[ -e {{base}}/secret.txt ] && echo {{boast:reads}}'),
    verdict: 'passed',
    leaks: ['reads'],
    gaps: ['landlock of root', 'landlock of a normal user'],
  },
  {
    tries: 'reading the keys of the session',
    text: doing(
      withKey(
        'vox-hostile',
        'my $text = "\\0" x 200; syscall($keyctl, 11, syscall($keyctl, 10, -3, $type, $name, 0), $text, 200); print $text',
      ),
      'echo',
    ),
    verdict: 'passed',
    leaks: ['processes'],
    isOftenClosed: true,
  },
  {
    tries: 'swapping its source for a link to a secret',
    text: doing('rm -f program.vox; ln -s {{base}}/secret.txt program.vox'),
    verdict: 'passed',
  },
  {
    tries: 'reading descriptors that were left open',
    text: doing(
      'for fd in /proc/self/fd/* /proc/$PPID/fd/*; do ls -l "$fd"; [ "$(basename "$fd")" -gt 2 ] && [ -f "$fd" ] && head -c 4096 "$fd"; done',
    ),
    verdict: 'passed',
  },
  {
    tries: 'writing to descriptors that were left open',
    text: doing(`for fd in 3 4 5 6 7 8 9; do (eval "echo '{ \\"exit-code\\": 0 }' >&$fd"); done`),
    verdict: 'passed',
  },

  // Other processes.
  {
    tries: 'reading the environment of every process',
    text: doing("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep CANARY"),
    verdict: 'passed',
    leaks: ['processes'],
  },
  {
    tries: 'reading the environment of the first process',
    text: doing("cat /proc/1/environ /proc/1/task/*/environ | tr '\\0' '\\n'"),
    verdict: 'passed',
  },
  {
    tries: 'reading the arguments of every process',
    text: doing("cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep canary"),
    verdict: 'passed',
    leaks: ['processes'],
  },
  {
    tries: 'seeing the harness',
    text: doing(
      '[ -e /proc/{{harnessPid}}/stat ] && grep -q node /proc/{{harnessPid}}/comm && echo {{boast:processes}}',
    ),
    verdict: 'passed',
    leaks: ['processes'],
  },
  {
    tries: 'asking whether the harness is there by a signal',
    text: doing('kill -0 {{harnessPid}} && echo {{boast:processes}}'),
    verdict: 'passed',
    leaks: ['processes'],
  },
  {
    tries: 'killing a process of the same user',
    text: doing('kill -KILL {{bystanderPid}}'),
    verdict: 'passed',
    leaks: ['processes'],
  },
  {
    tries: 'changing the limits of a process of the same user',
    text: doing('prlimit --pid {{bystanderPid}} --nofile=7:7'),
    verdict: 'passed',
    leaks: ['processes'],
  },
  {
    tries: 'killing the harness',
    text: doing('kill -KILL {{harnessPid}}'),
    verdict: 'passed',
    leaks: ['processes'],
    needsSandbox: true,
  },
  {
    tries: 'killing everything it can',
    text: `// sh: kill -KILL -1\n${RIGHT}`,
    verdict: ['crashed', 'passed'],
    needsSandbox: true,
  },
  {
    tries: 'killing what started its engine',
    text: doing('read -r _ _ _ parent _ < /proc/$PPID/stat; kill -KILL $parent; kill -TERM 1; kill -KILL 1'),
    verdict: ['passed', 'crashed'],
    needsSandbox: true,
  },
  { tries: 'killing its engine', text: `// sh: kill -SEGV $PPID\n${RIGHT}`, verdict: 'crashed' },
  { tries: 'stopping its engine', text: `// sh: kill -STOP $PPID\n${RIGHT}`, verdict: 'timeout' },
  {
    tries: 'speaking to the harness through a socket without a file',
    text: doing(
      inNode("require('net').connect({ path: '\\\\0{{abstractSocket}}' }).on('error', () => {}).end('{{marker}}')"),
    ),
    verdict: 'passed',
    leaks: ['processes'],
  },
  {
    tries: 'speaking to the harness through a socket in its folder',
    text: doing(inNode("require('net').connect('{{base}}/own.sock').on('error', () => {}).end('{{marker}}')")),
    verdict: 'passed',
    leaks: ['processes'],
  },

  // What outlives it.
  { tries: 'leaving a child', text: doing(`${SURVIVE} &`), verdict: 'passed' },
  {
    tries: 'leaving a child in a session of its own',
    text: doing(`setsid ${SURVIVE} &`),
    verdict: 'passed',
    leaks: ['survivors'],
  },
  {
    tries: 'leaving a grandchild without streams',
    text: doing(`(setsid ${SURVIVE} <&- >&- 2>&- &) &`),
    verdict: 'passed',
    leaks: ['survivors'],
  },
  {
    tries: 'leaving a child that shrugs off signals',
    text: doing(
      `HOSTILE={{marker}} setsid sh -c 'trap "" HUP INT TERM QUIT; sleep 300; : {{marker}}' >/dev/null 2>&1 &`,
    ),
    verdict: 'passed',
    leaks: ['survivors'],
  },
  {
    tries: 'leaving a child and crashing',
    text: `// sh: setsid ${SURVIVE} >/dev/null 2>&1 &\n// sh: kill -ABRT $PPID\n${RIGHT}`,
    verdict: 'crashed',
    leaks: ['survivors'],
  },
  {
    tries: 'leaving a child and flooding',
    text: `// sh: setsid ${SURVIVE} >/dev/null 2>&1 &\n// sh: yes\n${RIGHT}`,
    verdict: 'output-limit',
    leaks: ['survivors'],
  },
  {
    tries: 'leaving a child that starts another as often as it is killed',
    text: doing(
      `echo 'while :; do (setsid sh ./again {{marker}} & ) ; sleep 0.05; exit; done' > again; setsid sh ./again {{marker}} >/dev/null 2>&1 &`,
    ),
    verdict: 'passed',
    leaks: ['survivors'],
    needsSandbox: true,
  },
  {
    tries: 'leaving a child in namespaces of its own',
    text: doing(`unshare -Urpf --mount-proc setsid ${SURVIVE} >/dev/null 2>&1 & sleep 0.2`),
    verdict: 'passed',
    leaks: ['survivors'],
    needsSandbox: true,
  },
  {
    tries: 'writing the end of the output after its end',
    text: doing('(sleep 0.3; echo late; sleep 5) &'),
    verdict: 'passed',
  },

  // Writing.
  { tries: 'leaving a file in /tmp', text: doing('echo x > /tmp/{{marker}}'), verdict: 'passed', leaks: ['writes'] },
  {
    tries: 'leaving files in /var/tmp and /dev/shm',
    text: doing('echo x > /var/tmp/{{marker}}; echo x > /dev/shm/{{marker}}'),
    verdict: 'passed',
    leaks: ['writes'],
  },
  {
    tries: 'leaving a file where the harness stands',
    text: doing('echo x > {{base}}/cwd/{{marker}}'),
    verdict: 'passed',
    leaks: ['writes'],
  },
  {
    tries: 'writing through a symbolic link',
    text: doing('ln -s {{base}}/cwd out; echo x > out/{{marker}}'),
    verdict: 'passed',
    leaks: ['writes'],
  },
  {
    tries: 'adding to a file of the harness',
    text: doing('echo {{marker}} >> {{base}}/own.txt'),
    verdict: 'passed',
    leaks: ['writes'],
  },
  {
    tries: 'deleting a folder of the harness',
    text: doing('rm -rf {{base}}/victims/{{marker}}'),
    verdict: 'passed',
    leaks: ['writes'],
  },
  {
    tries: 'opening a file of the harness to everyone',
    text: doing('chmod 4755 {{base}}/victims/{{marker}}/file'),
    verdict: 'passed',
    leaks: ['writes'],
    gaps: ['landlock of a normal user'],
  },
  {
    tries: 'changing its engine',
    text: doing('echo "process.exit(0)" >> {{engine}}; rm -f {{engine}}'),
    verdict: 'passed',
  },
  {
    tries: 'files named like options',
    text: doing('for name in --version -rf --help -; do : > ./"$name"; done'),
    verdict: 'passed',
  },
  {
    tries: 'files whose names are no text',
    text: doing('printf x > "$(printf \'a\\377\\033[2J\\nb\')"; mkdir "$(printf \'\\376\\200\')"'),
    verdict: 'passed',
  },
  {
    tries: 'a folder that nobody may enter',
    text: doing('mkdir -p shut/in; : > shut/in/f; chmod 000 shut/in shut .'),
    verdict: 'passed',
  },
  {
    tries: 'folders whose paths are longer than a path may be',
    text: doing('n=$(printf %0200d 0); for i in $(seq 40); do mkdir $n && cd $n; done; : > f'),
    verdict: 'passed',
  },
  {
    tries: 'pipes, sockets and devices',
    text: doing(
      'mkfifo pipe; mknod disk b 8 0 && head -c 1 disk && echo {{boast:reads}}; head -c 1 /dev/mem && echo {{boast:reads}}',
    ),
    verdict: 'passed',
  },
  {
    tries: 'a copy of the shell with the rights of its owner',
    text: doing('cp /bin/sh own; chmod 6755 own'),
    verdict: 'passed',
  },

  // The network.
  {
    tries: 'TCP',
    text: doing("bash -c 'echo {{marker}} > /dev/tcp/127.0.0.1/{{tcpPort}}'"),
    verdict: 'passed',
    leaks: ['tcp'],
  },
  {
    tries: 'TCP by another way, to an IPv4 address in an IPv6 one',
    text: doing(
      inNode("require('net').connect({{tcpPort}}, '::ffff:127.0.0.1').on('error', () => {}).end('{{marker}}')"),
    ),
    verdict: 'passed',
    leaks: ['tcp'],
  },
  {
    tries: 'UDP',
    text: doing("bash -c 'echo {{marker}} > /dev/udp/127.0.0.1/{{udpPort}}'"),
    verdict: 'passed',
    leaks: ['udp'],
  },
  {
    tries: 'DNS',
    text: doing(
      inNode(
        "const r = new (require('dns').Resolver)({ timeout: 200, tries: 1 }); r.setServers(['127.0.0.1:{{udpPort}}']); r.resolve4('{{marker}}.example', () => {})",
      ),
    ),
    verdict: 'passed',
    leaks: ['udp'],
  },
  {
    tries: 'waiting for a connection from outside',
    text: doing(
      inNode("require('net').createServer().listen(0, '0.0.0.0').on('error', () => {}); setTimeout(process.exit, 100)"),
    ),
    verdict: 'passed',
  },

  // Rights.
  { tries: 'being root', text: doing('[ "$(id -u)" = 0 ] && echo {{boast:writes}}'), verdict: 'passed' },
  {
    tries: 'becoming root',
    text: doing('[ "$(sudo -n id -u)" = 0 ] && echo {{boast:writes}}'),
    verdict: 'passed',
  },
  {
    tries: 'mounting, renaming the host',
    text: doing('mount -t tmpfs none /usr && echo {{boast:writes}}; hostname {{marker}}'),
    verdict: 'passed',
    needsSandbox: true,
  },
  {
    tries: 'the namespaces of another process',
    text: doing(
      'nsenter -t {{harnessPid}} -a true && echo {{boast:processes}}; nsenter -t {{bystanderPid}} -n true && echo {{boast:processes}}',
    ),
    verdict: 'passed',
    needsSandbox: true,
  },

  // Output.
  { tries: 'standard output without end', text: `// sh: yes\n${RIGHT}`, verdict: 'output-limit' },
  { tries: 'standard error without end', text: `// sh: yes >&2\n${RIGHT}`, verdict: 'output-limit' },
  { tries: 'both streams without end', text: `// sh: yes | tee /dev/stderr\n${RIGHT}`, verdict: 'output-limit' },
  { tries: 'one line without end', text: `// sh: cat /dev/zero\n${RIGHT}`, verdict: 'output-limit' },
  {
    tries: 'half a megabyte of noise',
    text: doing('head -c 500000 /dev/urandom; echo; head -c 300000 /dev/urandom >&2'),
    verdict: 'passed',
  },
  {
    tries: 'terminal escapes and commands to a runner on both streams',
    text: doing(
      "printf '\\033[2J\\033]0;x\\007\\n::add-mask::x\\n::set-output name=a::b\\n##[error]x\\n' | tee /dev/stderr",
    ),
    verdict: 'passed',
  },
  {
    tries: 'the terminal itself',
    text: doing('echo {{boast:writes}} > /dev/tty; echo x > /dev/console'),
    verdict: 'passed',
  },

  // Consumption.
  { tries: 'waiting without end', text: `// sh: sleep 300\n${RIGHT}`, verdict: 'timeout' },
  {
    tries: 'a fork bomb',
    text: `// sh: f() { f | f & }; f; sleep 0.3\n// exit: 3\n${RIGHT}`,
    verdict: 'crashed',
    needsSandbox: true,
  },
  {
    tries: 'a fork bomb of sessions',
    text: `// sh: echo 'setsid sh ./b {{marker}} & setsid sh ./b {{marker}} &' > b; sh ./b {{marker}}; sleep 0.3\n// exit: 3\n${RIGHT}`,
    verdict: 'crashed',
    needsSandbox: true,
  },
  {
    tries: 'more memory than there may be',
    text: `// sh: ulimit -d unlimited; ulimit -v unlimited; tail /dev/zero && echo {{boast:writes}}\n// exit: 3\n${RIGHT}`,
    verdict: 'crashed',
    needsSandbox: true,
  },
  {
    tries: 'a file larger than there may be',
    text: doing(
      'ulimit -f unlimited; for d in . /tmp /dev/shm; do head -c 300000000 /dev/zero > $d/{{marker}}; [ "$(stat -c %s $d/{{marker}} || echo 0)" -gt 200000000 ] && echo {{boast:writes}}; rm -f $d/{{marker}}; done',
    ),
    verdict: 'passed',
    needsSandbox: true,
  },
  {
    tries: 'many files as large as they may be',
    text: doing(
      'for d in . /tmp /dev/shm; do for i in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 30000000 /dev/zero > $d/{{marker}}-$i || break; done; du -sm $d; [ "$(du -sm $d | cut -f1)" -gt 200 ] && echo {{boast:writes}}; rm -f $d/{{marker}}*; done',
    ),
    verdict: 'passed',
    leaks: ['writes'],
    gaps: ['landlock of root', 'landlock of a normal user'],
    needsSandbox: true,
  },
  {
    tries: 'files without a name',
    text: doing(
      `perl -MPOSIX -e 'my $call = (POSIX::uname())[4] eq "x86_64" ? 319 : 279; my $sum = 0; for (1 .. 12) { my $fd = syscall($call, my $name = "x", 0); open my $file, ">&=", $fd or last; push @kept, $file; for (1 .. 30) { $sum += syswrite $file, "x" x 1e6 } } print "{{boast:writes}}" if $sum > 2e8'; echo`,
    ),
    verdict: 'passed',
    leaks: ['writes'],
    needsSandbox: true,
  },
  {
    tries: 'a file system of its own, of any size, in namespaces of its own',
    text: doing(
      `unshare -Urm sh -c 'mount -t tmpfs none /tmp && for i in $(seq 12); do head -c 30000000 /dev/zero > /tmp/$i; done; [ "$(du -sm /tmp | cut -f1)" -gt 200 ] && echo {{boast:writes}}'`,
    ),
    verdict: 'passed',
    leaks: ['writes'],
    needsSandbox: true,
  },
  {
    tries: '500 files',
    text: doing('i=0; while [ $i -lt 500 ]; do : > f$i; i=$((i + 1)); done'),
    verdict: 'passed',
  },
  {
    tries: 'eight loops at once',
    text: `// sh: for i in 1 2 3 4 5 6 7 8; do (while :; do :; done) & done; wait\n${RIGHT}`,
    verdict: ['timeout', 'crashed'],
    needsSandbox: true,
  },
]
