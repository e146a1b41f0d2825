import { describe, expect, test } from 'vitest'
import type { Names } from './held-values.ts'
import { NAME_AND_ID, TICKER } from './column-names.ts'
import type { RealClient } from './real-client.ts'
import { MARKET_NOW_MS } from '../tiny-market.ts'

const NOW = new Date(MARKET_NOW_MS).toISOString()

/** Exchanges and derivatives. */
export function describeExchanges(sdk: RealClient): void {
  describe('exchanges', () => {
    test('exchanges', async () => {
      const list = await sdk.ask('exchanges', sdk.client.exchanges.get({ per_page: 2, page: 1 }))
      sdk.db.sameRows(list, (await sdk.newest('exchange_stats')).slice(0, 2), NAME_AND_ID)
    })

    test('list', async () => {
      const list = await sdk.ask('exchanges/list', sdk.client.exchanges.getList())
      sdk.db.sameRows(list, await sdk.db.rows('FROM exchanges ORDER BY list_ordinal'), NAME_AND_ID)
    })

    test('one exchange', async () => {
      const { tickers, ...body } = await sdk.ask(
        'exchanges/{id}',
        sdk.client.exchanges.getID('binance'),
      )
      const [row] = await sdk.newest('exchange_details', `exchange_id = 'binance'`, 'exchange_id')
      sdk.db.same(body, row!, { status_updates: 'status_updates' })
      const rows = await sdk.newest('exchange_tickers', `exchange_id = 'binance'`)
      sdk.db.sameRows(tickers, rows.slice(0, 100), TICKER)
    })

    test('tickers', async () => {
      const body = await sdk.ask(
        'exchanges/{id}/tickers',
        sdk.client.exchanges.tickers.get('binance', { order: 'base_target', depth: true }),
      )
      const rows = await sdk.newest(
        'exchange_tickers',
        `exchange_id = 'binance'`,
        'base, target, ordinal',
      )
      sdk.db.sameRows(body.tickers, rows.slice(0, 100), TICKER)
    })

    test('volume chart', async () => {
      const chart = await sdk.ask(
        'exchanges/{id}/volume_chart',
        sdk.client.exchanges.volumeChart.get('binance', { days: '1' }),
      )
      const rows = await sdk.db.rows(
        `FROM exchange_volume_chart WHERE exchange_id = 'binance' AND granularity = '10m'
       AND ts >= TIMESTAMPTZ '${NOW}' - INTERVAL 1 DAY AND ts <= TIMESTAMPTZ '${NOW}' ORDER BY ts`,
      )
      expect(rows.length).toBeGreaterThan(100)
      sdk.db.equal(
        chart,
        rows.map((row) => [(row['ts'] as Date).getTime(), row['volume_24h_btc_text']]),
      )
    })

    test('exchange rates', async () => {
      const { rates } = await sdk.ask('exchange_rates', sdk.client.exchangeRates.get())
      const rows = await sdk.newest('exchange_rates')
      expect(Object.keys(rates)).toEqual(rows.map(({ currency }) => currency))
      sdk.db.sameRows(Object.values(rates), rows)
    })
  })

  describe('derivatives', () => {
    const STATS: Names = { id: 'exchange_id', trade_volume_24h_btc: 'trade_volume_24h_btc_text' }
    const CONTRACT: Names = {
      h24_percentage_change: 'price_percentage_change_24h',
      index: 'index_price',
      h24_volume: 'volume_24h',
      last_traded: 'last_traded_at',
      ...Object.fromEntries(
        ['last', 'volume'].flatMap((kind) =>
          ['btc', 'eth', 'usd'].map((code) => [
            `converted_${kind}.${code}`,
            `converted_${kind}_${code}_text`,
          ]),
        ),
      ),
    }

    test('tickers', async () => {
      const list = await sdk.ask('derivatives', sdk.client.derivatives.get())
      sdk.db.sameRows(list, await sdk.newest('derivative_tickers'), {
        market: 'market_name',
        price: 'price_text',
        index: 'index_price',
        open_interest: 'open_interest_usd',
        volume_24h: 'volume_24h_usd',
      })
    })

    test('exchanges', async () => {
      const list = await sdk.ask(
        'derivatives/exchanges',
        sdk.client.derivatives.exchanges.get({ order: 'name_asc', per_page: 2 }),
      )
      const rows = await sdk.newest('derivative_exchange_stats', 'true', 'name')
      sdk.db.sameRows(list, rows.slice(0, 2), STATS)
    })

    test('one exchange with its contracts', async () => {
      const { tickers, ...body } = await sdk.ask(
        'derivatives/exchanges/{id}',
        sdk.client.derivatives.exchanges.getID('binance_futures', { include_tickers: 'all' }),
      )
      const of = `exchange_id = 'binance_futures'`
      const [row] = await sdk.newest('derivative_exchange_details', of, 'exchange_id')
      sdk.db.same(body, row!, STATS)
      sdk.db.sameRows(tickers, await sdk.newest('derivative_exchange_tickers', of), CONTRACT)
    })

    test('list', async () => {
      const list = await sdk.ask(
        'derivatives/exchanges/list',
        sdk.client.derivatives.exchanges.getList(),
      )
      const rows = await sdk.db.rows('FROM derivative_exchanges ORDER BY list_ordinal')
      sdk.db.sameRows(list, rows, NAME_AND_ID)
    })
  })
}
