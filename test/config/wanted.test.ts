import { expect, test } from 'vitest'
import { frozenClock } from '../../config/clock.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import type { WantedDataset } from '../../plan/order.ts'
import { parse } from './parse.ts'
import { problemsOf } from './problems-of.ts'
import { shapes } from './shapes.ts'

const clock = frozenClock(Date.UTC(2025, 0, 1))
const DAY_MS = 86_400_000

function wantedOf(datasets: string, flags = {}): WantedDataset[] {
  const text = `source: { base_url: "https://api.example" }\ndatasets:\n${datasets}`
  return wantedFromConfig(parse(text, { flags }), shapes, clock)
}

test('nothing is left open, and the plan takes it as it is', () => {
  expect(
    wantedOf(`
  market_chart: { coins: [bitcoin, ethereum], from: 2024-01-01 }
  ohlc: { coins: top:5, vs_currencies: [usd, eur], granularity: 4d, from: 2024-06-01, to: 2024-07-01 }
  coin_markets: { coins: all, every: 1h }
  price_quotes: { coins: category:layer-1 }
  exchange_tickers: { exchanges: [kraken] }
  token_details: { tokens: [ethereum/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48, ethereum/0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48, osmosis/ibc/27394F] }
  search_results: { queries: ["bitcoin, cash", "null", 7] }
  coins:
`),
  ).toEqual([
    {
      dataset: 'market_chart',
      entities: ['bitcoin', 'ethereum'],
      vsCurrencies: ['usd'],
      granularity: '1h',
      fromMs: Date.UTC(2024, 0, 1),
      toMs: null,
      everyMs: 0,
    },
    {
      dataset: 'ohlc',
      entities: { top: 5 },
      vsCurrencies: ['usd', 'eur'],
      granularity: '4d',
      fromMs: Date.UTC(2024, 5, 1),
      toMs: Date.UTC(2024, 6, 1),
      everyMs: 0,
    },
    { ...snapshot('coin_markets'), vsCurrencies: ['usd'], everyMs: DAY_MS / 24 },
    {
      ...snapshot('price_quotes'),
      entities: { category: 'layer-1' },
      vsCurrencies: ['usd'],
    },
    { ...snapshot('exchange_tickers'), entities: ['kraken'] },
    {
      ...snapshot('token_details'),
      entities: ['ethereum/0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'osmosis/ibc/27394F'],
    },
    { ...snapshot('search_results'), entities: ['bitcoin, cash', 'null', '7'] },
    snapshot('coins'),
  ])
})

test('all coins of a history are still to be chosen, all of a market listing are the listing', () => {
  const flags = { coins: 'all', from: '2024-01-01' }
  const wanted = wantedOf('  market_chart:\n  coin_markets:\n', flags)
  expect(wanted.map(({ entities }) => entities)).toEqual([{ all: true }, ['']])
})

function snapshot(dataset: string): WantedDataset {
  const times = { fromMs: 0, toMs: null, everyMs: DAY_MS }
  return { dataset, entities: [''], vsCurrencies: [''], granularity: '', ...times }
}

test.each<[string, object, string[]]>([
  [
    '  market_chart:',
    {},
    [
      'CONFIG_MISSING c.yaml:3: datasets.market_chart does not say `coins`',
      'CONFIG_MISSING c.yaml:3: datasets.market_chart does not say `from`',
    ],
  ],
  ['  market_chart:', { from: '2024-01-01', coins: 'bitcoin' }, []],
  [
    '',
    { datasets: ['exchange_tickers'] },
    ['CONFIG_MISSING command line: datasets.exchange_tickers does not say `exchanges`'],
  ],
  [
    '  derivative_exchange_tickers:',
    { exchanges: 'kraken', datasets: ['exchange_tickers', 'derivative_exchange_tickers'] },
    ['CONFIG_MISSING c.yaml:3: datasets.derivative_exchange_tickers does not say `exchanges`'],
  ],
  [
    '  token_details:',
    {},
    ['CONFIG_MISSING c.yaml:3: datasets.token_details does not say `tokens`'],
  ],
  [
    '  search_results:',
    {},
    ['CONFIG_MISSING c.yaml:3: datasets.search_results does not say `queries`'],
  ],
  ['  price_quotes:', {}, ['CONFIG_MISSING c.yaml:3: datasets.price_quotes does not say `coins`']],
  ['  token_details:', { tokens: 'ethereum/0x1,base/0x2' }, []],
  ['  search_results:', { queries: 'wrapped ether,eth' }, []],
  ['', {}, ['CONFIG_NO_DATASETS c.yaml: no dataset is asked for']],
  [
    '  ohlc: { coins: [bitcoin], from: 2025-01-01 }',
    {},
    ['CONFIG_RANGE c.yaml:3: datasets.ohlc.from 2025-01-01 lies in the future (now: 2025-01-01)'],
  ],
])('%j with %j', (datasets, flags, expected) => {
  const problems = problemsOf(() => wantedOf(datasets, flags))
  expect(problems.map((one) => one.split(' | ')[0])).toEqual(expected)
})

test('a missing key is named with its flag and as it stands in the file', () => {
  const problems = problemsOf(() => wantedOf('  exchange_tickers:'))
  expect(problems.join()).toMatch(
    / \| Pass --exchanges binance, or add `exchanges: \[binance\]` to the order in the file\.$/,
  )
})

test.each([
  ['interface', 'CONFIG_NO_INACTIVE'],
  ['coingecko-demo', 'CONFIG_NO_INACTIVE'],
  ['coingecko-pro', null],
])('delisted coins are asked for where the profile lists them: %s', (profile, code) => {
  const source = `source: { profile: ${profile}, base_url: "https://api.example", api_key: k }`
  const text = `${source}\ndatasets: { market_chart: { coins: inactive, from: 2024-06-01 } }`
  const config = parse(text)
  const want = (): WantedDataset[] => wantedFromConfig(config, shapes, clock)
  if (code === null) expect(want()).toMatchObject([{ entities: { inactive: true } }])
  else
    expect(want).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ code })] }))
})
