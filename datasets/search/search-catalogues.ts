import type { Row, RowSelection } from '../dataset.ts'

/** Most results of each kind. A search for `a` finds 10,000 coins. */
const MOST_RESULTS = 25
/** The source's texts for missing pictures. */
const NO_THUMB = 'missing_thumb.png'
const NO_LARGE = 'missing_large.png'

/** Selects the listed coins, exchanges and categories with the text in their names. */
export function catalogueSelections(text: string, nowMs: number): RowSelection[] {
  const listed = { column: 'last_seen_at', nowMs }
  const observed = { column: 'observed_at', nowMs }
  const coin = { columns: ['coin_id', 'symbol', 'name'], text }
  const exchange = { columns: ['exchange_id', 'name'], text }
  const limit = MOST_RESULTS
  const orderBy = [{ column: 'list_ordinal' }]
  return [
    {
      table: 'coin_markets',
      equals: { vs_currency: 'usd' },
      contains: coin,
      newest: observed,
      orderBy: [{ column: 'market_cap', descending: true }, { column: 'ordinal' }],
      limit,
    },
    { table: 'coins', contains: coin, newest: listed, orderBy, limit },
    { table: 'exchanges', contains: exchange, newest: listed, orderBy, limit },
    { table: 'derivative_exchanges', contains: exchange, newest: listed, orderBy },
    { table: 'exchange_stats', contains: exchange, newest: observed, orderBy: [] },
    { table: 'derivative_exchange_stats', contains: exchange, newest: observed, orderBy: [] },
    {
      table: 'categories',
      contains: { columns: ['category_id', 'name'], text },
      newest: listed,
      orderBy,
      limit,
    },
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
    nfts: [],
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
