import type { Secret } from './secret.ts'
import type { ALERT_EVENTS, LOG_FORMATS, LOG_LEVELS } from './watch-schema.ts'

/** What an alert may be about. */
export type AlertEvent = (typeof ALERT_EVENTS)[number]

/** Who is told what. */
export interface AlertsConfig {
  target: { kind: 'webhook'; url: Secret } | { kind: 'command'; argv: readonly string[] }
  on: readonly AlertEvent[]
}

/** Where metrics go. */
export type MetricsConfig =
  | { kind: 'prometheus'; host: string; port: number }
  | { kind: 'otlp'; url: string }

export interface LogConfig {
  format: (typeof LOG_FORMATS)[number]
  level: (typeof LOG_LEVELS)[number]
  /** How long log files stay. */
  keepMs: number
}

/** What watches a warehouse, with nothing left to look up. */
export interface WatchingConfig {
  /** By dataset or order (`market_chart/hourly`): how old its newest point may be, ms; those not in here have a default. */
  freshness: Readonly<Record<string, number>>
  /** null = nobody is told. */
  alerts: AlertsConfig | null
  /** Why alerts that are configured cannot be sent, e.g. `env X is not set`; null otherwise. */
  alertsMissing: string | null
  /** null = none. */
  metrics: MetricsConfig | null
  log: LogConfig
}
