import { withoutUser } from './base-url.ts'
import { isIP } from 'node:net'
import { parseText } from './parse-values.ts'
import type { ConfigDocument } from './schema.ts'
import { BadValue, type RawValue, type SettingReader } from './setting-reader.ts'
import type { MetricsConfig } from './watching.ts'

const LOOPBACK = '127.0.0.1'
const MAX_PORT = 65_535

/** Either a place to be scraped at, or a collector to send to. */
export function readMetrics(
  reader: SettingReader,
  inFile: ConfigDocument['metrics'],
): MetricsConfig | null {
  if (inFile === undefined) return null
  const prometheus = reader.read<MetricsConfig | null>({
    path: ['metrics', 'prometheus'],
    inFile: inFile.prometheus,
    fallback: null,
    parse: parseBindAddress,
    show: shown,
  })
  const otlp = reader.read<MetricsConfig | null>({
    path: ['metrics', 'otlp'],
    inFile: inFile.otlp,
    fallback: null,
    parse: parseCollector,
    show: shown,
  })
  if (inFile.prometheus !== undefined && inFile.otlp !== undefined) {
    reader.report({
      where: reader.whereOf(['metrics', 'otlp']),
      code: 'CONFIG_CONFLICT',
      what: 'metrics.prometheus and metrics.otlp are both there',
      hint: 'Keep one of them: a collector can scrape, too.',
    })
  }
  return prometheus ?? otlp
}

function shown(metrics: MetricsConfig | null): string {
  if (metrics === null) return 'none'
  return metrics.kind === 'otlp' ? metrics.url : `${metrics.host}:${metrics.port}`
}

/** `9464`, `127.0.0.1:9464`, `[::1]:9464`: whoever means all addresses writes 0.0.0.0. */
function parseBindAddress(value: RawValue): MetricsConfig {
  const text = parseText(value)
  const [, host = LOOPBACK, port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  const address = host === 'localhost' ? LOOPBACK : host.replace(/^\[(.*)\]$/, '$1')
  const number = Number(port)
  if (port === '' || number < 1 || number > MAX_PORT || isIP(address) === 0) {
    throw new BadValue(
      'CONFIG_BAD_ADDRESS',
      `is no address to listen on: ${JSON.stringify(text)}`,
      'Write a port (9464), or an IP address and a port: 127.0.0.1:9464.',
    )
  }
  return { kind: 'prometheus', host: isIP(address) === 6 ? `[${address}]` : address, port: number }
}

function parseCollector(value: RawValue): MetricsConfig {
  const text = parseText(value)
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url !== null && isWeb && url.username === '' && url.password === '') {
    return { kind: 'otlp', url: text }
  }
  throw new BadValue(
    'CONFIG_BAD_URL',
    `is not a web address without a user: ${JSON.stringify(withoutUser(text))}`,
    'Write http://127.0.0.1:4318/v1/metrics; what a collector asks for besides goes into OTEL_EXPORTER_OTLP_HEADERS.',
  )
}
