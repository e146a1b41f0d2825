import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import type { ConfigFlags } from '../../config/config-flags.ts'
import { loadConfig } from '../../config/load-config.ts'
import { orderLabel } from '../../config/order-label.ts'
import { orderOf } from './order-of.ts'
import { parse as parseText } from './parse.ts'
import { shapes } from './shapes.ts'
import { tempDir } from '../parts/temp-dir.ts'

const dir = tempDir(afterAll)
const example = `source: { profile: interface, base_url: "http://127.0.0.1:8400", api_key: "\${COINLAKE_API_KEY}" }
warehouse: ./warehouse
sinks: [duckdb, parquet]
datasets:
  market_chart: { coins: [bitcoin, ethereum], vs_currencies: [usd], granularity: hourly, from: 2024-01-01, to: 2024-03-31 }
  coin_markets: { vs_currencies: [usd], every: 1d }
`

function parse(text: string, flags: ConfigFlags = {}, env: Record<string, string> = {}) {
  return parseText(text, { flags, env })
}

describe('the example', () => {
  const config = parse(example, {}, { COINLAKE_API_KEY: 'k-123' })

  test('means what it says', () => {
    expect(orderOf(config, 'market_chart')).toEqual({
      dataset: 'market_chart',
      name: null,
      origin: 'c.yaml:5',
      coins: { ids: ['bitcoin', 'ethereum'] },
      exchanges: null,
      tokens: null,
      queries: null,
      vsCurrencies: ['usd'],
      granularity: '1h',
      fromMs: Date.UTC(2024, 0, 1),
      toMs: Date.UTC(2024, 2, 31),
      everyMs: 0,
      ignore: [],
    })
    expect(orderOf(config, 'coin_markets')).toMatchObject({
      coins: null,
      everyMs: 86_400_000,
      ignore: [],
      granularity: '',
    })
    expect(config.datasets.map(orderLabel)).toEqual(['market_chart', 'coin_markets'])
    expect(config.warehouseDir).toBe('/base/warehouse')
    expect(config.source).toMatchObject({
      baseUrl: 'http://127.0.0.1:8400',
      rate: null,
      monthlyCalls: null,
      maxHistoryDays: null,
      timeoutMs: 30_000,
      maxBodyBytes: 64 * 1024 * 1024,
      concurrency: 16,
    })
    expect(config.stage.keep).toBe('forever')
    expect(config.publish.every).toBe(900_000)
  })

  test('each value knows its origin and no secret is shown', () => {
    expect(config.source.apiKeys[0]?.reveal()).toBe('k-123')
    expect(config.settings['source.base_url']).toEqual({
      value: 'http://127.0.0.1:8400',
      origin: 'c.yaml:1',
    })
    expect(config.settings['source.api_key']).toEqual({
      value: '[secret]',
      origin: 'env COINLAKE_API_KEY',
    })
    expect(config.settings['datasets.market_chart.from']).toEqual({
      value: '2024-01-01',
      origin: 'c.yaml:5',
    })
    expect(config.settings['source.timeout']).toEqual({ value: '30s', origin: 'default' })
    const { settings } = parse(example.replace(', to: 2024-03-31', ''))
    expect(settings['datasets.market_chart.to']).toEqual({ value: 'now', origin: 'default' })
    expect(JSON.stringify(config)).not.toContain('k-123')
  })
})

