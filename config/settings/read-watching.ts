import { Secret } from '../values/secret.ts'
import { notInFileError } from './order-kinds.ts'
import type { Values } from './setting.ts'
import type { SettingReader } from './setting-reader.ts'
import {
  alertRows,
  freshnessRow,
  logRows,
  metricsRows,
  type ALERT_EVENTS,
} from './watch-settings.ts'

export type AlertEvent = (typeof ALERT_EVENTS)[number]

export interface AlertsConfig {
  receiver: { kind: 'webhook'; url: Secret } | { kind: 'command'; argv: readonly string[] }
  on: readonly AlertEvent[]
}

export type MetricsConfig = NonNullable<Values<typeof metricsRows>['prometheus' | 'otlp']>

export type LogConfig = Values<typeof logRows>

export interface WatchingConfig {
  /** Greatest age of the newest point in ms, by dataset or order (`market_chart/hourly`); others have a default. */
  freshness: Readonly<Record<string, number>>
  /** null = alerts are off. */
  alerts: AlertsConfig | null
  /** The reason why configured alerts cannot be sent, e.g. `env X is not set`; null = they can. */
  whyNoAlerts: string | null
  /** null = none. */
  metrics: MetricsConfig | null
  log: LogConfig
}

/** @param labels the datasets and orders of the file */
export function readWatching(reader: SettingReader, labels: readonly string[]): WatchingConfig {
  return {
    freshness: readFreshness(reader, labels),
    ...readAlerts(reader),
    metrics: readMetrics(reader),
    log: reader.readAll(logRows, ['log']),
  }
}

function readFreshness(reader: SettingReader, labels: readonly string[]): Record<string, number> {
  const maxAgesMs: Record<string, number> = {}
  for (const name of Object.keys(reader.inFile(['freshness']) ?? {})) {
    if (!labels.includes(name)) {
      const { code, message, hint } = notInFileError(name, labels)
      const where = reader.source.whereKey(['freshness', name])
      reader.report({ where, code, what: `freshness ${message}`, hint })
      continue
    }
    const maxAgeMs = reader.read({ ...freshnessRow, key: name }, ['freshness'])
    if (maxAgeMs !== null) maxAgesMs[name] = maxAgeMs
  }
  return maxAgesMs
}

const RECEIVERS = ['webhook', 'webhook_file', 'command'] as const

/** Reads `alerts`. A missing address becomes `whyNoAlerts`, not a problem, because only some commands need it. */
function readAlerts(reader: SettingReader): Pick<WatchingConfig, 'alerts' | 'whyNoAlerts'> {
  if (reader.inFile(['alerts']) === undefined) return { alerts: null, whyNoAlerts: null }
  const { webhook, webhookFile, command, on } = reader.readAll(alertRows, ['alerts'])
  // Only one receiver, because two would get every alert twice.
  reader.reportConflict('alerts', RECEIVERS, 'Keep one of them.')
  reportNoReceiver(reader)
  const url = webhookFile ?? webhook
  const receiver =
    url instanceof Secret
      ? { kind: 'webhook' as const, url }
      : command && { kind: 'command' as const, argv: command }
  const whyNoAlerts = url !== null && 'missing' in url ? url.missing : null
  return { alerts: receiver && { receiver, on }, whyNoAlerts }
}

function reportNoReceiver(reader: SettingReader): void {
  // A receiver with a wrong value is already reported.
  const isSaid = RECEIVERS.some((key) => {
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

function readMetrics(reader: SettingReader): MetricsConfig | null {
  const { prometheus, otlp } = reader.readAll(metricsRows, ['metrics'])
  const hint = 'Keep one of them; a collector can also scrape.'
  reader.reportConflict('metrics', ['prometheus', 'otlp'], hint)
  return prometheus ?? otlp
}
