import { describe, expect, test } from 'vitest'
import type { HeldRow } from './held-values.ts'
import { TICKER } from './column-names.ts'
import type { RealClient } from './real-client.ts'

const NEWEST = `observed_at = (SELECT max(observed_at) FROM`

/** Prices and listings of coins. */
export function describeListings(sdk: RealClient): void {
  describe('simple', () => {
    test('ping', async () => {
      expect(await sdk.ask('ping', sdk.client.ping.get())).toEqual({
        gecko_says: '(V3) To the Moon!',
      })
    })

    const extras = {
      vs_currencies: 'usd,eur',
      include_market_cap: true,
      include_24hr_vol: true,
      include_24hr_change: true,
      include_last_updated_at: true,
    }

    /** A quote holds its currencies side by side; each is a row of the table. */
    function sameQuote(quote: Record<string, unknown>, rows: readonly HeldRow[]): void {
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) {
        const currency = String(row['vs_currency'])
        const expected = {
          [currency]: row['price'],
          [`${currency}_market_cap`]: row['market_cap'],
          [`${currency}_24h_vol`]: row['volume_24h'],
          [`${currency}_24h_change`]: row['price_change_percentage_24h'],
          last_updated_at: (row['last_updated_at'] as Date).getTime() / 1_000,
        }
        sdk.db.equal(
          Object.fromEntries(Object.keys(expected).map((key) => [key, quote[key]])),
          expected,
        )
      }
    }

    test('price', async () => {
      const quotes = await sdk.ask(
        'simple/price',
        sdk.client.simple.price.get({ ids: 'bitcoin,ethereum,nobody', ...extras }),
      )
      expect(Object.keys(quotes).sort()).toEqual(['bitcoin', 'ethereum'])
      for (const [id, quote] of Object.entries(quotes)) {
        const rows = await sdk.db.rows(
          `FROM price_quotes WHERE coin_id = $1 AND ${NEWEST} price_quotes)`,
          id,
        )
        sameQuote(quote as Record<string, unknown>, rows)
      }
    })

    test('token price', async () => {
      const token = await sdk.db.row(
        'SELECT platform_id, contract_address FROM token_price_quotes LIMIT 1',
      )
      const [platform, address] = [String(token['platform_id']), String(token['contract_address'])]
      const quotes = await sdk.ask(
        'simple/token_price/{id}',
        sdk.client.simple.tokenPrice.getID(platform, { contract_addresses: address, ...extras }),
      )
      expect(Object.keys(quotes)).toEqual([address])
      const rows = await sdk.db.rows(
        `FROM token_price_quotes WHERE contract_address = $1 AND ${NEWEST} token_price_quotes)`,
        address,
      )
      sameQuote(quotes[address] as Record<string, unknown>, rows)
    })

    test('supported currencies', async () => {
      const codes = await sdk.ask(
        'simple/supported_vs_currencies',
        sdk.client.simple.supportedVsCurrencies.get(),
      )
      const rows = await sdk.db.rows('SELECT currency FROM vs_currencies ORDER BY list_ordinal')
      sdk.db.equal(
        codes,
        rows.map(({ currency }) => currency),
      )
    })
  })

  describe('coins', () => {
    test('list', async () => {
      const list = await sdk.ask(
        'coins/list',
        sdk.client.coins.list.get({ include_platform: true }),
      )
      const rows = await sdk.db.rows(
        `SELECT coin_id AS id, symbol, name,
         (SELECT coalesce(json_group_object(platform_id, contract_address), '{}') FROM coin_platforms p
          WHERE p.coin_id = c.coin_id AND p.last_seen_at = c.last_seen_at) AS platforms
       FROM coins c WHERE last_seen_at = (SELECT max(last_seen_at) FROM coins) ORDER BY list_ordinal`,
      )
      sdk.db.sameRows(list, rows, { platforms: 'platforms' })
    })

    test('markets', async () => {
      const markets = await sdk.ask(
        'coins/markets',
        sdk.client.coins.markets.get({
          vs_currency: 'eur',
          order: 'market_cap_desc',
          per_page: 5,
          page: 2,
        }),
      )
      const rows = await sdk.db.rows(
        `FROM coin_markets WHERE vs_currency = 'eur' AND ${NEWEST} coin_markets)
       ORDER BY market_cap DESC NULLS LAST, ordinal LIMIT 5 OFFSET 5`,
      )
      sdk.db.sameRows(markets, rows, {
        id: 'coin_id',
        ath_date: 'ath_at',
        atl_date: 'atl_at',
        last_updated: 'last_updated_at',
      })
    })

    test('tickers', async () => {
      const body = await sdk.ask(
        'coins/{id}/tickers',
        sdk.client.coins.tickers.get('bitcoin', { depth: true, order: 'volume_desc' }),
      )
      const rows = await sdk.db.rows(
        `FROM coin_tickers WHERE listing_coin_id = 'bitcoin' AND ${NEWEST} coin_tickers)
       ORDER BY converted_volume_usd DESC NULLS LAST, ordinal LIMIT 100`,
      )
      expect(body.name).toBe(rows[0]!['listing_name'])
      sdk.db.sameRows(body.tickers, rows, TICKER)
    })

    test('history', async () => {
      const body = (await sdk.ask(
        'coins/{id}/history',
        sdk.client.coins.history.get('bitcoin', { date: '2025-06-14', localization: false }),
      )) as unknown as { id: string; market_data: Record<string, Record<string, number>> }
      const rows = await sdk.db.rows(
        `FROM coin_history WHERE coin_id = 'bitcoin' AND date = DATE '2025-06-14'`,
      )
      expect(rows.length).toBeGreaterThan(0)
      expect(body.id).toBe('bitcoin')
      for (const row of rows) {
        const currency = String(row['vs_currency'])
        const { current_price, market_cap, total_volume } = body.market_data
        sdk.db.equal(
          [current_price![currency], market_cap![currency], total_volume![currency]],
          [row['price'], row['market_cap'], row['total_volume']],
        )
      }
    })
  })
}
