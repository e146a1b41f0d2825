import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, mapsByKey, observed, type Sketch } from './json-columns.ts'

const MARKET: Sketch = [
  ['active_cryptocurrencies', 'BIGINT'],
  ['upcoming_icos', 'BIGINT'],
  ['ongoing_icos', 'BIGINT'],
  ['ended_icos', 'BIGINT'],
  ['markets', 'BIGINT'],
  ['market_cap_change_percentage_24h_usd', 'DOUBLE'],
  ['volume_change_percentage_24h_usd', 'DOUBLE'],
  ['updated_at', 'EPOCH_S'],
]

const DEFI: Sketch = [
  ['defi_market_cap', 'DECIMAL'],
  ['eth_market_cap', 'DECIMAL'],
  ['defi_to_eth_ratio', 'DECIMAL'],
  ['trading_volume_24h', 'DECIMAL'],
  ['defi_dominance', 'DECIMAL'],
  ['top_coin_name', 'VARCHAR'],
  ['top_coin_defi_dominance', 'DOUBLE'],
]

const DATA = `(SELECT j->'$.data' AS j FROM ${BODY})`

export function globalMarket(asked: AskedFor): ExpectedTable[] {
  const byKey = (key: string, maps: readonly string[]): string =>
    `SELECT ${observed(asked)}, key AS ${key},
  ${fromJson(maps.map((map) => [map, 'DOUBLE']))} FROM ${mapsByKey("j->'$.data'", maps)}`
  return [
    {
      table: 'global_market',
      key: [],
      sql: `SELECT ${observed(asked)}, ${fromJson(MARKET)} FROM ${DATA}`,
    },
    {
      table: 'global_market_by_currency',
      key: ['vs_currency'],
      sql: byKey('vs_currency', ['total_market_cap', 'total_volume']),
    },
    {
      table: 'global_market_dominance',
      key: ['symbol'],
      sql: byKey('symbol', ['market_cap_percentage']),
    },
  ]
}

export function globalDefi(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'global_defi',
      key: [],
      sql: `SELECT ${observed(asked)}, ${fromJson(DEFI)} FROM ${DATA}`,
    },
  ]
}