test('everything that can be said is understood', () => {
  const config = parse(`
source:
  profile: coingecko-demo
  rate: { calls: 30, per: 1m }
  monthly_calls: 5000
  monthly_reserve: 300
  max_history_days: 100
  timeout: 10s
  max_body: 16MiB
  ca_file: certs/ca.pem
  concurrency: 2
stage: { keep: 30d }
parquet: { version: v1 }
publish: { every: end }
sinks: parquet
datasets:
  ohlc: { coins: top:100, granularity: 4h, vs_currencies: "usd, EUR,usd", from: 2024-01-01T12:00Z }
  exchange_tickers: { exchanges: "binance,kraken", every: 6h }
  market_chart:
    coins: [null, true, 000, 1e3, 2025, "1move token", "boringdao-[old]"]
    ignore: [2025]
  coins:
`)
  expect(config.source).toMatchObject({
    baseUrl: 'https://api.coingecko.com',
    rate: { calls: 30, perMs: 60_000 },
    monthlyCalls: 5000,
    monthlyReserve: 300,
    maxHistoryDays: 100,
    timeoutMs: 10_000,
    maxBodyBytes: 16 * 1024 * 1024,
    caFile: '/base/certs/ca.pem',
    concurrency: 2,
  })
  expect(config).toMatchObject({
    stage: { keep: 30 * 86_400_000, at: null },
    lake: null,
    parquet: { version: 'v1' },
    publish: { every: 'end' },
    sinks: ['parquet'],
  })
  expect(orderOf(config, 'ohlc')).toMatchObject({
    coins: { top: 100 },
    vsCurrencies: ['usd', 'eur'],
    granularity: '4h',
    fromMs: Date.UTC(2024, 0, 1, 12),
  })
  expect(orderOf(config, 'exchange_tickers')?.exchanges).toEqual(['binance', 'kraken'])
  expect(orderOf(config, 'exchange_tickers')?.everyMs).toBe(6 * 3_600_000)
  expect(orderOf(config, 'market_chart')?.coins).toEqual({
    ids: ['null', 'true', '000', '1e3', '2025', '1move token', 'boringdao-[old]'],
  })
  expect(orderOf(config, 'market_chart')?.ignore).toEqual(['2025'])
  expect(orderOf(config, 'coins')).toMatchObject({
    coins: null,
    vsCurrencies: [],
    everyMs: 86_400_000,
    ignore: [],
  })
})

describe('precedence', () => {
  const env = {
    COINLAKE_BASE_URL: 'https://env.example',
    COINLAKE_WAREHOUSE: 'env-lake',
    COINLAKE_PROFILE: 'coingecko-pro',
  }
  test.each<[string, ConfigFlags, Record<string, string>, string, string, string]>([
    ['file', {}, {}, 'http://127.0.0.1:8400', 'c.yaml:1', '/base/warehouse'],
    ['env', {}, env, 'https://env.example', 'env COINLAKE_BASE_URL', '/base/env-lake'],
    [
      'flag',
      { baseUrl: 'https://flag.example/v2/', warehouse: '/flag-lake', profile: 'interface' },
      env,
      'https://flag.example',
      'flag --base-url',
      '/flag-lake',
    ],
    [
      'empty env',
      {},
      { COINLAKE_BASE_URL: '' },
      'http://127.0.0.1:8400',
      'c.yaml:1',
      '/base/warehouse',
    ],
  ])('%s', (_, flags, env, baseUrl, origin, warehouseDir) => {
    const config = parse(example, flags, env)
    expect(config.source.baseUrl).toBe(baseUrl)
    expect(config.settings['source.base_url']?.origin).toBe(origin)
    expect(config.warehouseDir).toBe(warehouseDir)
  })

  test('flags of datasets go to those that take them', () => {
    const config = parse(example, {
      coins: 'top:10',
      from: '2023-01-01',
      vs: 'eur',
      granularity: 'daily',
    })
    expect(orderOf(config, 'market_chart')).toMatchObject({
      coins: { top: 10 },
      vsCurrencies: ['eur'],
      granularity: '1d',
      fromMs: Date.UTC(2023, 0, 1),
      toMs: Date.UTC(2024, 2, 31),
    })
    expect(orderOf(config, 'coin_markets')).toMatchObject({ coins: { top: 10 }, fromMs: null })
    expect(config.settings['datasets.market_chart.from']?.origin).toBe('flag --from')
  })

  test('a flag of exchanges means those of one kind, and the file has one key for both', () => {
    const text =
      example +
      '  exchange_tickers: { exchanges: [binance] }\n' +
      '  derivative_exchange_tickers: { exchanges: [binance_futures] }\n'
    const exchangesOf = (flags: ConfigFlags) => {
      const config = parse(text, flags)
      return ['exchange_tickers', 'derivative_exchange_tickers'].map(
        (name) => orderOf(config, name)?.exchanges,
      )
    }
    expect(exchangesOf({})).toEqual([['binance'], ['binance_futures']])
    expect(exchangesOf({ exchanges: 'kraken' })).toEqual([['kraken'], ['binance_futures']])
    expect(exchangesOf({ derivativeExchanges: 'bybit' })).toEqual([['binance'], ['bybit']])
    expect(
      parse(text, { derivativeExchanges: 'bybit' }).settings[
        'datasets.derivative_exchange_tickers.exchanges'
      ],
    ).toEqual({ value: 'bybit', origin: 'flag --derivative-exchanges' })
  })

  test('--granularity leaves alone what does not offer it', () => {
    const text = example + '  ohlc: { coins: [bitcoin], granularity: 4d }\n'
    const config = parse(text, { granularity: 'daily' })
    expect(orderOf(config, 'market_chart')?.granularity).toBe('1d')
    expect(orderOf(config, 'ohlc')?.granularity).toBe('4d')
  })

  test('--dataset chooses, also what the file does not have', () => {
    const config = parse(example, { datasets: ['exchange_rates', 'market_chart'] })
    expect(config.datasets.map(orderLabel)).toEqual(['exchange_rates', 'market_chart'])
    expect(orderOf(config, 'exchange_rates')?.origin).toBe('command line')
  })

  test('an empty section says nothing, whichever it is', () => {
    const said = (text: string): object => {
      const { source, file, settings: _, ...rest } = parse(text)
      return { ...rest, source: { ...source, apiKeys: [] }, file }
    }
    const sections = 'store stage publish parquet schedules freshness alerts metrics log'.split(' ')
    for (const section of sections) expect(said(`${example}${section}:\n`)).toEqual(said(example))
  })

  test('every path may begin in the home folder', () => {
    const home = join(dir, 'home')
    mkdirSync(home)
    vi.stubEnv('HOME', home)
    onTestFinished(() => void vi.unstubAllEnvs())
    writeFileSync(join(home, 'one.key'), 'key-one')
    writeFileSync(join(home, 'two.key'), 'key-two')
    writeFileSync(join(home, 'hook'), 'https://hook.example/x')
    const read = (keys: string) =>
      parse(`source: { base_url: "https://api.example", ca_file: ~/ca.pem, ${keys} }
stage: { at: ~/stage }
store: { ducklake: { catalog: "sqlite:~/catalog.sqlite", data: ~/rows } }
alerts: { webhook_file: ~/hook }
`)
    const config = read('api_key_file: ~/one.key')
    expect(config).toMatchObject({
      source: { caFile: join(home, 'ca.pem'), keyMissing: null },
      stage: { at: join(home, 'stage') },
      lake: { catalog: `sqlite:${join(home, 'catalog.sqlite')}`, data: join(home, 'rows') },
    })
    expect(config.source.apiKeys.map((key) => key.reveal())).toEqual(['key-one'])
    const several = read('api_key_files: [~/one.key, ~/two.key]').source.apiKeys
    expect(several.map((key) => key.reveal())).toEqual(['key-one', 'key-two'])
    expect(config.settings['alerts.webhook_file']?.value).toBe('[secret]')
    expect(parse(example, { warehouse: '~/lake' }).warehouseDir).toBe(join(home, 'lake'))
  })
})

