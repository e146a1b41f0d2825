import { describe, test } from 'vitest'
import { sameDetail } from './same-detail.ts'
import type { RealClient } from './real-client.ts'

/** Details, categories and platforms. */
export function describeDetails(sdk: RealClient): void {
  describe('details of coins and tokens', () => {
    test('a coin', async () => {
      const body = await sdk.ask(
        'coins/{id}',
        sdk.client.coins.getID('bitcoin', { tickers: false }),
      )
      await sameDetail(sdk.db, body, 'coin_detail', `coin_id = 'bitcoin'`)
    })

    test('a token', async () => {
      const token = await sdk.db.row(
        'SELECT platform_id, contract_address FROM token_details LIMIT 1',
      )
      const [id, address] = [String(token['platform_id']), String(token['contract_address'])]
      const body = await sdk.ask(
        'coins/{id}/contract/{contract_address}',
        sdk.client.coins.contract.get(address, { id }),
      )
      await sameDetail(
        sdk.db,
        body,
        'token_detail',
        `platform_id = '${id}' AND contract_address = '${address}'`,
      )
    })
  })

  describe('categories and platforms', () => {
    test('list of categories', async () => {
      const list = await sdk.ask('coins/categories/list', sdk.client.coins.categories.getList())
      sdk.db.sameRows(list, await sdk.db.rows('FROM categories ORDER BY list_ordinal'))
    })

    test('categories', async () => {
      const list = await sdk.ask(
        'coins/categories',
        sdk.client.coins.categories.get({ order: 'name_asc' }),
      )
      const rows = await sdk.newest('category_markets', 'true', 'name')
      const tops = await sdk.newest('category_top_coins')
      sdk.db.sameRows(
        list,
        rows.map((row) => {
          const own = tops.filter((top) => top['category_id'] === row['category_id'])
          return {
            ...row,
            ids: JSON.stringify(own.map(({ coin_id }) => coin_id)),
            images: JSON.stringify(own.map(({ image }) => image)),
          }
        }),
        {
          id: 'category_id',
          market_cap_change_24h: 'market_cap_change_percentage_24h',
          top_3_coins_id: 'ids',
          top_3_coins: 'images',
        },
      )
    })

    test('platforms', async () => {
      const list = await sdk.ask('asset_platforms', sdk.client.assetPlatforms.get())
      const rows = await sdk.db.rows('FROM asset_platforms ORDER BY list_ordinal')
      sdk.db.sameRows(list, rows, { id: 'platform_id' })
    })
  })
}
