import { CATEGORIES } from '../categories.ts'
import { COIN_MARKETS, NEWEST_OF_COINS } from '../coin-markets.ts'
import { COINS } from '../coins.ts'
import type { Row, RowSelection } from '../dataset.ts'
import { DERIVATIVE_EXCHANGES, DERIVATIVE_EXCHANGE_STATS } from '../derivative-exchanges.ts'
import { EXCHANGES, EXCHANGE_STATS } from '../exchanges.ts'
import { newestRows } from '../record/newest-rows.ts'
import { TRENDING } from '../trending/trending-lists.ts'

/** Most results of each kind. A search for `a` finds 10,000 coins. */
const MOST_RESULTS = 25
/** The source's texts for missing pictures. */
const NO_THUMB = 'missing_thumb.png'
const NO_LARGE = 'missing_large.png'

/** The only collections that the interface lists. */
const TRENDING_NFTS = TRENDING.find(({ key }) => key === 'nfts')!.table

/** Selects the listed coins, exchanges, categories and trending collections with the text in their names. */
export function catalogueSelections(text: string, nowMs: number): RowSelection[] {
  const coin = { columns: ['coin_id', 'symbol', 'name'], text }
  const exchange = { columns: ['exchange_id', 'name'], text }
  const category = { columns: ['category_id', 'name'], text }
  const nft = { columns: ['nft_id', 'symbol', 'name'], text }
  const limit = MOST_RESULTS
  const byCap = [
    { column: 'market_cap', descending: true },
    { column: 'ordinal' },
    { column: 'coin_id' },
  ]
  const inUsd = { equals: { vs_currency: 'usd' }, orderBy: byCap }
  const newest = { ...NEWEST_OF_COINS, nowMs }
  return [
    newestRows(COIN_MARKETS, nowMs, { contains: coin, limit, newest, ...inUsd }),
    newestRows(COINS, nowMs, { contains: coin, limit }),
    newestRows(EXCHANGES, nowMs, { contains: exchange, limit }),
    newestRows(DERIVATIVE_EXCHANGES, nowMs, { contains: exchange }),
    newestRows(EXCHANGE_STATS, nowMs, { contains: exchange }),
    newestRows(DERIVATIVE_EXCHANGE_STATS, nowMs, { contains: exchange }),
    newestRows(CATEGORIES, nowMs, { contains: category, limit }),
    newestRows(TRENDING_NFTS, nowMs, { contains: nft, limit }),
  ]
}

/** The body of a search made of these rows. Coins come by market cap, as at the source. */
export function catalogueBody([
  ranked = [],
  coins = [],
  exchanges = [],
  derivative = [],
  ...stats
]: readonly Row[][]): Record<string, unknown> {
  const nfts = stats.pop() ?? []
  const categories = stats.pop() ?? []
  const images = new Map(stats.flat().map((row) => [row['exchange_id'], row['image']]))
  const futures = new Set(derivative.map((row) => row['exchange_id']))
  const rankedIds = new Set(ranked.map((row) => row['coin_id']))
  const unranked = coins.filter((row) => !rankedIds.has(row['coin_id']))
  return {
    coins: [...ranked, ...unranked].slice(0, MOST_RESULTS).map(coinResult),
    exchanges: exchanges.map((row) => ({
      id: row['exchange_id'],
      name: row['name'],
      market_type: futures.has(row['exchange_id']) ? 'futures' : 'spot',
      ...pictures(images.get(row['exchange_id'])),
    })),
    icos: [],
    categories: categories.map((row) => ({ id: row['category_id'], name: row['name'] })),
    nfts: nfts.map((row) => ({
      id: row['nft_id'],
      name: row['name'],
      symbol: row['symbol'],
      thumb: row['thumb'],
    })),
  }
}

function coinResult(row: Row): Record<string, unknown> {
  return {
    id: row['coin_id'],
    name: row['name'],
    api_symbol: row['coin_id'],
    symbol: String(row['symbol'] ?? '').toUpperCase(),
    market_cap_rank: row['market_cap_rank'] ?? null,
    ...pictures(row['image']),
  }
}

/** The URLs of both pictures. The source's URLs have the size in their path. */
function pictures(image: Row[string] | undefined): { thumb: string; large: string } {
  if (typeof image !== 'string') return { thumb: NO_THUMB, large: NO_LARGE }
  return { thumb: image.replace(/\/(small|large)\//, '/thumb/'), large: image }
}
