import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A real HTTP server on loopback that answers as a test says, and remembers what was asked. */
export class ScriptedServer {
  readonly requests: IncomingMessage[] = []
  readonly #server: Server
  #handler: Handler = (_, response) => response.end()

  private constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push(request)
      this.#handler(request, response)
    })
  }

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer()
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get rootUrl(): string {
    return `http://127.0.0.1:${this.port}/v2`
  }

  /** Sets the answer from now on, and forgets earlier requests. */
  answer(handler: Handler): void {
    this.requests.length = 0
    this.#handler = handler
  }

  async close(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}
