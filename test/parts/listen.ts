import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Answers HTTP on loopback until the test ends. Returns the address, without a slash. */
export async function listen(answer: RequestListener, port = 0): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Answers once the whole body of a request has come. */
export function withBody(answer: (body: string, ...asked: Parameters<RequestListener>) => void) {
  return (...asked: Parameters<RequestListener>): void => {
    let body = ''
    asked[0].on('data', (chunk) => (body += String(chunk)))
    asked[0].on('end', () => answer(body, ...asked))
  }
}
