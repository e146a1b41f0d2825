import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../../api/operations.ts'
import type { ParamValues } from '../../../api/operations/describe-operation.ts'
import { createMarket } from '../../../service/market/market.ts'
import { tinySpec } from '../tiny-market.ts'

type Body = Record<string, unknown>

const spec = tinySpec({
  coins: 40,
  exchanges: 4,
  tickersPerExchange: 20,
  vsCurrencies: ['usd', 'eur', 'btc'],
})
const market = createMarket(spec)
const get = (operation: OperationId, params: ParamValues = {}): unknown =>
  market.body(operation, params)
const listed = get('coins/markets', {
  vs_currency: 'usd',
}) as (Body & { id: string; current_price: number })[]
const sum = (rows: readonly Body[], key: string): number =>
  rows.reduce((all, row) => all + Number(row[key] ?? 0), 0)

describe('the bodies agree with each other', () => {
  test('what global sums is what the markets list', () => {
    const { data } = get('global') as { data: Record<string, Record<string, number>> }
    for (const vsCurrency of spec.vsCurrencies) {
      const rows = get('coins/markets', { vs_currency: vsCurrency }) as Body[]
      expect(data['total_market_cap']![vsCurrency]).toBeCloseTo(sum(rows, 'market_cap'), 3)
      expect(data['total_volume']![vsCurrency]).toBeCloseTo(sum(rows, 'total_volume'), 3)
    }
    expect(data['active_cryptocurrencies']).toBe(listed.length)
    const shares = Object.values(data['market_cap_percentage']!)
    expect(shares.length).toBeGreaterThan(5)
    expect(sum([{ all: shares.reduce((a, b) => a + b, 0) }], 'all')).toBeLessThanOrEqual(100)
  })

  test('a category holds coins: its cap and volume are theirs, its top three the largest', () => {
    const categories = get('coins/categories') as Body[]
    const stable = categories.find(({ id }) => id === 'stablecoins')!
    const members = listed.filter(({ id }) => ['tether', 'usd-coin'].includes(id))
    expect(stable['market_cap']).toBeCloseTo(sum(members, 'market_cap'), 3)
    expect(stable['volume_24h']).toBeCloseTo(sum(members, 'total_volume'), 3)
    expect(stable['top_3_coins_id']).toEqual(['tether', 'usd-coin'])
    const ids = (get('coins/categories/list') as Body[]).map((row) => row['category_id'])
    expect(new Set(categories.map(({ id }) => id))).toEqual(new Set(ids))
    const empty = categories.find(({ id }) => id === 'discontinued')!
    expect(empty).toMatchObject({ market_cap: null, volume_24h: null, top_3_coins_id: [] })
  })

  test('quotes, details and contracts tell the price of the listing', () => {
    const chainlink = listed.find(({ id }) => id === 'chainlink')!
    const quotes = get('simple/price', {
      ids: 'chainlink,nobody',
      vs_currencies: 'usd,eur',
    }) as Record<string, Record<string, number>>
    expect(Object.keys(quotes)).toEqual(['chainlink'])
    expect(quotes['chainlink']!['usd']).toBe(chainlink['current_price'])
    expect(quotes['chainlink']!['usd_24h_vol']).toBe(chainlink['total_volume'])

    const details = get('coins/{id}', {
      id: 'chainlink',
    }) as { market_data: Record<string, Record<string, number>> }
    expect(details.market_data['current_price']!['usd']).toBe(chainlink['current_price'])
    expect(details.market_data['ath']!['usd']).toBe(chainlink['ath'])

    const data = details.market_data as Record<string, unknown>
    expect(data['price_change_percentage_60d']).toBe(
      details.market_data['price_change_percentage_60d_in_currency']!['usd'],
    )
    const [cap, diluted] = [chainlink['market_cap'], chainlink['fully_diluted_valuation']]
    expect(data['market_cap_fdv_ratio']).toBeCloseTo(Number(cap) / Number(diluted), 2)
    const rank = chainlink['market_cap_rank']
    expect(details).toMatchObject({ market_cap_rank_with_rehypothecated: rank })
    expect(data).toMatchObject({
      market_cap_rank_with_rehypothecated: rank,
      outstanding_supply: data['total_supply'],
      outstanding_token_value_usd: Number(data['total_supply']) * chainlink['current_price'],
    })

    const { contractAddress } = market.tokens.find(({ coin }) => coin.id === 'chainlink')!
    const token = get('coins/{id}/contract/{contract_address}', {
      id: 'ethereum',
      contract_address: contractAddress.toUpperCase().replace('0X', '0x'),
    }) as Body
    expect(token['contract_address']).toBe(contractAddress)
  })

  test.each(['bitcoin', 'tether'])('exchanges list the pairs of %s, base or target', (id) => {
    const { tickers } = get('coins/{id}/tickers', { id }) as { tickers: Body[] }
    const everywhere = market.exchanges.flatMap(
      (one) => (get('exchanges/{id}/tickers', { id: one.id }) as { tickers: Body[] }).tickers,
    )
    const own = everywhere.filter(
      (ticker) => ticker['coin_id'] === id || ticker['target_coin_id'] === id,
    )
    expect(own.filter((ticker) => ticker['target_coin_id'] === id).length).toBeGreaterThan(3)
    expect(tickers).toHaveLength(own.length)
    expect(tickers).toEqual(expect.arrayContaining(own))
  })

  test('every coin has a pair, and the largest ones have more', () => {
    const pairsOf = (id: string): number =>
      (get('coins/{id}/tickers', { id }) as { tickers: Body[] }).tickers.length
    expect(listed.filter(({ id }) => pairsOf(id) === 0)).toEqual([])
    expect(pairsOf('bitcoin')).toBeGreaterThanOrEqual(20)
  })

  test('a derivative exchange sums its contracts', () => {
    const all = get('derivatives') as Body[]
    const venues = get('derivatives/exchanges') as Body[]
    expect(sum(venues, 'number_of_perpetual_pairs') + sum(venues, 'number_of_futures_pairs')).toBe(
      all.length,
    )
    const prices = all.map(({ price }) => String(price))
    expect(prices.filter((price) => !/^\d+(\.\d+)?$/.test(price))).toEqual([])
    expect(Math.min(...prices.map(Number))).toBeLessThan(1e-6)
    const single = get('derivatives/exchanges/{id}', { id: 'binance_futures' }) as {
      tickers: Body[]
      name: string
      open_interest_btc: number
    }
    const interests = sum(single.tickers, 'open_interest_usd')
    const btcUsd = listed.find(({ id }) => id === 'bitcoin')!.current_price
    expect(single.open_interest_btc).toBeCloseTo(interests / btcUsd, 6)
  })

  test('exactly seven coins trend', () => {
    const { coins } = get('search/trending') as { coins: { item: Body }[] }
    expect(coins.map(({ item }) => item['score'])).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('trending categories change as they are listed, in dollars and in bitcoins', () => {
    const { categories } = get('search/trending') as { categories: (Body & { data: Body })[] }
    const own = get('coins/categories') as Body[]
    const bitcoin = Number(
      listed.find(({ id }) => id === 'bitcoin')!['price_change_percentage_24h'],
    )
    expect(categories.length).toBeGreaterThan(2)
    for (const { slug, data } of categories) {
      const { btc, usd } = data['market_cap_change_percentage_24h'] as Record<string, number>
      expect(usd).toBe(own.find(({ id }) => id === slug)!['market_cap_change_24h'])
      expect((1 + btc! / 100) * (1 + bitcoin / 100)).toBeCloseTo(1 + usd! / 100, 6)
    }
  })
})
