import type { TelemetryOptions } from '@temporalio/worker'
import type { MetricsConfig } from '../config/settings/read-watching.ts'
import type { Env } from './engine-env.ts'

/** Time between two exports to a collector. */
const PUSH_EVERY_MS = 10_000

/**
 * The options by which Temporal's runtime serves or sends metrics: its own and coinlake's. Names end as Prometheus
 * wants: `_total`, `_seconds`.
 *
 * @param env may have OTEL_EXPORTER_OTLP_HEADERS: headers for the collector, possibly secret
 */
export function metricsOptions(
  metrics: MetricsConfig,
  env: Env,
): NonNullable<TelemetryOptions['metrics']> {
  const common = { attachServiceName: false }
  if (metrics.kind === 'prometheus') {
    const bindAddress = `${metrics.host}:${metrics.port}`
    const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }
    return { ...common, prometheus: { bindAddress, ...names } }
  }
  const headers = headersOf(env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '')
  const push = { metricsExportInterval: PUSH_EVERY_MS, useSecondsForDurations: true }
  return { ...common, otel: { url: metrics.url, http: true, headers, ...push } }
}

/** `a=b,c=d` with percent-encoded values, as OpenTelemetry writes it. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]]
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
