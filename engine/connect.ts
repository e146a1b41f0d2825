import { Connection } from '@temporalio/client'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { NativeConnection } from '@temporalio/worker'
import type { MetricsConfig } from '../config/settings/read-watching.ts'
import type { Env } from './engine-env.ts'
import { engineStateDir, lostAfterMs } from './engine-env.ts'
import { EngineError } from './engine-error.ts'
import { setRetention } from './set-retention.ts'
import { leaseServer, runningServer } from './server/lease-server.ts'
import type { LeaseOptions } from './server/lease-server.ts'
import type { EngineLog } from './runtime.ts'

/** The way to Temporal. */
export interface ConnectOptions {
  env: Env
  /** For the demo and tests: ignore TEMPORAL_*, and keep a server in this folder. */
  isolated?: { stateDir: string; graceMs?: number }
  /** Called with one line before each slow step (a download). */
  onProgress?: (message: string) => void
  /** A server must answer within this time. Default 10 s. */
  connectTimeoutMs?: number
  /** Ends the wait for the user's own server, whose start may take a minute. */
  signal?: AbortSignal
}

/** A connection to a Temporal server that has answered. */
export interface Engine {
  /** For clients, which start runs, query and update. Loads no native code. */
  connection: Connection
  address: string
  namespace: string
  /** After this time another worker takes the work over from a silent one. */
  lostAfterMs: number
  /** true = the user's own dev server, false = a cluster. */
  isOwnServer: boolean
  /** Connects workers and loads 30 MB of native code. Temporal's warnings go to `log`. The caller closes the connection. */
  connectNative(log: EngineLog, metrics?: MetricsConfig | null): Promise<NativeConnection>
  /** Names the server in one line for people. */
  describe(): string
  /** Ends the connection, and the lease of the user's own server. */
  close(): Promise<void>
}

type ClusterOptions = ReturnType<typeof loadClientConnectConfig>['connectionOptions']

interface Cluster {
  address: string
  namespace: string
  options: ClusterOptions
}

/** A cluster that is starting, or far away, may take seconds to answer. */
const CONNECT_TIMEOUT_MS = 10_000

/**
 * No proxy: a proxy of the environment cannot reach this machine's loopback. Short pauses: a killed server is back
 * within a second, but gRPC's own pause grows to a minute.
 */
const OWN_SERVER_CHANNEL = {
  'grpc.enable_http_proxy': 0,
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 1_000,
}
const DEFAULT_NAMESPACE = 'default'

