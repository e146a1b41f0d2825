import { SourceDataError } from '../api/errors.ts'
import { tableFromColumns } from './arrow-columns.ts'
import type { Answer, Dataset, RejectedRow, Row, TableSpec } from './dataset.ts'
import { inEnvelope, keepBeside } from './envelope.ts'
import {
  GLOBAL_FIELDS,
  GLOBAL_MARKET,
  GLOBAL_MARKET_BY_CURRENCY,
  GLOBAL_MARKET_DOMINANCE,
} from './global-market-tables.ts'
import { jsonText } from './json-text.ts'
import { listingColumns, listingPage, readListing } from './listing.ts'
import {
  joinNumberMaps,
  numberMapAbsent,
  numberMapColumn,
  numberMapOf,
  type NumberMapRow,
} from './number-maps.ts'
import { isObject } from './read-record.ts'
import { WITHOUT_SERIES } from './without-series.ts'
import { writeRecord } from './write-record.ts'

const CURRENCY_MAPS = ['total_market_cap', 'total_volume']
const SYMBOL_MAPS = ['market_cap_percentage']

const answer: Answer = {
  select: (_, nowMs) => {
    const newest = { column: 'observed_at', nowMs }
    return [
      { table: GLOBAL_MARKET.name, newest, orderBy: [] },
      { table: GLOBAL_MARKET_BY_CURRENCY.name, newest, orderBy: [{ column: 'vs_currency' }] },
      {
        table: GLOBAL_MARKET_DOMINANCE.name,
        newest,
        orderBy: [{ column: 'market_cap_percentage', descending: true }, { column: 'symbol' }],
      },
    ]
  },
  toBody: ([markets = [], byCurrency = [], dominance = []]) => {
    const [market] = markets
    if (market === undefined) return null
    const maps = [
      ...CURRENCY_MAPS.map((name) => [name, mapOf(market, byCurrency, 'vs_currency', name)]),
      ...SYMBOL_MAPS.map((name) => [name, mapOf(market, dominance, 'symbol', name)]),
    ]
    return inEnvelope(
      writeRecord(GLOBAL_FIELDS, { ...market, ...Object.fromEntries(maps) }),
      'data',
    )
  },
}

function mapOf(market: Row, rows: readonly Row[], codeColumn: string, column: string): string {
  const ofMarket = rows.filter((row) => row['observed_at'] === market['observed_at'])
  return jsonText(numberMapOf(ofMarket, codeColumn, column))
}

export const globalMarket: Dataset = {
  name: 'global_market',
  description: 'The whole market in numbers, once a bucket of time.',
  kind: 'snapshot',
  operations: ['global'],
  tables: [GLOBAL_MARKET, GLOBAL_MARKET_BY_CURRENCY, GLOBAL_MARKET_DOMINANCE],
  entity: null,
  perCurrency: false,
  ...WITHOUT_SERIES,
  steps: () => [{ operation: 'global', params: {}, paging: 'single', perPage: 0 }],
  toTables: (body, context) => {
    if (!isObject(body) || !isObject(body['data'])) throw new SourceDataError('$.data is no object')
    const { data } = body
    if (!isObject(data['total_market_cap'])) {
      throw new SourceDataError('$.data.total_market_cap is no object')
    }
    const listing = readListing(GLOBAL_FIELDS, [{ at: '', source: data }], '$.data', [])
    const beside = keepBeside(listing.rows[0], body, 'data', '$')
    const rejected: RejectedRow[] = [...listing.rejected]
    // Maps of a bad market are with it in quarantine.
    const children = listing.rows[0]?.children ?? new Map<string, never>()
    const joined = (names: readonly string[]): NumberMapRow[] =>
      joinNumberMaps(
        names.map((column) => ({
          column,
          path: `$.data.${column}`,
          members: children.get(column) as Record<string, unknown> | undefined,
        })),
        rejected,
      )
    const at = {
      observed_at: { constant: context.observedAtMs },
      observed_date: { constant: context.observedAtMs },
    }
    const childTable = (spec: TableSpec, codeColumn: string, names: readonly string[]) => {
      const rows = joined(names)
      const columns = Object.fromEntries(names.map((name) => [name, numberMapColumn(rows, name)]))
      const codes = { [codeColumn]: rows.map(({ code }) => code), _absent: numberMapAbsent(rows) }
      const table = tableFromColumns(spec, { ...columns, ...codes, ...at }, rows.length)
      return { table: spec.name, rows: table }
    }
    const market = tableFromColumns(
      GLOBAL_MARKET,
      { ...listingColumns(GLOBAL_FIELDS, listing.rows), ...at },
      listing.rows.length,
    )
    const tables = [
      { table: GLOBAL_MARKET.name, rows: market },
      childTable(GLOBAL_MARKET_BY_CURRENCY, 'vs_currency', CURRENCY_MAPS),
      childTable(GLOBAL_MARKET_DOMINANCE, 'symbol', SYMBOL_MAPS),
    ]
    const unknownPaths = { ...listing.unknownPaths, ...beside }
    return { ...listingPage(listing, tables), rejected, unknownPaths }
  },
  answers: { global: answer },
}
