import { Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { NativeConnection } from '@temporalio/worker'
import type { MetricsConfig } from '../config/settings/read-watching.ts'
import { engineStateDir, type Env, isIsolated, lostAfterMs } from './engine-env.ts'
import { EngineError } from './engine-error.ts'
import { leaseServer, runningServer, type ServerLease } from './server/lease-server.ts'
import type { EngineLog } from './runtime.ts'

export interface ConnectOptions {
  env: Env
  /** Called with one line before each slow step (a download). */
  onProgress?: (message: string) => void
  /** A server must answer within this time. Default 10 s. */
  connectTimeoutMs?: number
  /** Ends the wait for the user's own server, whose start may take a minute. */
  signal?: AbortSignal
}

/** A connection to a Temporal server that has answered. */
export type Engine = Awaited<ReturnType<typeof openEngine>>

interface Cluster {
  address: string
  namespace: string
  options: ReturnType<typeof loadClientConnectConfig>['connectionOptions']
  /** The user's own dev server; null = a cluster. */
  own: ServerLease | null
}

/** A cluster that is starting, or far away, may take seconds to answer. */
const CONNECT_TIMEOUT_MS = 10_000
/** Finished runs stay visible for a week. Each activity takes about 2 kB of a database that never shrinks. */
const RETENTION_MS = 7 * 86_400_000
const RETENTION_SET_WITHIN_MS = 10_000

/**
 * No proxy: a proxy of the environment cannot reach this machine's loopback. Short pauses: a killed server is back
 * within a second, but gRPC's own pause grows to a minute.
 */
const OWN_SERVER_CHANNEL = {
  'grpc.enable_http_proxy': 0,
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 1_000,
}

/** The cluster of `TEMPORAL_*` or `temporal.toml`; null: neither names an address, or both are ignored. */
function configuredCluster(env: Env): Cluster | null {
  if (isIsolated(env)) return null
  try {
    const overrideEnvVars = env as Record<string, string>
    const { connectionOptions: options, namespace } = loadClientConnectConfig({ overrideEnvVars })
    const { address = '' } = options
    if (address === '') return null
    return { address, namespace: namespace ?? 'default', options, own: null }
  } catch (error) {
    throw new EngineError(`cannot read the Temporal configuration: ${(error as Error).message}`, {
      code: 'TEMPORAL_CONFIG',
      hint: 'Correct temporal.toml (TEMPORAL_CONFIG_FILE) or the TEMPORAL_* variables, or unset them.',
      cause: error,
    })
  }
}

function unreachableError({ address, own }: Cluster, cause: unknown): EngineError {
  return new EngineError(
    `Temporal does not answer on ${address}: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      code: 'TEMPORAL_UNREACHABLE',
      hint:
        own === null
          ? 'Check TEMPORAL_ADDRESS, TLS and API key, or unset TEMPORAL_* to use a server of your own.'
          : 'Wait 15 seconds and run the command again: coinlake stops a server that no process uses, and then starts a new one.',
      cause,
    },
  )
}

async function connectClient(cluster: Cluster, connectTimeout: number): Promise<Connection> {
  try {
    return await Connection.connect({
      connectTimeout,
      ...cluster.options,
      ...(cluster.own === null ? {} : { channelArgs: OWN_SERVER_CHANNEL }),
    })
  } catch (error) {
    throw unreachableError(cluster, error)
  }
}

async function connectWorker(
  cluster: Cluster,
  log: EngineLog,
  metrics: MetricsConfig | null,
): Promise<NativeConnection> {
  // Loaded here and not above, so that commands without workers start faster.
  const { NativeConnection } = await import('@temporalio/worker')
  const { installRuntime } = await import('./runtime.ts')
  // Before the connection, because the SDK would otherwise install a runtime that logs to stderr.
  installRuntime(log, metrics)
  try {
    return await NativeConnection.connect(cluster.options)
  } catch (error) {
    throw unreachableError(cluster, error)
  }
}

async function openEngine(
  cluster: Cluster,
  { env, connectTimeoutMs = CONNECT_TIMEOUT_MS }: ConnectOptions,
) {
  const { address, namespace, own } = cluster
  const connection = await connectClient(cluster, connectTimeoutMs)
  return {
    /** For clients, which start runs, query and update. Loads no native code. */
    connection,
    address,
    namespace,
    lostAfterMs: lostAfterMs(env),
    /** Connects workers and loads 30 MB of native code. Temporal's warnings go to `log`. The caller closes the connection. */
    connectNative: (log: EngineLog, metrics: MetricsConfig | null = null) =>
      connectWorker(cluster, log, metrics),
    /** Names the server in one line for people. */
    describe: (): string =>
      own === null
        ? `Temporal at ${address}, namespace ${namespace}`
        : `own Temporal server at ${address} (state in ${own.stateDir})`,
    /** Ends the connection, and the lease of the user's own server. */
    close: async (): Promise<void> => {
      await connection.close()
      own?.release()
    },
  }
}

/**
 * Connects to the cluster of `TEMPORAL_*` or `temporal.toml`, else to the user's own dev server. The own server is
 * found, started and leased. The server has answered when this returns.
 *
 * @throws EngineError TEMPORAL_CONFIG, TEMPORAL_UNREACHABLE, and the errors of `leaseServer`.
 */
export async function connectEngine(options: ConnectOptions): Promise<Engine> {
  const { env, onProgress, signal } = options
  const configured = configuredCluster(env)
  if (configured !== null) return openEngine(configured, options)
  const own = await leaseServer({ env, stateDir: engineStateDir(env), onProgress, signal })
  const { address, namespace } = own
  const cluster = { address, namespace, options: { address }, own }
  try {
    const engine = await openEngine(cluster, options)
    if (own.isNew) {
      await setRetention(engine.connection, namespace).catch(async (error: unknown) => {
        await engine.connection.close()
        throw unreachableError(cluster, error)
      })
    }
    return engine
  } catch (error) {
    own.release()
    throw error
  }
}

/** Connects to a cluster, or to the user's own server; null = that server is not running. Starts no server. */
export async function connectRunningEngine(options: ConnectOptions): Promise<Engine | null> {
  const { env } = options
  const isDown = configuredCluster(env) === null && runningServer(engineStateDir(env)) === null
  return isDown ? null : connectEngine(options)
}

/** Sets how long a new dev server keeps the histories of finished runs. */
async function setRetention(connection: Connection, namespace: string): Promise<void> {
  await connection.withDeadline(Date.now() + RETENTION_SET_WITHIN_MS, () =>
    connection.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION_MS) },
    }),
  )
}
