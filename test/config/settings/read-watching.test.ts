import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { requireAlerts } from '../../../config/require-alerts.ts'
import { parse, problemsIn } from '../parse.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const HEAD = `source: { base_url: "http://127.0.0.1:8400" }
datasets: { market_chart: {}, coins: {} }
`
const HOOK = 'https://chat.example/hooks/T0/s3cr3t'
const HOUR_MS = 3_600_000

const load = (text: string, env: Record<string, string> = {}, flags = {}) =>
  parse(HEAD + text, { env, flags })

test('without a word of it nothing is watched but the log, which is for people', () => {
  expect(load('')).toMatchObject({
    freshness: {},
    alerts: null,
    whyNoAlerts: null,
    metrics: null,
    log: { format: 'text', level: 'info', keepMs: 30 * 24 * HOUR_MS },
  })
  expect(load('alerts:\nmetrics:\nfreshness:\nlog:\n')).toMatchObject({
    alerts: null,
    metrics: null,
  })
})

test('everything said', () => {
  const config = load(
    `freshness: { market_chart: 2h }
alerts: { webhook: "\${HOOK}", on: failed }
metrics: { prometheus: 9464 }
log: { format: json, level: debug, keep: 7d }
`,
    { HOOK },
  )
  expect(config).toMatchObject({
    freshness: { market_chart: 2 * HOUR_MS },
    alerts: { on: ['failed'], receiver: { kind: 'webhook' } },
    metrics: { kind: 'prometheus', host: '127.0.0.1', port: 9464 },
    log: { format: 'json', level: 'debug', keepMs: 7 * 24 * HOUR_MS },
  })
  const { alerts } = config
  expect(alerts?.receiver.kind === 'webhook' && alerts.receiver.url.reveal()).toBe(HOOK)
  expect(load('log: { format: text }', {}, { log: 'json' }).log.format).toBe('json')
})

test('the address of alerts is a secret in every form', () => {
  const dir = tempDir()
  const file = join(dir, 'hook')
  writeFileSync(file, `${HOOK}\n`)
  for (const config of [
    load(`alerts: { webhook: "${HOOK}" }`),
    load('alerts: { webhook: "${HOOK}" }', { HOOK }),
    load(`alerts: { webhook_file: ${file} }`),
  ]) {
    expect(`${JSON.stringify(config)}${inspect(config, { depth: 9 })}`).not.toContain('s3cr3t')
    expect(config.alerts?.on).toEqual(['partial', 'failed', 'stalled', 'stale', 'recovered'])
  }
})

test('an address that is not there is missed by who works, not by who looks', () => {
  const config = load('alerts: { webhook: "${HOOK}" }')
  expect(config).toMatchObject({ alerts: null, whyNoAlerts: 'env HOOK is not set' })
  const message = 'alerts cannot be sent: env HOOK is not set (c.yaml)'
  expect(() => requireAlerts(config)).toThrow(
    expect.objectContaining({ code: 'CONFIG_NO_ALERT_TARGET', exitCode: 2, message }),
  )
  expect(requireAlerts(load(''))).toBeNull()
  expect(load('alerts: { webhook_file: nowhere }').whyNoAlerts).toMatch(/nowhere .*ENOENT/)
})

test.each([
  ['freshness: { market_char: 2h }', 'CONFIG_UNKNOWN_DATASET', 'Did you mean `market_chart`?'],
  ['freshness: { coin_markets: 2h }', 'CONFIG_UNKNOWN_DATASET', 'There are market_chart, coins.'],
  ['freshness: { market_chart: soon }', 'CONFIG_BAD_DURATION', 'not a duration: "soon"'],
  ['alerts: { on: [stale] }', 'CONFIG_NO_ALERT_TARGET', 'names no receiver'],
  ['alerts: { webhook: "x://y", command: [a] }', 'CONFIG_CONFLICT', 'Keep one of them'],
  ['alerts: { command: [a], on: [late] }', 'CONFIG_BAD_VALUE', 'is unknown: "late"'],
  ['metrics: { prometheus: 9464, otlp: "http://c:4318" }', 'CONFIG_CONFLICT', 'Keep one'],
  ['metrics: { otlp: "http://u:pw@c:4318" }', 'CONFIG_BAD_URL', '//...@c:4318'],
  ['log: { format: xml }', 'CONFIG_BAD_VALUE', 'Choose one of text, json.'],
])('%s', (text, code, says) => {
  const problems = problemsIn(HEAD + text, { env: { BAD: 'no address' } })
  expect(problems).toHaveLength(text.includes('x://y') ? 2 : 1)
  expect(problems.join('\n')).toContain(code)
  expect(problems.join('\n')).toContain(says)
})

test('a wrong address is not shown', () => {
  const wrong = [
    'alerts: { webhook: "s3cr3t" }',
    'alerts: { webhook: [s3cr3t] }',
    'alerts: { webhook: "${BAD}" }',
  ]
  for (const text of wrong) {
    const problems = problemsIn(HEAD + text, { env: { BAD: 'no address' } })
    expect(problems).not.toEqual([])
    expect(problems.join()).not.toMatch(/s3cr3t|no address/)
  }
})