describe('the file itself', () => {
  const load = (file: string) => loadConfig({ file, env: {}, datasets: shapes, cwd: dir })

  test('is read relative to the working folder, its paths relative to itself', () => {
    writeFileSync(join(dir, 'coinlake.yaml'), `\uFEFF${example.replaceAll('\n', '\r\n')}`)
    expect(load('coinlake.yaml').warehouseDir).toBe(join(dir, 'warehouse'))
  })

  test.each([
    ['missing.yaml', 'CONFIG_NOT_FOUND', 'there is no configuration file missing.yaml'],
    ['.', 'CONFIG_UNREADABLE', 'cannot read . (EISDIR)'],
    ['/dev/zero', 'CONFIG_UNREADABLE', '/dev/zero is no regular file'],
    ['pipe.yaml', 'CONFIG_UNREADABLE', 'pipe.yaml is no regular file'],
    ['latin1.yaml', 'CONFIG_UNREADABLE', 'latin1.yaml is not UTF-8 text'],
  ])('%s', (file, code, message) => {
    writeFileSync(join(dir, 'latin1.yaml'), Buffer.from([0x61, 0xe4, 0x3a]))
    execFileSync('sh', ['-c', 'test -p pipe.yaml || mkfifo pipe.yaml'], { cwd: dir })
    expect(() => load(file)).toThrow(expect.objectContaining({ code, message, exitCode: 2 }))
    expect(() => load(file)).toThrow(ConfigError)
  })
})
