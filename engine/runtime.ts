import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import type { LogLevel, TelemetryOptions } from '@temporalio/worker'
import type { MetricMeter } from '@temporalio/common'

/**
 * Where Temporal's own log lines go. `meta` carries ids and errors. pino fits:
 * `(level, message, meta) => logger[level.toLowerCase()](meta, message)`.
 */
export type EngineLog = (level: LogLevel, message: string, meta: Record<string, unknown>) => void

/** Said of every worker that is meant to have only one half (see workers.ts). */
const EXPECTED = /^No (activities|workflows) registered/

let installed = false
let meter: MetricMeter | null = null

/**
 * Sets up Temporal's runtime of this process, once, before the first native connection: WARN and worse, to
 * `log` (never stdout), and no signal handlers of its own, since Ctrl-C belongs to the command line.
 * Later calls change nothing: the runtime is one per process. Metrics that cannot be served, as another
 * process has the port, are told and done without: the work matters more.
 */
export function installRuntime(log: EngineLog, metrics?: TelemetryOptions['metrics']): void {
  if (installed) return
  installed = true
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (!EXPECTED.test(message)) log(level, message, { ...meta })
  })
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' })
  const options = { logger, shutdownSignals: [] }
  const logging = { filter, forward: {} }
  if (metrics !== undefined) {
    try {
      const runtime = Runtime.install({ ...options, telemetryOptions: { logging, metrics } })
      meter = runtime.metricMeter
      return
    } catch (error) {
      log('WARN', error instanceof Error ? error.message : String(error), {})
    }
  }
  Runtime.install({ ...options, telemetryOptions: { logging } })
}

/** The meter that is served or sent with Temporal's own metrics; null when none are. */
export function runtimeMeter(): MetricMeter | null {
  return meter
}
