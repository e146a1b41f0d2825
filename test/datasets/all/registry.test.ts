import { describe, expect, test } from 'vitest'
import { operations } from '../../../api/operations.ts'
import {
  commentSql,
  columnComment,
  createTableSql,
  storedColumns,
} from '../../../datasets/table/ddl.ts'
import { allTables, datasetByName, datasets, tableByName } from '../../../datasets/index.ts'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'
import { stepsOf } from '../context.ts'

test('datasets and tables are found by name', () => {
  expect(datasetByName('market_chart')?.tables[0]).toBe(tableByName('market_chart'))
  expect(datasetByName('nothing')).toBeUndefined()
  expect(new Set(allTables.map(({ name }) => name)).size).toBe(allTables.length)
})

describe.each(allTables)('$name', (table) => {
  const names = storedColumns(table).map(({ name }) => name)

  test('has a key, an order and a month that are columns without null', () => {
    const named = [...table.key, ...table.sort, ...(table.monthBy === null ? [] : [table.monthBy])]
    for (const name of named) {
      expect(table.columns.find((column) => column.name === name)?.nullable).toBe(false)
    }
    expect(new Set(names).size).toBe(names.length)
  })

  test('has the columns that its way of loading needs', () => {
    const needed = {
      facts: ['ts'],
      snapshot: ['observed_at', 'observed_date'],
      catalogue: ['first_seen_at', 'last_seen_at'],
    }
    expect(names).toEqual(expect.arrayContaining(needed[table.load]))
    if (table.load === 'snapshot') expect(table.key).toContain('observed_at')
    if (table.load === 'facts') expect(table.monthBy).toBe('ts')
  })

  test('says of everything what it is', () => {
    for (const { name, description, unit, type } of storedColumns(table)) {
      expect(name).toMatch(/^_?[a-z][a-z0-9_]*$/)
      expect(description).toMatch(/^[A-Z].{8,}\.$/s)
      if (type === 'double' || type === 'timestamp' || type === 'date') expect(unit).not.toBeNull()
    }
  })

  test('DuckDB makes it, with every comment', async () => {
    const connection = await memoryDuckdb()
    for (const sql of [createTableSql(table), ...commentSql(table)]) await connection.run(sql)
    const made = await connection.runAndReadAll(
      `SELECT column_name, data_type, is_nullable, comment FROM duckdb_columns() WHERE table_name = '${table.name}' ORDER BY column_index`,
    )
    expect(made.getRowsJS()).toEqual(storedColumns(table).map(expectedColumn))
    const comment = await connection.runAndReadAll('SELECT comment FROM duckdb_tables()')
    expect(comment.getRowsJS()).toEqual([[table.description]])
  })
})

const DUCKDB_TYPE = {
  string: 'VARCHAR',
  json: 'VARCHAR',
  double: 'DOUBLE',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  date: 'DATE',
}

function expectedColumn(column: TableSpec['columns'][number]) {
  return [column.name, DUCKDB_TYPE[column.type], column.nullable !== false, columnComment(column)]
}

test('names and comments with quotes stay what they are', () => {
  const odd: TableSpec = {
    name: 'a "b"',
    description: "it's",
    columns: [{ name: 'c"d', type: 'string', unit: null, description: "isn't" }],
    key: [],
    sort: [],
    load: 'facts',
    monthBy: null,
  }
  const options = { qualifier: 'pub.', lineage: false }
  expect(createTableSql(odd, options)).toBe(
    'CREATE TABLE IF NOT EXISTS pub."a ""b""" (\n  "c""d" VARCHAR\n)',
  )
  expect(commentSql(odd, options)).toEqual([
    `COMMENT ON TABLE pub."a ""b""" IS 'it''s'`,
    `COMMENT ON COLUMN pub."a ""b"""."c""d" IS 'isn''t'`,
  ])
})

test.each(datasets)('$name asks only for operations and parameters that exist', (dataset) => {
  const granularity = dataset.granularities[0] ?? ('' as const)
  const day = { fromMs: Date.UTC(2025, 11, 30), toMs: Date.UTC(2025, 11, 31) }
  const slice = { entity: 'bitcoin', vsCurrency: 'usd', granularity, ...day }
  const reach = { nowMs: Date.UTC(2026, 0, 1), maxHistoryDays: 365 }
  for (const attempt of [1, 2] as const) {
    for (const step of stepsOf(dataset, slice, { ...reach, attempt })) {
      expect(dataset.operations).toContain(step.operation)
      const known = operations[step.operation].params
      for (const [name, value] of Object.entries(step.params)) {
        const param = known.find((candidate) => candidate.name === name)
        expect(param, `${step.operation}: ${name}`).toBeDefined()
        const values = param!.type === 'csv' ? value.split(',') : [value]
        if (param!.allowed !== undefined)
          expect(param!.allowed).toEqual(expect.arrayContaining(values))
      }
      for (const param of known.filter(({ required }) => required)) {
        expect(Object.keys(step.params)).toContain(param.name)
      }
    }
  }
})

