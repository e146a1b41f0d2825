import { serve } from '@hono/node-server'
import type { ServerType } from '@hono/node-server'
import type { AddressInfo } from 'node:net'
import { ConfigError } from '../config/config-error.ts'
import type { Service } from './app.ts'

export interface ServeOptions {
  /** 0 = any free port. */
  port: number
  /** Default 127.0.0.1. */
  host?: string
}

/** A service that listens. */
export interface ServiceServer {
  /** Without a trailing slash, as `base_url` of the config wants it. */
  url: string
  port: number
  /** Finishes what is being answered, then closes every connection. Safe to call twice. */
  close(): Promise<void>
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])
/** How long answers under way may take once the service closes. */
const CLOSE_GRACE_MS = 2_000
const CLOSE_SWEEP_MS = 20

/**
 * Lets a service listen.
 *
 * @throws ConfigError SERVICE_PORT_TAKEN, SERVICE_HOST (an address that is not ours), or
 * SERVICE_NEEDS_KEY for a service without keys that strangers could reach.
 */
export async function startService(
  service: Service,
  options: ServeOptions,
): Promise<ServiceServer> {
  const host = options.host ?? '127.0.0.1'
  if (service.isOpen && !LOOPBACK.has(host)) {
    throw new ConfigError(`a service without keys cannot listen on ${host}`, {
      code: 'SERVICE_NEEDS_KEY',
      hint: 'Give it a key, or let it listen on 127.0.0.1.',
    })
  }
  const server = await listen(service, host, options.port)
  const { port } = server.address() as AddressInfo
  const urlHost = host.includes(':') ? `[${host}]` : host
  let closed: Promise<void> | null = null
  return {
    url: `http://${urlHost}:${port}`,
    port,
    close: () => {
      closed ??= closeServer(server)
      return closed
    },
  }
}

function listen(service: Service, host: string, port: number): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: service.app.fetch, hostname: host, port }, () => {
      server.off('error', fail)
      resolve(server)
    })
    const fail = (cause: Error): void => reject(listenError(cause, host, port))
    server.once('error', fail)
  })
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

function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = (): void => {
      if ('closeIdleConnections' in server) server.closeIdleConnections()
    }
    // A connection kept alive becomes idle only after its answer: look again until all are gone.
    const sweep = setInterval(closeIdle, CLOSE_SWEEP_MS)
    const cut = setTimeout(() => {
      if ('closeAllConnections' in server) server.closeAllConnections()
    }, CLOSE_GRACE_MS)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      resolve()
    })
    closeIdle()
  })
}
