import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { isLoopbackHost } from '../config/base-url.ts'
import { ConfigError } from '../config/config-error.ts'

export interface DispatcherOptions {
  /** With the version segment, without a trailing slash. A loopback address is asked without a proxy. */
  rootUrl: string
  /** Most connections, and so most requests at once. */
  concurrency: number
  /** Longest wait for a connection, the headers, and the next piece of a body. */
  timeoutMs: number
  /** PEM certificates to trust beside the system's; null: none. */
  caFile: string | null
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY in either case; lower case wins. */
  env: Readonly<Record<string, string | undefined>>
}

/** Longer than the usual pause between paced requests. */
const KEEP_ALIVE_MS = 30_000

/**
 * The connections of one client: a keep-alive pool, through the proxy of the environment if there is one. The pool
 * speaks HTTP/1.1 only, because `concurrency` counts connections.
 *
 * @throws ConfigError CONFIG_BAD_CA_FILE: the certificates cannot be read.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { env } = options
  const tls = options.caFile === null ? {} : { ca: trustedCertificates(options.caFile) }
  const pool = {
    connections: options.concurrency,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: options.timeoutMs, ...tls },
  }
  if (isLoopbackHost(new URL(options.rootUrl).hostname)) return new Agent(pool)
  return new EnvHttpProxyAgent({
    ...pool,
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
    requestTls: tls,
  })
}

/** The default certificates and those of the file. TLS drops the default ones when any are named. */
function trustedCertificates(caFile: string): string[] {
  try {
    return [...getCACertificates('default'), readFileSync(caFile, 'utf8')]
  } catch (error) {
    throw new ConfigError(`source.ca_file cannot be read: ${caFile}`, {
      code: 'CONFIG_BAD_CA_FILE',
      hint: 'Name a file of PEM certificates that this user may read.',
      cause: error,
    })
  }
}
