/** What the canary is told, as its program. */
export interface CanaryOrders {
  readonly tcpPort: number
  readonly udpPort: number
  /** File of a socket open to everybody. */
  readonly unixSocket: string
  readonly pid: number
  readonly secretFile: string
  /** Files it tries to make. */
  readonly newFiles: readonly string[]
  /** Argument of the process it tries to leave behind. */
  readonly marker: string
}

/** What the canary finds. All else is seen from outside. */
export interface CanaryFindings {
  readonly secret: string | null
  readonly environ: string | null
  /** Whether it could hand the kernel a key, which a later call would find; only tried where there is Perl. */
  readonly canKeepKey: boolean
  /** Whether it could write where a vox writes. */
  readonly canWriteHere: boolean
}

/**
 * A program for Node that tries to get out of the sandbox in every way that is promised to be closed. It reads its orders from
 * `program.vox` beside it, and prints its findings as JSON. Node makes no system call by its number, Perl does: `add_key`, and
 * `keyctl` to have the key forgotten after a second.
 */
export const CANARY = `
const fs = require('node:fs')
const orders = JSON.parse(fs.readFileSync('program.vox', 'utf8'))
const attempt = (action) => { try { return action() ?? null } catch { return null } }
const keepKey = () => {
  const [addKey, keyctl] = process.arch === 'x64' ? [248, 250] : [217, 219]
  const script = 'my ($type, $name) = ("user", shift);'
    + 'my $key = syscall(' + addKey + ', $type, $name, $type, 4, -3); syscall(' + keyctl + ', 15, $key, 1); exit($key < 0)'
  require('node:child_process').execFileSync('perl', ['-e', script, orders.marker], { stdio: 'ignore' })
  return true
}
const done = (start) => new Promise((resolve) => { try { start(resolve) } catch { resolve() }; setTimeout(resolve, 300).unref() })
process.on('uncaughtException', () => {})
const findings = {
  secret: attempt(() => fs.readFileSync(orders.secretFile, 'utf8')),
  environ: attempt(() => fs.readFileSync('/proc/' + orders.pid + '/environ', 'base64')),
  canKeepKey: attempt(keepKey) === true,
  canWriteHere: attempt(() => { fs.mkdirSync('.vox'); fs.writeFileSync('.vox/state', 'x'); return true }) === true,
}
for (const file of orders.newFiles) attempt(() => fs.writeFileSync(file, 'x'))
attempt(() => fs.writeFileSync('program.vox', 'x'))
attempt(() => process.kill(orders.pid, 'SIGURG'))
attempt(() => require('node:child_process').spawn('/bin/sh', ['-c', 'sleep 20; :', orders.marker], { detached: true, stdio: 'ignore' }).unref())
const connect = (where) => done((resolve) => {
  const socket = require('node:net').connect(where)
  socket.on('connect', () => socket.destroy()).on('error', () => {}).on('close', resolve)
})
const tcp = connect({ port: orders.tcpPort, host: '127.0.0.1' })
const unix = connect({ path: orders.unixSocket })
const udp = done((resolve) => {
  const socket = require('node:dgram').createSocket('udp4').on('error', resolve)
  socket.send('x', orders.udpPort, '127.0.0.1', () => socket.close(resolve))
})
Promise.all([tcp, unix, udp]).then(() => process.stdout.write(JSON.stringify(findings), () => process.exit(0)))
`
