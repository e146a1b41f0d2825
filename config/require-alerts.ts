import { ConfigError } from './config-error.ts'
import type { AlertsConfig } from './settings/read-watching.ts'
import type { Config } from './config.ts'

/**
 * The receiver of alerts, for a command that works on the warehouse; null = none. A receiver without an address is an
 * error, because otherwise nobody would notice until an alert is needed.
 *
 * @throws ConfigError CONFIG_NO_ALERT_TARGET
 */
export function requireAlerts(config: Config): AlertsConfig | null {
  const { alerts, whyNoAlerts, file } = config
  if (whyNoAlerts === null) return alerts
  throw new ConfigError(`alerts cannot be sent: ${whyNoAlerts} (${file})`, {
    code: 'CONFIG_NO_ALERT_TARGET',
    hint: 'Set it, or take `alerts:` out of the file.',
  })
}
