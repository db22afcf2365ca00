import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ArtifactProxy {
  /** With a slash at the end, as ACTIONS_RUNTIME_URL has it. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Stands between `@actions/artifact` and act's artifact server on `port`, which differ in two ways: the server refuses requests with a
 * field it does not know (`mime_type`), and takes no signature whose padding the client left out. The Host stays the proxy's, so that
 * the addresses the server hands out lead through here again.
 */
export async function startArtifactProxy(port: number): Promise<ArtifactProxy> {
  const server = createServer(async (incoming, response) => {
    const body = withoutMimeType(incoming, await buffer(incoming))
    const { 'transfer-encoding': _, ...headers } = incoming.headers
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method: incoming.method,
        path: withPaddedSignature(incoming.url ?? ''),
        headers: { ...headers, 'content-length': body.length },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    outgoing.on('error', (error) => {
      if (!response.headersSent) response.writeHead(502)
      response.end(error.message)
    })
    outgoing.end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function withoutMimeType(incoming: IncomingMessage, body: Buffer): Buffer {
  const isJson = incoming.headers['content-type']?.startsWith('application/json') ?? false
  if (!incoming.url?.startsWith('/twirp/') || !isJson || body.length === 0) return body
  const { mime_type: _, mimeType: __, ...rest } = JSON.parse(body.toString('utf8'))
  return Buffer.from(JSON.stringify(rest))
}

/** Base64 comes in fours; the client drops the marks that fill them up. */
export function withPaddedSignature(url: string): string {
  return url.replace(/([?&]sig=)([^&]*)/, (_, name: string, value: string) => {
    const signature = decodeURIComponent(value).replace(/=+$/, '')
    return name + encodeURIComponent(signature.padEnd(Math.ceil(signature.length / 4) * 4, '='))
  })
}
