import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { describedRelations, publishedRelations } from '../../cli/dbt/described-relations.ts'
import { sourcesYaml } from '../../cli/dbt/sources-yaml.ts'
import { askDuckdb } from '../parts/duckdb.ts'
import { runCaptured } from '../parts/run-captured.ts'
import { tinyWarehouse } from '../parts/tiny-warehouse.ts'
import { tempDir } from '../parts/temp-dir.ts'

interface UniqueTest {
  unique: { name: string; arguments: { column_name: string } }
}
interface SourceColumn {
  name: string
  description: string
  data_type: string
  data_tests?: ('not_null' | { accepted_values: { arguments: { values: string[] } } })[]
}
interface SourceTable {
  name: string
  description: string
  data_tests?: UniqueTest[]
  config?: unknown
  columns: SourceColumn[]
}
interface Source {
  name: string
  database: string
  schema: string
  tables: SourceTable[]
}

const warehouse = await tinyWarehouse('duckdb', afterAll)

async function sourceOf(...flags: string[]): Promise<Source> {
  const ended = await runCaptured(['dbt', 'sources', '-w', warehouse.root, ...flags])
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' })
  const { sources } = parse(ended.stdout) as { sources: Source[] }
  expect(sources).toHaveLength(1)
  return sources[0]!
}

test('names what is published, and only that, with every column', async () => {
  const source = await sourceOf()
  expect(source).toMatchObject({ name: 'coinlake', database: 'coinlake', schema: 'main' })
  const ask = (sql: string) => askDuckdb(warehouse.duckdbLink, sql, 'READ_ONLY')
  const columns = await ask(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema = 'main' ORDER BY table_name, ordinal_position`,
  )
  const published = Object.groupBy(columns.getRowsJson() as string[][], ([table]) => table!)
  expect(source.tables.map(({ name }) => name).sort()).toEqual(Object.keys(published).sort())
  for (const table of source.tables) {
    const described = table.columns.map(({ name, data_type }) => [name, data_type])
    const found = published[table.name]!.map(([, name, type]) => [
      name,
      type!.replace('TIMESTAMP WITH TIME ZONE', 'TIMESTAMPTZ'),
    ])
    expect(described, table.name).toEqual(found)
    for (const { data_tests } of table.columns) expect(data_tests).not.toEqual([])
  }

  // The tests that dbt makes of them: no key twice, and nothing empty that may not be.
  for (const { name, data_tests = [], columns } of source.tables) {
    for (const { unique } of data_tests) {
      const key = unique.arguments.column_name
      const twice = await ask(
        `SELECT ${key} FROM ${name} WHERE ${key} IS NOT NULL GROUP BY ${key} HAVING count(*) > 1`,
      )
      expect(twice.currentRowCount, unique.name).toBe(0)
    }
    const filled = columns.filter(({ data_tests }) => data_tests?.includes('not_null'))
    const isNull = filled.map((column) => `"${column.name}" IS NULL`).join(' OR ')
    if (isNull === '') continue
    const empty = await ask(`SELECT 1 FROM ${name} WHERE ${isNull}`)
    expect(empty.currentRowCount, name).toBe(0)
  }
})

test('a chart: described, one row per key, known granularities', async () => {
  const { tables } = await sourceOf()
  const chart = tables.find(({ name }) => name === 'market_chart')!
  expect(chart.description).toContain('hourly_prices')
  expect(chart.data_tests).toEqual([
    {
      unique: {
        name: 'market_chart_key_is_unique',
        arguments: { column_name: 'row("coin_id", "vs_currency", "granularity", "ts")' },
      },
    },
  ])
  const granularity = chart.columns.find(({ name }) => name === 'granularity')!
  expect(granularity.data_tests).toEqual([
    'not_null',
    { accepted_values: { arguments: { values: ['1d', '1h', '5m'] } } },
  ])
  const price = chart.columns.find(({ name }) => name === 'price')!
  expect(price.description).toContain('Unit: vs_currency.')
  expect(price.data_tests).toBeUndefined()
})

test('freshness: the limits of the configuration, and none without one', async () => {
  const dir = tempDir()
  const file = join(dir, 'coinlake.yaml')
  writeFileSync(
    file,
    `source: { base_url: "http://127.0.0.1:9" }
warehouse: ${warehouse.root}
freshness: { market_chart: 5h, market_chart/daily: 30h }
datasets:
  market_chart:
    - { coins: [bitcoin], granularity: hourly, from: 2026-01-01 }
    - { name: daily, coins: [bitcoin], granularity: daily, from: 2026-01-01 }
  coin_markets: { every: 1h }
  ohlc: { coins: [bitcoin], granularity: 4h, from: 2026-01-01, to: 2026-01-10 }
`,
  )
  const ended = await runCaptured(['dbt', 'sources', '-c', file])
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' })
  const [{ tables }] = (parse(ended.stdout) as { sources: [Source] }).sources
  const configOf = (name: string) => tables.find((table) => table.name === name)?.config
  const within = (count: number) => ({ error_after: { count, period: 'minute' } })
  expect(configOf('market_chart')).toEqual({
    loaded_at_field: 'ts',
    freshness: { filter: 'not is_moving', ...within(300) },
  })
  // A day, as nobody has a schedule.
  expect(configOf('coin_markets')).toMatchObject({
    loaded_at_field: 'observed_at',
    freshness: within(1440),
  })
  // Ended, and not asked for.
  expect(configOf('ohlc')).toEqual({ loaded_at_field: 'close_at' })
  expect(configOf('exchange_rates')).toEqual({ loaded_at_field: 'observed_at' })
  const chart = (await sourceOf()).tables.find(({ name }) => name === 'market_chart')
  expect(chart?.config).toEqual({ loaded_at_field: 'ts' })
})

test('names and place are chosen', async () => {
  const dir = tempDir()
  const argv = ['dbt', 'sources', '-w', warehouse.root, '-o', 'lake.yml']
  const named = [...argv, '--source', 'lake', '--database', 'attached']
  const ended = await runCaptured(named, { cwd: dir })
  expect(ended).toMatchObject({ exitCode: 0, stdout: '' })
  const { sources } = parse(readFileSync(join(dir, 'lake.yml'), 'utf8')) as { sources: Source[] }
  expect(sources[0]).toMatchObject({ name: 'lake', database: 'attached' })
})

describe('all that can be published', () => {
  const source = { name: 'coinlake', database: 'coinlake' }
  const relations = describedRelations()

  test('has names and tests of its own', () => {
    const names = relations.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const keyed = relations.filter(({ key }) => key !== null)
    const tests = sourcesYaml(source, relations, new Map()).match(/\w+_key_is_unique/g)
    expect(new Set(tests).size).toBe(keyed.length)
  })

  test('holds nothing that dbt would take for a template', () => {
    expect(sourcesYaml(source, relations, new Map())).not.toMatch(/\{[{%#]/)
  })
})

test('only the Parquet tree is published', async () => {
  const tree = { kind: 'parquet' as const, rows: () => Promise.resolve([]) }
  await expect(publishedRelations(tree, '/lake')).rejects.toMatchObject({
    code: 'NO_DUCKDB_PUBLICATION',
    message: 'no DuckDB file is published in /lake',
    exitCode: 2,
  })
})
