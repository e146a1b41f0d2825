import Coingecko from '@coingecko/coingecko-typescript'
import { afterAll, expect, test } from 'vitest'
import type { OperationId } from '../../api/operations.ts'
import { withProfileParams } from '../../api/profile-params.ts'
import { profiles } from '../../config/profiles.ts'
import { createMarket } from '../../service/market/market.ts'
import { createKeyRing } from '../../service/callers/key-ring.ts'
import { startService } from '../../service/serve-http.ts'
import { plainService } from '../parts/serve-source.ts'
import { asking, simulated, tinySpec } from './tiny-market.ts'

const KEY = 'CG-real-client'
const SPEC = tinySpec({
  coins: 12,
  vsCurrencies: ['usd', 'eur'],
  dailyDays: 120,
  hourlyDays: 100,
  tickersPerExchange: 120,
})
const { contractAddress: TOKEN } = createMarket(SPEC).tokens[0]!
const EXTRAS = {
  vs_currencies: 'usd,eur',
  include_market_cap: true,
  include_24hr_vol: true,
  include_24hr_change: true,
  include_last_updated_at: true,
}
const EXTRAS_QUERY = Object.entries(EXTRAS)
  .map(([name, value]) => `${name}=${value}`)
  .join('&')

type Call = (client: Coingecko) => PromiseLike<unknown>

