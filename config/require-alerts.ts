import { ConfigError } from './config-error.ts'
import type { AlertsConfig } from './settings/read-watching.ts'
import type { Config } from './config.ts'

/**
 * The receiver of alerts, for a command that works on the warehouse; null = nobody. Alerts that are configured and
 * cannot be sent would only be missed when they are needed.
 *
 * @throws ConfigError CONFIG_NO_ALERT_TARGET
 */
export function requireAlerts(config: Config): AlertsConfig | null {
  const { alerts, alertsMissing, file } = config
  if (alertsMissing === null) return alerts
  throw new ConfigError(`alerts cannot be sent: ${alertsMissing} (${file})`, {
    code: 'CONFIG_NO_ALERT_TARGET',
    hint: 'Set it, or take `alerts:` out of the file.',
  })
}
