import { COINS_PER_PAGE, marketPage } from '../service/market-bodies.ts'
import type { MarketEntry } from '../service/market-bodies.ts'
import type { Workload, WorkloadColumn, WorkloadRow } from './workload.ts'

const PAGES = 40

const NUMBERS = [
  'market_cap_rank',
  'current_price',
  'market_cap',
  'fully_diluted_valuation',
  'total_volume',
  'high_24h',
  'low_24h',
  'price_change_24h',
  'price_change_percentage_24h',
  'market_cap_change_24h',
  'market_cap_change_percentage_24h',
  'circulating_supply',
  'total_supply',
  'max_supply',
  'ath',
  'ath_change_percentage',
  'atl',
  'atl_change_percentage',
]

/** All columns but `roi`, which is always null, so that a peer without it is right as well. */
const COLUMNS: readonly WorkloadColumn[] = [
  ...['id', 'symbol', 'name', 'image'].map((name) => ({ name, kind: 'text' as const })),
  ...NUMBERS.map((name) => ({ name, kind: 'double' as const })),
  ...['ath_date', 'atl_date', 'last_updated'].map((name) => ({ name, kind: 'time' as const })),
]

/** 40 pages of coins/markets and the empty one that ends the listing: 10,000 rows. */
export const W1: Workload = {
  name: 'w1',
  title: `W1: ${PAGES} pages of coins/markets, ${PAGES * COINS_PER_PAGE} rows of 26 columns, into DuckDB`,
  unit: 'pages',
  few: 4,
  all: PAGES,
  goals: { serverStarted: 2, serverUp: 2, workerUp: null, steady: null },
  steadyRows: 1_000,
  baseUrl: (serviceUrl, pages) => `${serviceUrl}/pages-${pages}`,
  datasets: () => 'coin_markets: { every: 1d }',
  table: 'coin_markets',
  columns: COLUMNS,
  keyLength: 1,
  *rows(pages): Iterable<WorkloadRow> {
    for (let page = 1; page <= pages; page += 1) {
      const entries = JSON.parse(marketPage(page).toString()) as MarketEntry[]
      for (const entry of entries) {
        yield COLUMNS.map(({ name, kind }) => {
          const value = entry[name] ?? null
          return kind === 'time' && typeof value === 'string' ? Date.parse(value) : value
        })
      }
    }
  },
}
