/**
 * A program for Perl, which every Debian and Ubuntu has and which can make a system call by its number. Its arguments: the processor as
 * Node names it, the filter of system calls in hexadecimal, the descriptor of the status file, the process it must not outlive, the user
 * to become (-1 for none), then three lists, each after its length: limits as `NUMBER=VALUE`, what may be read, the command. It starts
 * in the folder of the call, in whose `work` the command runs.
 *
 * It loads no module, not even POSIX, which takes longer than all the rest. `syscall` takes a string for an address: numbers that came
 * as text are made numbers by `+ 0`.
 *
 * It adopts whatever its descendants leave, so that killing descendants until there is none ends them all.
 */
export const LANDLOCK_SUPERVISOR = String.raw`
use strict;
my ($processor, $filter, $status_fd, $harness, $uid) = splice @ARGV, 0, 5;
sub list { return splice @ARGV, 0, shift @ARGV }
my @limits = list();
my @readable = list();
my @command = list();

my %numbers = (
  x64 => { openat => 257, close => 3, setsid => 112, setresuid => 117, setresgid => 119, prctl => 157, prlimit => 302,
    sigprocmask => 14, sigsuspend => 130, exit_group => 231 },
  arm64 => { openat => 56, close => 57, setsid => 157, setresuid => 147, setresgid => 149, prctl => 167, prlimit => 261,
    sigprocmask => 135, sigsuspend => 133, exit_group => 94 },
);
my %call = (%{ $numbers{$processor} }, create_ruleset => 444, add_rule => 445, restrict_self => 446);
my ($TERM, $KILL, $NO_HANG, $BLOCK) = (15, 9, 1, 0);
my ($NO_SIGNALS, $TERM_AND_CHILD) = (pack('Q', 0), pack('Q', 1 << 14 | 1 << 16));
my ($PDEATHSIG, $SECCOMP, $SUBREAPER, $NO_NEW_PRIVS, $BY_FILTER) = (1, 22, 36, 38, 2);
my ($NPROC, $PATH_BENEATH, $O_PATH, $HERE) = (6, 1, 0x200000, -100);
my ($READ, $READ_WRITE, $ALL, $OF_FILES) = (0b1101, 0b110, 0xffff, 0b1100000000000111);

sub prctl { syscall($call{prctl}, $_[0], $_[1], $_[2] // 0, 0, 0) == 0 or die "prctl $_[0]: $!\n" }

open my $status, '>&=', $status_fd or die "status: $!\n";
fcntl $status, 2, 1;
prctl($SUBREAPER, 1);
prctl($PDEATHSIG, $TERM);
exit 1 if getppid != $harness;

my $ending = 0;
$SIG{TERM} = sub { $ending = 1 };
$SIG{CHLD} = sub { };
my $before = $NO_SIGNALS;
syscall($call{sigprocmask}, $BLOCK, $TERM_AND_CHILD, $before, 8) == 0 or die "signals: $!\n";

pipe my $outcome, my $report or die "pipe: $!\n";
my $child = fork // die "fork: $!\n";
if ($child == 0) {
  close $outcome;
  eval { confine(); no warnings; exec { $command[0] } @command or die "$command[0]: $!\n" };
  syswrite $report, $@;
  leave(1);
}
close $report;
my $trouble = join '', <$outcome>;

my $code = 137;
while ((my $pid = waitpid -1, $NO_HANG) >= 0) {
  if ($pid == $child) {
    $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    $ending = 1;
  } elsif ($pid == 0 && $ending) {
    kill KILL => descendants();
    select undef, undef, undef, 0.001;
  } elsif ($pid == 0) {
    syscall($call{sigsuspend}, $NO_SIGNALS, 8);
  }
}
wipe('work');
if ($trouble eq '') { syswrite $status, qq({ "exit-code": $code }\n) } else { print STDERR $trouble }
leave($code);

sub leave { syscall($call{exit_group}, $_[0]) }

sub confine {
  syscall($call{setsid});
  $SIG{TERM} = $SIG{CHLD} = 'DEFAULT';
  syscall($call{sigprocmask}, 2, $before, 0, 8);
  mkdir 'work', 0700 or die "work: $!\n";
  symlink "../$_", "work/$_" for grep { -f } glob '*';
  if (open my $file, '>', '/proc/self/oom_score_adj') { syswrite $file, '1000' }
  my $others = $uid < 0 ? tasks_of_user() : 0;
  for (@limits) {
    my ($number, $value) = split /=/;
    $value += $others if $number == $NPROC;
    syscall($call{prlimit}, 0, $number + 0, pack('QQ', $value, $value), 0) == 0 or die "limit $number: $!\n";
  }

  my $abi = syscall($call{create_ruleset}, 0, 0, 1);
  die "this kernel has no Landlock\n" if $abi < 1;
  die "Landlock closes TCP from version 4 on (Linux 6.7), this kernel has version $abi\n" if $abi < 4;
  my $handled = $abi >= 5 ? $ALL : $ALL >> 1;
  my $attributes = $abi >= 6 ? pack('QQQ', $handled, 3, 3) : pack('QQ', $handled, 3);
  my $ruleset = syscall($call{create_ruleset}, $attributes, length $attributes, 0);
  die "Landlock: $!\n" if $ruleset < 0;
  allow($ruleset, $_, $READ) for @readable, grep { -f } glob '*';
  allow($ruleset, "/dev/$_", $READ_WRITE) for qw(null zero full random urandom);
  allow($ruleset, 'work', $handled);

  if ($uid >= 0) {
    chown $uid, $uid, 'work' or die "chown: $!\n";
    $) = "$uid $uid";
    my @user = ($uid + 0) x 3;
    syscall($call{setresgid}, @user) == 0 && syscall($call{setresuid}, @user) == 0 or die "user $uid: $!\n";
  }
  chdir 'work' or die "work: $!\n";
  prctl($PDEATHSIG, $KILL);
  prctl($NO_NEW_PRIVS, 1);
  syscall($call{restrict_self}, $ruleset, 0) == 0 or die "Landlock: $!\n";
  syscall($call{close}, $ruleset);
  my $program = pack 'H*', $filter;
  prctl($SECCOMP, $BY_FILTER, pack('S x![P] P', length($program) / 8, $program));
}

sub allow {
  my ($ruleset, $path, $rights) = @_;
  my $fd = syscall($call{openat}, $HERE, "$path", $O_PATH, 0);
  return if $fd < 0;
  my $rule = pack 'Ql', -d $path ? $rights : $rights & $OF_FILES, $fd;
  syscall($call{add_rule}, $ruleset, $PATH_BENEATH, $rule, 0) == 0 or die "Landlock for $path: $!\n";
  syscall($call{close}, $fd);
}

sub processes { opendir my $proc, '/proc' or return; return grep { /^\d+$/ } readdir $proc }

sub tasks_of_user {
  my $sum = 0;
  for (processes()) {
    my ($links, $owner) = (stat "/proc/$_/task")[3, 4];
    $sum += $links - 2 if defined $owner && $owner == $<;
  }
  return $sum;
}

sub descendants {
  my %children;
  for my $pid (processes()) {
    open my $file, '<', "/proc/$pid/stat" or next;
    my $line = do { local $/; <$file> } // next;
    push @{ $children{$1} }, $pid if $line =~ /.*\) [^ZX] (\d+)/s;
  }
  my @found = @{ $children{$$} // [] };
  for (my $at = 0; $at < @found; $at++) { push @found, @{ $children{$found[$at]} // [] } }
  return @found;
}

sub wipe {
  my ($path) = @_;
  return unlink $path if -l $path || !-d _;
  chmod 0700, $path;
  if (opendir my $folder, $path) { wipe("$path/$_") for grep { $_ ne '.' && $_ ne '..' } readdir $folder }
  rmdir $path;
}
`
