import { Secret } from '../values/secret.ts'
import { notInFile } from './order-kinds.ts'
import type { Values } from './setting.ts'
import type { SettingReader } from './setting-reader.ts'
import {
  alertRows,
  freshnessRow,
  logRows,
  metricsRows,
  type ALERT_EVENTS,
} from './watch-settings.ts'

/** An event that an alert may be about. */
export type AlertEvent = (typeof ALERT_EVENTS)[number]

/** Alerts and their receiver. */
export interface AlertsConfig {
  target: { kind: 'webhook'; url: Secret } | { kind: 'command'; argv: readonly string[] }
  on: readonly AlertEvent[]
}

/** Where metrics go. */
export type MetricsConfig = NonNullable<Values<typeof metricsRows>['prometheus' | 'otlp']>

export type LogConfig = Values<typeof logRows>

/** The watch over a warehouse, with nothing left to look up. */
export interface WatchingConfig {
  /** By dataset or order (`market_chart/hourly`): how old its newest point may be, ms; those not in here have a default. */
  freshness: Readonly<Record<string, number>>
  /** null = alerts are off. */
  alerts: AlertsConfig | null
  /** Why alerts that are configured cannot be sent, e.g. `env X is not set`; null otherwise. */
  alertsMissing: string | null
  /** null = none. */
  metrics: MetricsConfig | null
  log: LogConfig
}

/**
 * The sections `freshness`, `alerts`, `metrics` and `log`.
 *
 * @param labels datasets and orders that the file has
 */
export function readWatching(reader: SettingReader, labels: readonly string[]): WatchingConfig {
  return {
    freshness: readFreshness(reader, labels),
    ...readAlerts(reader),
    metrics: readMetrics(reader),
    log: reader.readAll(logRows, ['log']),
  }
}

/** Targets of datasets and orders that are not in the file would never be looked at. */
function readFreshness(reader: SettingReader, labels: readonly string[]): Record<string, number> {
  const targets: Record<string, number> = {}
  for (const name of Object.keys(reader.inFile(['freshness']) ?? {})) {
    if (!labels.includes(name)) {
      const { code, message, hint } = notInFile(name, labels)
      const where = reader.source.whereKey(['freshness', name])
      reader.report({ where, code, what: `freshness ${message}`, hint })
      continue
    }
    const maxAgeMs = reader.read({ ...freshnessRow, key: name }, ['freshness'])
    if (maxAgeMs !== null) targets[name] = maxAgeMs
  }
  return targets
}

const TARGETS = ['webhook', 'webhook_file', 'command'] as const

/**
 * A missing address of alerts is returned as `alertsMissing` and is no problem yet: only commands that work on the
 * warehouse need it.
 */
function readAlerts(reader: SettingReader): Pick<WatchingConfig, 'alerts' | 'alertsMissing'> {
  if (reader.inFile(['alerts']) === undefined) return { alerts: null, alertsMissing: null }
  const { webhook, webhookFile, command, on } = reader.readAll(alertRows, ['alerts'])
  // One way to tell, and one only: two would tell everything twice.
  reader.reportTogether('alerts', TARGETS, 'Keep one of them.')
  reportNoTarget(reader)
  const url = webhookFile ?? webhook
  if (url !== null && !(url instanceof Secret)) return { alerts: null, alertsMissing: url.missing }
  if (url !== null) return { alerts: { target: { kind: 'webhook', url }, on }, alertsMissing: null }
  const target = command === null ? null : { kind: 'command' as const, argv: command }
  return { alerts: target === null ? null : { target, on }, alertsMissing: null }
}

function reportNoTarget(reader: SettingReader): void {
  // The check of the file has removed and reported a wrong value.
  const isSaid = TARGETS.some((key) => {
    return reader.inFile(['alerts', key]) !== undefined || reader.isBroken(['alerts', key])
  })
  if (isSaid) return
  reader.report({
    where: reader.whereOf(['alerts']),
    code: 'CONFIG_NO_ALERT_TARGET',
    what: 'alerts names no receiver',
    hint: 'Write `webhook: ${COINLAKE_ALERT_WEBHOOK}` or `command: [program, argument]`.',
  })
}

/** Either a place to be scraped at, or a collector to send to. */
function readMetrics(reader: SettingReader): MetricsConfig | null {
  const { prometheus, otlp } = reader.readAll(metricsRows, ['metrics'])
  const hint = 'Keep one of them: a collector can scrape, too.'
  reader.reportTogether('metrics', ['prometheus', 'otlp'], hint)
  return prometheus ?? otlp
}
