import { COINS_PER_PAGE, marketPage, type MarketEntry } from '../service/market-bodies.ts'
import type { Workload, WorkloadColumn, WorkloadRow } from './workload.ts'

const PAGES = 40

function kindOf(name: string, value: unknown): WorkloadColumn['kind'] {
  if (name.endsWith('_date') || name === 'last_updated') return 'time'
  return typeof value === 'string' ? 'text' : 'double'
}

/** All columns but `roi`: it is always null, and a peer without it is right too. */
const COLUMNS: readonly WorkloadColumn[] = Object.entries(pageEntries(1)[0]!)
  .filter(([name]) => name !== 'roi')
  .map(([name, value]) => ({ name, kind: kindOf(name, value) }))

/** 40 pages of coins/markets and the empty one that ends the listing: 10,000 rows. */
export const W1: Workload = {
  name: 'w1',
  title: `W1: ${PAGES} pages of coins/markets, ${PAGES * COINS_PER_PAGE} rows of 26 columns, into DuckDB`,
  few: 4,
  all: PAGES,
  goals: { serverStarted: 2, serverUp: 2, workerUp: null, steady: null },
  steadyRows: 1_000,
  baseUrl: (serviceUrl, pages) => `${serviceUrl}/pages-${pages}`,
  datasets: () => 'coin_markets: { every: 1d }',
  callBefore: [],
  table: 'coin_markets',
  columns: COLUMNS,
  keyLength: 1,
  *rows(pages): Iterable<WorkloadRow> {
    for (let page = 1; page <= pages; page += 1) {
      for (const entry of pageEntries(page)) {
        yield COLUMNS.map(({ name, kind }) => {
          const value = entry[name] ?? null
          return kind === 'time' && typeof value === 'string' ? Date.parse(value) : value
        })
      }
    }
  },
}

function pageEntries(page: number): MarketEntry[] {
  return JSON.parse(marketPage(page).toString()) as MarketEntry[]
}
