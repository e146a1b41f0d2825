import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Service } from './app.ts'
import type { Refusal } from './refusal.ts'

const TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT'

/** A refusal as a response, for requests that Hono cannot read. */
export function writeRefusal(service: Service, refusal: Refusal): Response {
  const { status, body, headers } = service.unreadable(refusal)
  return new Response(JSON.stringify(body), { status, headers })
}

/** Refuses a request that Node could not read as HTTP, on the bare socket. Closes the connection, without a word if idle. */
export function answerUnreadable(
  service: Service,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  // No byte is no request: a browser opens connections that it may not use.
  const isIdle = error.code === TIMEOUT_CODE && 'bytesRead' in socket && socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || !socket.writable || isIdle) {
    socket.destroy()
    return
  }
  const { status, body, headers } = service.unreadable(refusalFor(error))
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
}

function refusalFor(error: NodeJS.ErrnoException): Refusal {
  if (error.code === TIMEOUT_CODE) {
    return {
      kind: 'unreadable',
      status: 408,
      message: 'the rest of the request did not come in time',
    }
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const message = 'path, query and headers together are too long; request fewer things at once'
    return { kind: 'unreadable', status: 431, message }
  }
  return { kind: 'unreadable', status: 400, message: 'this is no HTTP request' }
}
