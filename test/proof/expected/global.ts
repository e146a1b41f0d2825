import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, mapsByKey, observed, sketch } from './json-columns.ts'

const MARKET = sketch({
  BIGINT: 'active_cryptocurrencies upcoming_icos ongoing_icos ended_icos markets',
  DOUBLE: 'market_cap_change_percentage_24h_usd volume_change_percentage_24h_usd',
  EPOCH_S: 'updated_at',
})

const DEFI = sketch({
  DECIMAL: `defi_market_cap eth_market_cap defi_to_eth_ratio trading_volume_24h
      defi_dominance`,
  VARCHAR: 'top_coin_name',
  DOUBLE: 'top_coin_defi_dominance',
})

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
