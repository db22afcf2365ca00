// A model server for tests. It takes --port N and what it is to do:
//   --list A,B          models that it lists                      --answer TEXT     what it answers
//   --no-models 1       lists none, status 503                    --unhealthy N     health 503 until it listed models more than N times
//   --hold FILE         answers once FILE is there                --die-after N     ends at the request after N
//   --exit CODE         ends at once                              --ignore-term 1   does not end when asked to
//   --linger MS         takes its time to end when asked to
//   --say TEXT          written to stderr                         --log FILE        notes start, ask, term and stop there, as --name NAME
//   --grandchild FILE   has a process of another group write there
//   --environment FILE  writes its environment there              --scan FILE       writes there in which environments --needle TEXT is
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const given = new Map()
for (let at = 2; at < process.argv.length; at += 2) given.set(process.argv[at].slice(2), process.argv[at + 1])
const name = given.get('name') ?? 'server'
const log = (line) => given.has('log') && appendFileSync(given.get('log'), `${line}\n`)

if (given.has('say')) process.stderr.write(given.get('say').replaceAll('\\n', '\n').replaceAll('\\e', '\u001b'))
if (given.has('exit')) process.exit(Number(given.get('exit')))
if (given.has('environment')) writeFileSync(given.get('environment'), JSON.stringify(process.env))
if (given.has('scan')) writeFileSync(given.get('scan'), JSON.stringify(scan(given.get('needle'))))
if (given.has('grandchild')) {
  // It leaves the process group.
  const script = `setInterval(() => require('node:fs').appendFileSync(${JSON.stringify(given.get('grandchild'))}, '.'), 20)`
  spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' })
}
process.on('SIGTERM', () => {
  log(`term ${name}`)
  if (!given.has('ignore-term')) setTimeout(() => process.exit(0), Number(given.get('linger') ?? 0))
})

let lists = 0
let answers = 0
const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  if (request.url === '/health') return send(lists <= Number(given.get('unhealthy') ?? 0) ? 503 : 404, {})
  if (request.url === '/v1/models') {
    lists += 1
    if (given.has('no-models')) return send(503, { error: { message: 'loading' } })
    const ids = (given.get('list') ?? 'its-own-name').split(',')
    return send(200, { object: 'list', data: ids.map((id) => ({ id })) })
  }
  const { model } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  answers += 1
  log(`ask ${name} ${model}`)
  if (answers > Number(given.get('die-after') ?? Number.POSITIVE_INFINITY)) {
    console.error(`out of memory in ${name}`)
    process.exit(9)
  }
  const choices = [
    { index: 0, message: { role: 'assistant', content: given.get('answer') ?? 'no' }, finish_reason: 'stop' },
  ]
  // Answers only once a file is there.
  while (given.has('hold') && !existsSync(given.get('hold'))) await new Promise((done) => setTimeout(done, 20))
  send(200, { id: 'c', object: 'chat.completion', created: 0, model, choices })
})
server.listen(Number(given.get('port')), '127.0.0.1', () => log(`start ${name} ${process.pid}`))
process.on('exit', () => log(`stop ${name}`))

/** In which environments a text is found. */
function scan(needle) {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  const found = pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(needle)
    } catch {
      return false
    }
  })
  return { scanned: pids.length, found }
}