/** A call of the provider's own SDK, and the same question to the interface. */
const CALLS: Readonly<Record<OperationId, readonly [Call, string]>> = {
  ping: [(sdk) => sdk.ping.get(), 'ping'],
  'simple/price': [
    (sdk) => sdk.simple.price.get({ ids: 'bitcoin,ethereum,nobody', ...EXTRAS }),
    `simple/price?ids=bitcoin,ethereum,nobody&${EXTRAS_QUERY}`,
  ],
  'simple/token_price/{id}': [
    (sdk) => sdk.simple.tokenPrice.getID('ethereum', { contract_addresses: TOKEN, ...EXTRAS }),
    `simple/token_price/ethereum?contract_addresses=${TOKEN}&${EXTRAS_QUERY}`,
  ],
  'simple/supported_vs_currencies': [
    (sdk) => sdk.simple.supportedVsCurrencies.get(),
    'simple/supported_vs_currencies',
  ],
  'coins/list': [
    (sdk) => sdk.coins.list.get({ include_platform: true }),
    'coins/list?include_platform=true',
  ],
  'coins/markets': [
    (sdk) => sdk.coins.markets.get({ vs_currency: 'eur', per_page: 5, page: 2 }),
    'coins/markets?vs_currency=eur&per_page=5&page=2',
  ],
  'coins/{id}': [
    (sdk) => sdk.coins.getID('bitcoin', { tickers: false }),
    'coins/bitcoin?tickers=false',
  ],
  'coins/{id}/tickers': [
    (sdk) => sdk.coins.tickers.get('bitcoin', { depth: true, order: 'volume_desc' }),
    'coins/bitcoin/tickers?depth=true&order=volume_desc',
  ],
  'coins/{id}/history': [
    (sdk) => sdk.coins.history.get('bitcoin', { date: '2025-06-14', localization: false }),
    'coins/bitcoin/history?date=2025-06-14&localization=false',
  ],
  'coins/{id}/market_chart': [
    (sdk) => sdk.coins.marketChart.get('bitcoin', { vs_currency: 'usd', days: '90' }),
    'coins/bitcoin/market_chart?vs_currency=usd&days=90',
  ],
  // Between two days: the provider takes dates, the interface seconds.
  'coins/{id}/market_chart/range': [
    (sdk) =>
      sdk.coins.marketChart.getRange('bitcoin', {
        vs_currency: 'eur',
        from: '2025-05-01',
        to: '2025-05-11',
      }),
    'coins/bitcoin/market_chart/range?vs_currency=eur&from=1746057600&to=1746921600',
  ],
  'coins/{id}/ohlc': [
    (sdk) => sdk.coins.ohlc.get('bitcoin', { vs_currency: 'usd', days: '30', interval: 'daily' }),
    'coins/bitcoin/ohlc?vs_currency=usd&days=30&interval=daily',
  ],
  'coins/{id}/contract/{contract_address}': [
    (sdk) => sdk.coins.contract.get(TOKEN, { id: 'ethereum' }),
    `coins/ethereum/contract/${TOKEN}`,
  ],
  'coins/{id}/contract/{contract_address}/market_chart': [
    (sdk) =>
      sdk.coins.contract.marketChart.get(TOKEN, { id: 'ethereum', vs_currency: 'usd', days: '7' }),
    `coins/ethereum/contract/${TOKEN}/market_chart?vs_currency=usd&days=7`,
  ],
  'coins/{id}/contract/{contract_address}/market_chart/range': [
    (sdk) =>
      sdk.coins.contract.marketChart.getRange(TOKEN, {
        id: 'ethereum',
        vs_currency: 'usd',
        from: '1748736000',
        to: '1748908800',
      }),
    `coins/ethereum/contract/${TOKEN}/market_chart/range?vs_currency=usd&from=1748736000&to=1748908800`,
  ],
  'coins/categories/list': [(sdk) => sdk.coins.categories.getList(), 'coins/categories/list'],
  'coins/categories': [
    (sdk) => sdk.coins.categories.get({ order: 'name_asc' }),
    'coins/categories?order=name_asc',
  ],
  asset_platforms: [(sdk) => sdk.assetPlatforms.get(), 'asset_platforms'],
  exchanges: [(sdk) => sdk.exchanges.get({ per_page: 2, page: 1 }), 'exchanges?per_page=2&page=1'],
  'exchanges/list': [(sdk) => sdk.exchanges.getList(), 'exchanges/list'],
  'exchanges/{id}': [(sdk) => sdk.exchanges.getID('binance'), 'exchanges/binance'],
  'exchanges/{id}/tickers': [
    (sdk) => sdk.exchanges.tickers.get('binance', { order: 'base_target', depth: true }),
    'exchanges/binance/tickers?order=base_target&depth=true',
  ],
  'exchanges/{id}/volume_chart': [
    (sdk) => sdk.exchanges.volumeChart.get('binance', { days: '1' }),
    'exchanges/binance/volume_chart?days=1',
  ],
  exchange_rates: [(sdk) => sdk.exchangeRates.get(), 'exchange_rates'],
  derivatives: [(sdk) => sdk.derivatives.get(), 'derivatives'],
  'derivatives/exchanges': [
    (sdk) => sdk.derivatives.exchanges.get({ order: 'name_asc', per_page: 2 }),
    'derivatives/exchanges?order=name_asc&per_page=2',
  ],
  'derivatives/exchanges/{id}': [
    (sdk) => sdk.derivatives.exchanges.getID('binance_futures', { include_tickers: 'all' }),
    'derivatives/exchanges/binance_futures?include_tickers=all',
  ],
  'derivatives/exchanges/list': [
    (sdk) => sdk.derivatives.exchanges.getList(),
    'derivatives/exchanges/list',
  ],
  search: [(sdk) => sdk.search.get({ query: 'coin' }), 'search?query=coin'],
  'search/trending': [(sdk) => sdk.search.trending.get(), 'search/trending'],
  global: [(sdk) => sdk.global.get(), 'global'],
  'global/decentralized_finance_defi': [
    (sdk) => sdk.global.decentralizedFinanceDefi.get(),
    'global/decentralized_finance_defi',
  ],
}

const source = simulated(afterAll, SPEC)
const ask = asking(source)
const profile = profiles['coingecko-pro']
const operations = withProfileParams(profile)
const service = plainService(source, { operations, profile, keys: createKeyRing([KEY]) })
const server = await startService(service, { port: 0 })
afterAll(() => server.close())
const client = new Coingecko({ proAPIKey: KEY, baseURL: `${server.url}/api/v3` })

/** Values are proven by round-trip.test.ts and test/proof; here, that a stranger's client gets them. */
test.each(Object.entries(CALLS))('%s: the SDK gets what the interface says', async (id, asked) => {
  const [call, path] = asked
  const { status, body } = await ask(path)
  expect(status).toBe(200)
  expect(await call(client)).toEqual(id === 'ping' ? { gecko_says: '(V3) To the Moon!' } : body)
  expect(JSON.stringify(body).length).toBeGreaterThan(10)
})

test('a wrong key and an unknown id are the errors that the SDK knows', async () => {
  const stranger = client.withOptions({ proAPIKey: 'CG-wrong' })
  await expect(stranger.ping.get()).rejects.toMatchObject({ status: 401 })
  await expect(client.coins.getID('nobody')).rejects.toMatchObject({ status: 404 })
})