function definedOnly(env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** The cluster of `TEMPORAL_*` or `temporal.toml`; null when neither names an address. */
function configuredCluster(env: Env): Cluster | null {
  try {
    const config = loadClientConnectConfig({ overrideEnvVars: definedOnly(env) })
    const address = config.connectionOptions.address
    if (address === undefined || address === '') return null
    const namespace = config.namespace ?? DEFAULT_NAMESPACE
    return { address, namespace, options: config.connectionOptions }
  } catch (error) {
    throw new EngineError(`cannot read the Temporal configuration: ${(error as Error).message}`, {
      code: 'TEMPORAL_CONFIG',
      hint: 'Correct temporal.toml (TEMPORAL_CONFIG_FILE) or the TEMPORAL_* variables, or unset them.',
      cause: error,
    })
  }
}

function unreachableError(address: string, isOwnServer: boolean, cause: unknown): EngineError {
  return new EngineError(
    `Temporal does not answer on ${address}: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      code: 'TEMPORAL_UNREACHABLE',
      hint: isOwnServer
        ? 'Wait a quarter of a minute and run the command again: coinlake stops a server that no process uses, and then starts a new one.'
        : 'Check TEMPORAL_ADDRESS, TLS and API key, or unset TEMPORAL_* to use a server of your own.',
      cause,
    },
  )
}

async function connectClient(
  cluster: Cluster,
  isOwnServer: boolean,
  connectTimeoutMs: number,
): Promise<Connection> {
  const { address, tls, apiKey, metadata } = cluster.options
  try {
    return await Connection.connect({
      connectTimeout: connectTimeoutMs,
      ...(address === undefined ? {} : { address }),
      ...(tls === undefined ? {} : { tls }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(isOwnServer ? { channelArgs: OWN_SERVER_CHANNEL } : {}),
    })
  } catch (error) {
    throw unreachableError(cluster.address, isOwnServer, error)
  }
}

async function connectWorker(
  cluster: Cluster,
  isOwnServer: boolean,
  { log, metrics, env }: { log: EngineLog; metrics: MetricsConfig | null; env: Env },
): Promise<NativeConnection> {
  // Loaded here and not above, so that commands without workers start faster.
  const { NativeConnection } = await import('@temporalio/worker')
  const { installRuntime } = await import('./runtime.ts')
  // Before the connection, because the SDK would otherwise install a runtime that logs to stderr.
  if (metrics === null) installRuntime(log)
  else {
    const { metricsOptions } = await import('./telemetry.ts')
    installRuntime(log, metricsOptions(metrics, env))
  }
  try {
    return await NativeConnection.connect(cluster.options)
  } catch (error) {
    throw unreachableError(cluster.address, isOwnServer, error)
  }
}

async function openEngine(
  cluster: Cluster,
  own: { stateDir: string; release: () => void } | null,
  env: Env,
  connectTimeoutMs: number = CONNECT_TIMEOUT_MS,
): Promise<Engine> {
  const connection = await connectClient(cluster, own !== null, connectTimeoutMs)
  return {
    connection,
    address: cluster.address,
    namespace: cluster.namespace,
    lostAfterMs: lostAfterMs(env),
    isOwnServer: own !== null,
    connectNative: (log, metrics = null) =>
      connectWorker(cluster, own !== null, { log, metrics, env }),
    describe: () =>
      own === null
        ? `Temporal at ${cluster.address}, namespace ${cluster.namespace}`
        : `own Temporal server at ${cluster.address} (state in ${own.stateDir})`,
    close: async () => {
      await connection.close()
      own?.release()
    },
  }
}

function leaseOptions(options: ConnectOptions): LeaseOptions {
  const { env, isolated, onProgress, signal } = options
  return {
    env,
    stateDir: isolated?.stateDir ?? engineStateDir(env),
    ...(isolated?.graceMs === undefined ? {} : { graceMs: isolated.graceMs }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** The cluster to connect to; null for the user's own server. */
function chosenCluster(options: ConnectOptions): Cluster | null {
  return options.isolated === undefined ? configuredCluster(options.env) : null
}

/**
 * Connects to the cluster of `TEMPORAL_*` or `temporal.toml`, else to the user's own dev server. The own server is
 * found, started and leased. The server has answered when this returns.
 *
 * @throws EngineError TEMPORAL_CONFIG, TEMPORAL_UNREACHABLE, and the errors of `leaseServer`.
 */
export async function connectEngine(options: ConnectOptions): Promise<Engine> {
  const cluster = chosenCluster(options)
  if (cluster !== null) return openEngine(cluster, null, options.env, options.connectTimeoutMs)
  const lease = await leaseServer(leaseOptions(options))
  const { address, namespace } = lease
  try {
    const own = { address, namespace, options: { address } }
    const engine = await openEngine(own, lease, options.env, options.connectTimeoutMs)
    if (lease.isNew) {
      await setRetention(engine.connection, namespace).catch(async (error: unknown) => {
        await engine.connection.close()
        throw unreachableError(address, true, error)
      })
    }
    return engine
  } catch (error) {
    lease.release()
    throw error
  }
}

/**
 * Connects to a cluster, or to the user's own server if it runs. Starts no server.
 *
 * @returns null when the user's own server is not running.
 */
export async function connectRunningEngine(options: ConnectOptions): Promise<Engine | null> {
  const isDown =
    chosenCluster(options) === null && runningServer(leaseOptions(options).stateDir) === null
  return isDown ? null : connectEngine(options)
}