/** The requests of a slice of a dataset without steps of time: every page, with each parameter. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  coins: ['coins/list?include_platform=true single'],
  coin_markets: [
    'coins/markets?vs_currency=usd&order=id_asc&per_page=250&price_change_percentage=1h,24h,7d,14d,30d,200d,1y until_short 250',
  ],
  coin_history: ['coins/{id}/history?id=a/b&date=2017-12-30&localization=true single'],
  coin_details: [
    'coins/{id}?id=a/b&localization=true&tickers=false&include_categories_details=true single',
  ],
  token_details: ['coins/{id}/contract/{contract_address}?id=a&contract_address=b single'],
  coin_tickers: [
    'coins/{id}/tickers?id=a/b&order=trust_score_desc&include_exchange_logo=true&depth=true until_short 100',
  ],
  price_quotes: [
    'simple/price?ids=a/b&vs_currencies=usd&include_market_cap=true&include_24hr_vol=true&include_24hr_change=true&include_last_updated_at=true&precision=full single',
  ],
  token_price_quotes: [
    'simple/token_price/{id}?id=a&contract_addresses=b&vs_currencies=usd&include_market_cap=true&include_24hr_vol=true&include_24hr_change=true&include_last_updated_at=true&precision=full single',
  ],
  vs_currencies: ['simple/supported_vs_currencies single'],
  categories: ['coins/categories/list single'],
  category_markets: ['coins/categories?order=market_cap_desc single'],
  asset_platforms: ['asset_platforms single'],
  nft_platforms: ['asset_platforms?filter=nft single'],
  exchanges: ['exchanges/list single', 'exchanges?per_page=250 until_short 250'],
  exchange_details: ['exchanges/{id}?id=a/b single'],
  exchange_tickers: [
    'exchanges/{id}/tickers?id=a/b&order=base_target&include_exchange_logo=true&depth=true until_short 100',
  ],
  exchange_rates: ['exchange_rates single'],
  derivative_tickers: ['derivatives single'],
  derivative_exchanges: [
    'derivatives/exchanges/list single',
    'derivatives/exchanges?order=name_asc&per_page=250 until_short 250',
  ],
  derivative_exchange_tickers: ['derivatives/exchanges/{id}?id=a/b&include_tickers=all single'],
  search_results: ['search?query=a/b single'],
  trending_coins: ['search/trending single'],
  global_market: ['global single'],
  global_defi: ['global/decentralized_finance_defi single'],
}

test('a slice asks for everything that its operations can tell', () => {
  const asked = datasets.flatMap((dataset) => {
    if (dataset.granularities.length > 0) return []
    const entity = dataset.entity === null ? '' : 'a/b'
    const vsCurrency = dataset.perCurrency ? 'usd' : ''
    const day = { fromMs: Date.UTC(2017, 11, 30), toMs: Date.UTC(2017, 11, 31) }
    const texts = stepsOf(dataset, { entity, vsCurrency, ...day }).map(
      ({ operation, params, paging, perPage }) => {
        const pairs = Object.entries(params).map(([name, value]) => `${name}=${value}`)
        const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`
        return `${operation}${query} ${paging}${paging === 'single' ? '' : ` ${perPage}`}`
      },
    )
    return [[dataset.name, texts]]
  })
  expect(Object.fromEntries(asked)).toEqual(ASKED)
})

/** Minutes after its time from which a point is final: lateness of the source and age of its answers. */
const FINAL_AFTER_MINUTES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  market_chart: { '1d': 60, '1h': 60, '5m': 10 },
  token_market_chart: { '1d': 60, '1h': 60, '5m': 10 },
  exchange_volume_chart: { '10m': 20, '1h': 60, '1d': 60 },
  coin_history: { '': 60 },
  // A candle is named by its start: it closes first.
  ohlc: { '30m': 30 + 50, '4h': 240 + 50, '4d': 5_760 + 50 },
}

test('a point of a series is final when it is late no more and no answer is older', () => {
  const found = datasets
    .filter(({ kind }) => kind !== 'snapshot' && kind !== 'catalogue')
    .map((dataset) => {
      const { name, granularities } = dataset
      const all = granularities.length === 0 ? ([''] as const) : granularities
      return [name, Object.fromEntries(all.map((one) => [one, dataset.settleMs(one) / 60_000]))]
    })
  expect(Object.fromEntries(found)).toEqual(FINAL_AFTER_MINUTES)
})

test('a dataset of derivatives is asked for exchanges by their own ids', () => {
  const ofExchanges = datasets.filter(({ entity }) => entity?.endsWith('exchange'))
  expect(ofExchanges.length).toBeGreaterThan(1)
  for (const { name, entity, operations: asked } of ofExchanges) {
    const isOfDerivatives = asked.every((id) => id.startsWith('derivatives'))
    expect([name, entity]).toEqual([name, isOfDerivatives ? 'derivative_exchange' : 'exchange'])
  }
})
