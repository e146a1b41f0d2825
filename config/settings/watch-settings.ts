import { argv, duration, listOf, word } from './kinds.ts'
import { bindAddress, collector } from './metrics-kinds.ts'
import { checkedUrl, secret, secretFile } from './secret-kinds.ts'
import { setting } from './setting.ts'

/** Events of alerts: a run that ended partial or failed, a stalled run, stale data, and recovery from them. */
export const ALERT_EVENTS = ['partial', 'failed', 'stalled', 'stale', 'recovered'] as const

export const freshnessRow = setting('freshness', duration, {
  about: 'Greatest age of its newest point.',
  otherwise:
    'for a series its age an hour after the window for its next point; for a snapshot twice its period, or twice the time between windows if longer; without a schedule at least a day',
  examples: ['5h'],
})

export const alertRows = {
  webhook: setting('webhook', secret(checkedUrl), {
    about:
      'Receiver of alerts as JSON (POST). Write ${NAME} to take the address from the environment, because it is a secret.',
    examples: ['${COINLAKE_ALERT_WEBHOOK}'],
  }),
  webhookFile: setting('webhook_file', secretFile(checkedUrl), {
    isAlternative: true,
    about: 'A file that holds the address; relative to this file.',
    examples: ['./webhook'],
  }),
  command: setting('command', argv, {
    isAlternative: true,
    about:
      'A program and its arguments, instead of a webhook. The program gets the alert as JSON on standard input, without a shell.',
    examples: [['/usr/local/bin/page-me', '--team', 'data']],
  }),
  on: setting('on', listOf(word(ALERT_EVENTS)), {
    about:
      'Events that send an alert: a run is partial, failed or stalled, data are stale, or either has recovered.',
    default: ALERT_EVENTS,
  }),
}

export const metricsRows = {
  prometheus: setting('prometheus', bindAddress, {
    about:
      'Port, or host:port, that serves /metrics while a process works. A port alone means 127.0.0.1.',
    examples: [9464, '127.0.0.1:9464'],
  }),
  otlp: setting('otlp', collector, {
    isAlternative: true,
    about: 'Address of an OpenTelemetry collector (OTLP over HTTP), instead of prometheus.',
    examples: ['http://127.0.0.1:4318/v1/metrics'],
  }),
}

export const logRows = {
  format: setting('format', word(['text', 'json']), {
    about: 'Form of the messages of backfill, refetch and worker on stderr. json prints log lines.',
    default: 'text',
    flag: 'log',
  }),
  level: setting('level', word(['debug', 'info', 'warn']), {
    about: 'Lowest level of log lines. debug has a line for each page.',
    default: 'info',
  }),
  keepMs: setting('keep', duration, {
    about: 'Time that log files in state/logs stay.',
    default: '30d',
  }),
}
