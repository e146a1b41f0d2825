import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { isLoopbackHost } from '../config/base-url.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Service } from './app.ts'
import { isKnownHost } from './known-host.ts'
import type { ServedRequest } from './reply.ts'

/** A certificate with its private key, both PEM. */
export interface TlsFiles {
  cert: string
  key: string
}

export interface ServeOptions {
  /** 0 = any free port. */
  port: number
  /** Default 127.0.0.1. */
  host?: string
  /** Further names of a service on loopback, in lower case. */
  names?: readonly string[]
  /** Serves https with it, else http. */
  tls?: TlsFiles
}

export interface ServiceServer {
  /** Without a trailing slash, as `base_url` in coinlake.yaml. */
  url: string
  port: number
  /** Finishes the answers under way, then closes all connections. Safe to call twice. */
  close(): Promise<void>
}

/** An open port. Callers wait until `answerWith` gives the port a service. */
export interface OpenPort extends ServiceServer {
  answerWith(service: Service): void
}

/** A closing service waits this long for answers under way. */
const CLOSE_GRACE_MS = 2_000
const CLOSE_SWEEP_MS = 20
/** Limit of request line and headers: enough for 500 long ids. */
const MAX_HEADER_BYTES = 64 * 1_024

/** Whether only this machine reaches the address. */
export function isLoopbackAddress(host: string): boolean {
  return host === '::1' || isLoopbackHost(host)
}

function requireKeys(host: string, isOpen: boolean): void {
  if (!isOpen || isLoopbackAddress(host)) return
  throw new ConfigError(`a service without keys cannot listen on ${host}`, {
    code: 'SERVICE_NEEDS_KEY',
    hint: 'Make one with `coinlake keys create <name>`, or let it listen on 127.0.0.1.',
  })
}

/** Opens a port and answers with a service. @throws ConfigError of openPort */
export async function startService(
  service: Service,
  options: ServeOptions,
): Promise<ServiceServer> {
  const port = await openPort(options, service.isOpen)
  port.answerWith(service)
  return port
}

/**
 * Opens a port before its service is made. Requests wait for the service.
 *
 * @param isOpen whether the service will have no keys
 * @throws ConfigError SERVICE_PORT_TAKEN, SERVICE_HOST (an address of another machine), SERVICE_TLS (a bad certificate),
 *   SERVICE_NEEDS_KEY (no keys, but strangers could reach it).
 */
export async function openPort(options: ServeOptions, isOpen: boolean): Promise<OpenPort> {
  const host = options.host ?? '127.0.0.1'
  requireKeys(host, isOpen)
  const made = Promise.withResolvers<Service>()
  let isAnswering = false
  const server = createHttpServer(made.promise, options, host)
  server.listen(options.port, host)
  await once(server, 'listening').catch((cause: Error) => {
    throw listenError(cause, host, options.port)
  })
  const { port } = server.address() as AddressInfo
  const urlHost = host.includes(':') ? `[${host}]` : host
  let closed: Promise<void> | null = null
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://${urlHost}:${port}`,
    port,
    answerWith: (service) => {
      isAnswering = true
      made.resolve(service)
    },
    close: () => {
      closed ??= closeServer(server)
      // The waiting requests will get no service.
      if (!isAnswering) server.closeAllConnections()
      return closed
    },
  }
}

function createHttpServer(
  made: Promise<Service>,
  { tls, names = [] }: ServeOptions,
  address: string,
): Server {
  const answering = made.then((service) => getRequestListener(service.app.fetch))
  const listener: RequestListener = (request: ServedRequest, response) => {
    const { host } = request.headers
    // Only on loopback: other addresses need a key, which a foreign page does not have.
    if (host !== undefined && isLoopbackAddress(address) && !isKnownHost(host, names)) {
      request.foreignHost = host
    }
    // From here on only the path counts.
    request.headers.host = 'localhost'
    void answering.then((answer) => answer(request, response))
  }
  // Node itself refuses requests that are no HTTP, too large or too slow.
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false }
  if (tls === undefined) return createServer(limits, listener)
  try {
    return createTlsServer({ ...limits, ...tls }, listener)
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(`the certificate and its key cannot be used: ${text}`, {
      code: 'SERVICE_TLS',
      hint: 'Give a PEM certificate and the PEM private key that belongs to it.',
      cause,
    })
  }
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): ConfigError {
  if (cause.code === 'EADDRINUSE') {
    return new ConfigError(`port ${port} on ${host} is taken by another process`, {
      code: 'SERVICE_PORT_TAKEN',
      hint: 'Choose another with --port, or --port 0 for any free one.',
      cause,
    })
  }
  return new ConfigError(`cannot listen on ${host}:${port}: ${cause.message}`, {
    code: 'SERVICE_HOST',
    hint: 'Choose an address of this machine, such as 127.0.0.1, and a port above 1023.',
    cause,
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = (): void => server.closeIdleConnections()
    // Repeated: a kept-alive connection becomes idle only after its answer.
    const sweep = setInterval(closeIdle, CLOSE_SWEEP_MS)
    const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      resolve()
    })
    closeIdle()
  })
}
