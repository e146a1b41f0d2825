import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import type { LogLevel, TelemetryOptions } from '@temporalio/worker'
import type { MetricMeter } from '@temporalio/common'
import type { MetricsConfig } from '../config/settings/read-watching.ts'

/**
 * Receives Temporal's own log lines; `meta` has ids and errors. With pino:
 * `(level, message, meta) => logger[level.toLowerCase()](meta, message)`.
 */
export type EngineLog = (level: LogLevel, message: string, meta: Record<string, unknown>) => void

/** Temporal's warning about a worker that has only workflows or only activities (workers.ts). */
const EXPECTED_WARNING_PATTERN = /^No (activities|workflows) registered/

/** Time between two exports to a collector. */
const PUSH_EVERY_MS = 10_000

let installed = false
let meter: MetricMeter | null = null

/**
 * Sets up Temporal's one runtime of this process, before the first native connection. Warnings and errors go to `log`.
 * Temporal handles no signals, because Ctrl-C belongs to the command line. Later calls change nothing. If metrics cannot
 * be served (the port is taken), a log line says so and the work goes on.
 */
export function installRuntime(log: EngineLog, metrics: MetricsConfig | null = null): void {
  if (installed) return
  installed = true
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (!EXPECTED_WARNING_PATTERN.test(message)) log(level, message, { ...meta })
  })
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' })
  const options = { logger, shutdownSignals: [] }
  const logging = { filter, forward: {} }
  if (metrics !== null) {
    try {
      const served = { logging, metrics: metricsOptions(metrics) }
      meter = Runtime.install({ ...options, telemetryOptions: served }).metricMeter
      return
    } catch (error) {
      log('WARN', error instanceof Error ? error.message : String(error), {})
    }
  }
  Runtime.install({ ...options, telemetryOptions: { logging } })
}

/** The meter for coinlake's own metrics; null = no metrics. */
export function runtimeMeter(): MetricMeter | null {
  return meter
}

/**
 * The options by which Temporal's runtime serves or sends metrics: its own and coinlake's. Names end as Prometheus
 * wants: `_total`, `_seconds`. The runtime itself reads the headers for a collector from OTEL_EXPORTER_OTLP_HEADERS.
 */
function metricsOptions(metrics: MetricsConfig): NonNullable<TelemetryOptions['metrics']> {
  const common = { attachServiceName: false }
  if (metrics.kind === 'prometheus') {
    const bindAddress = `${metrics.host}:${metrics.port}`
    const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }
    return { ...common, prometheus: { bindAddress, ...names } }
  }
  const push = { metricsExportInterval: PUSH_EVERY_MS, useSecondsForDurations: true }
  return { ...common, otel: { url: metrics.url, http: true, ...push } }
}
