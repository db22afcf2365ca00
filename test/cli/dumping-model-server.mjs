// A model server for tests that takes --port N --dump FILE, and writes there all it can learn of its own and other processes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , , port, , file] = process.argv

function read(name) {
  try {
    return readFileSync(name, 'utf8')
  } catch (error) {
    return error.code
  }
}

const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
const others = pids.map((pid) => [pid, read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)])
writeFileSync(file, JSON.stringify({ environment: process.env, others }))
console.error(JSON.stringify(process.env))

createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    if (request.url === '/v1/models') return response.end(JSON.stringify({ object: 'list', data: [{ id: 'served' }] }))
    const message = { role: 'assistant', content: JSON.stringify(request.headers) }
    response.end(JSON.stringify({ id: 'c', model: 'served', choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  })
}).listen(Number(port), '127.0.0.1')
