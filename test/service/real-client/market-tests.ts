import { describe, expect, test } from 'vitest'
import type { HeldRow } from './held-values.ts'
import type { RealClient } from './real-client.ts'

/** Search, trending and the whole market. */
export function describeMarket(sdk: RealClient): void {
  describe('search and the whole market', () => {
    test('search', async () => {
      const body = await sdk.ask('search', sdk.client.search.get({ query: 'coin' }))
      const found = async (kind: string): Promise<HeldRow[]> =>
        sdk.newest('search_results', `query = 'coin' AND kind = '${kind}'`)
      sdk.db.sameRows(body.coins, await found('coin'), { id: 'result_id' })
      sdk.db.sameRows(body.exchanges, await found('exchange'), { id: 'result_id' })
    })

    test('trending', async () => {
      const body = await sdk.ask('search/trending', sdk.client.search.trending.get())
      const rows = await sdk.newest('trending_coins')
      const changes = await sdk.newest('trending_coin_changes', 'true', 'vs_currency')
      const items = body.coins.map(({ item }) => item)
      expect(items).toHaveLength(7)
      sdk.db.sameRows(
        items,
        rows.map((row) => {
          const own = changes.filter(({ coin_id }) => coin_id === row['coin_id'])
          const map = own.map((one) => [one['vs_currency'], one['price_change_percentage_24h']])
          return { ...row, changes: JSON.stringify(Object.fromEntries(map)) }
        }),
        {
          id: 'coin_id',
          coin_id: 'coin_number',
          'data.price': 'price_usd',
          'data.price_change_percentage_24h': 'changes',
          'data.price_btc': 'data_price_btc_text',
          'data.market_cap': 'market_cap_usd_text',
          'data.market_cap_btc': 'market_cap_btc_text',
          'data.total_volume': 'total_volume_usd_text',
          'data.total_volume_btc': 'total_volume_btc_text',
          'data.sparkline': 'sparkline',
          'data.content': 'content',
        },
      )
    })

    test('global', async () => {
      const { data } = await sdk.ask('global', sdk.client.global.get())
      const [row] = await sdk.newest('global_market', 'true', 'observed_at')
      const byCurrency = await sdk.newest('global_market_by_currency', 'true', 'vs_currency')
      const shares = await sdk.newest('global_market_dominance', 'true', 'symbol')
      const map = (rows: readonly HeldRow[], key: string, column: string): string =>
        JSON.stringify(Object.fromEntries(rows.map((one) => [one[key], one[column]])))
      sdk.db.same(
        data,
        {
          ...row,
          caps: map(byCurrency, 'vs_currency', 'total_market_cap'),
          volumes: map(byCurrency, 'vs_currency', 'total_volume'),
          shares: map(shares, 'symbol', 'market_cap_percentage'),
        },
        { total_market_cap: 'caps', total_volume: 'volumes', market_cap_percentage: 'shares' },
      )
    })

    test('decentralized finance', async () => {
      const { data } = await sdk.ask(
        'global/decentralized_finance_defi',
        sdk.client.global.decentralizedFinanceDefi.get(),
      )
      const [row] = await sdk.newest('global_defi', 'true', 'observed_at')
      const texts = Object.keys(row!).filter((name) => name.endsWith('_text'))
      const names = Object.fromEntries(texts.map((name) => [name.replace(/_text$/, ''), name]))
      sdk.db.same(data, row!, names)
    })
  })
}
