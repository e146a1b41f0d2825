import { expect, test } from 'vitest'
import { warehouseId, warehouseIdOf } from '../../../config/warehouse-paths.ts'
import { parse } from '../parse.ts'
import { problemsOf } from '../problems-of.ts'

function read(lines: string, env: Record<string, string> = {}) {
  const file = '/etc/lake/coinlake.yaml'
  return parse(`source: { base_url: 'http://127.0.0.1:1' }\n${lines}`, { file, env })
}

const lakeOf = (catalog: string, data: string): string =>
  `store:\n  ducklake:\n    catalog: ${JSON.stringify(catalog)}\n    data: ${JSON.stringify(data)}\n`

test('a lake is read, its files found from the folder of the configuration', () => {
  const { lake, stage } = read(
    `${lakeOf('sqlite:./catalog.sqlite', 'rows')}stage: { at: ../shared }\n`,
    { COINLAKE_DUCKDB_EXTENSIONS: '/opt/extensions' },
  )
  expect(lake).toEqual({
    catalog: 'sqlite:/etc/lake/catalog.sqlite',
    data: '/etc/lake/rows',
    extensionDir: '/opt/extensions',
  })
  expect(stage.at).toBe('/etc/shared')
})

test('a catalog and a bucket stay as they are', () => {
  const { lake } = read(lakeOf('postgres:dbname=lake host=db', 's3://bucket/lake/'))
  expect(lake).toMatchObject({
    catalog: 'postgres:dbname=lake host=db',
    data: 's3://bucket/lake',
    extensionDir: null,
  })
})

test('workers of one lake share its runs, wherever their folders are', () => {
  const config = read(lakeOf('postgres:dbname=lake host=db', 's3://bucket/lake'))
  expect(warehouseIdOf(config)).toBe(warehouseIdOf({ ...config, warehouseDir: '/elsewhere' }))
  expect(warehouseIdOf({ ...config, lake: null })).toBe(warehouseId(config.warehouseDir))
})

test.each([
  ['postgres:dbname=lake password=hunter2', 's3://b1/p', 'CONFIG_SECRET_IN_FILE'],
  ['postgres://me:hunter2@db/lake', 's3://b1/p', 'CONFIG_SECRET_IN_FILE'],
  ['mysql:lake', 's3://b1/p', 'CONFIG_BAD_CATALOG'],
  ['my sqlite:file', 's3://b1/p', 'CONFIG_BAD_CATALOG'],
  ['postgres:dbname=lake', 'gs://bucket/p', 'CONFIG_BAD_PLACE'],
  ['postgres:dbname=lake', "s3://bucket/it's", 'CONFIG_BAD_PLACE'],
  ['postgres:dbname=lake', 's3://b', 'CONFIG_BAD_PLACE'],
  ['postgres:dbname=lake', 's3://Bucket', 'CONFIG_BAD_PLACE'],
  ['postgres:dbname=lake', 'x s3://bucket', 'CONFIG_BAD_PLACE'],
])('refused, and no password shown: %s, %s', (catalog, data, code) => {
  const [problem] = problemsOf(() => read(lakeOf(catalog, data)))
  expect(problem).toContain(code)
  expect(problem).not.toContain('hunter2')
})

test('half a lake is an error', () => {
  expect(() => read('store: { ducklake: { catalog: "postgres:dbname=lake" } }\n')).toThrow(
    'store.ducklake.data',
  )
  expect(() => read('store:\n  ducklake:\n')).toThrow(
    'store.ducklake must be a map of keys and values, not null',
  )
})

test('Parquet files go into a bucket, and into no other folder', () => {
  const env = { COINLAKE_DUCKDB_EXTENSIONS: '/opt/extensions' }
  expect(read('parquet: { at: s3://bucket/tree/ }\n', env).parquet.bucket).toEqual({
    place: 's3://bucket/tree',
    extensionDir: '/opt/extensions',
  })
  expect(read('').parquet.bucket).toBeNull()
  for (const at of ['./tree', '/mnt/tree', 'gs://bucket/tree', "s3://bucket/it's"]) {
    expect(() => read(`parquet: { at: ${JSON.stringify(at)} }\n`)).toThrow()
  }
})

test('a lake has no file to copy: its sink duckdb is left out, and said to be', () => {
  const lake = lakeOf('sqlite:./catalog.sqlite', 'rows')
  const { sinks, notes } = read(`${lake}sinks: [duckdb, parquet]\n`)
  expect(sinks).toEqual(['parquet'])
  expect(notes).toEqual([expect.stringContaining('sinks: duckdb is left out')])
  expect(read(`${lake}sinks: [parquet]\n`).notes).toEqual([])
  expect(read('sinks: [duckdb]\n').sinks).toEqual(['duckdb'])
})
