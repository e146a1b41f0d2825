import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet'
import type { Publication } from '../../../sinks/publication.ts'
import { createParquetPublication } from '../../../sinks/publish-parquet/parquet-publication.ts'
import { publicationConformance } from './publication-conformance.ts'
import { treePlace } from './publication-of.ts'
import { readParquetTable } from './read-parquet.ts'
import { expectStored, openSample, RUN } from './sample-publication.ts'
import { chart, coins, type SampleStore, sampleTables, storeRows } from './sample-store.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'
import { filesUnder } from '../../parts/files-under.ts'

async function fingerprint(tree: string): Promise<Record<string, string>> {
  const marks: Record<string, string> = {}
  for (const path of filesUnder(tree)) {
    if (!path.endsWith('.parquet')) continue
    const { ino, mtimeMs } = await stat(join(tree, path))
    marks[path] = `${ino} ${mtimeMs}`
  }
  return marks
}

publicationConformance({
  kind: 'parquet',
  readBack: (root, table) => readParquetTable(join(root, 'parquet'), table),
  async fingerprint(root) {
    const marks = await fingerprint(join(root, 'parquet'))
    return Object.entries(marks).map(([path, mark]) => `${path} ${mark}`)
  },
  async leftovers(root) {
    const names = await readdir(join(root, 'parquet-versions'))
    return names.filter((name) => !/^\d+$/.test(name))
  },
})

describe('the Parquet tree', () => {
  let root = ''
  let tree = ''
  let store: SampleStore
  let publication: Publication

  beforeEach(async () => {
    ;({ root, store, publication } = await openSample('parquet'))
    tree = join(root, 'parquet')
    await store.load({
      points: [
        ['bitcoin', '2024-01-01T00:00:00Z', 1],
        ['amp', '2024-01-31T23:59:59Z', 2],
        ['bitcoin', '2024-02-01T00:00:00Z', 3],
      ],
      coins: [['bitcoin', '1', 'true', null]],
    })
    await publication.publish(RUN)
  })

  const manifest = async () => JSON.parse(await readFile(join(tree, 'manifest.json'), 'utf8'))

  test('is one fixed file per table and month, a manifest, and views for DuckDB', async () => {
    expect(filesUnder(tree)).toEqual([
      'coins/all.parquet',
      'manifest.json',
      'market_chart/2024-01.parquet',
      'market_chart/2024-02.parquet',
      'market_chart_newest/all.parquet',
      'views.sql',
    ])
  })

  test('views.sql shows the tree, wherever it stands, as the published file', async () => {
    const reader = await memoryDuckdb()
    await reader.run(`SET file_search_path = '${tree}'`)
    await reader.run(await readFile(join(tree, 'views.sql'), 'utf8'))
    const found = await reader.runAndReadAll(
      `SELECT view_name, comment <> '' FROM duckdb_views() WHERE schema_name = 'main' AND view_name
       IN ('coins', 'market_chart', 'daily_prices', 'returns') ORDER BY view_name`,
    )
    expect(found.getRows()).toEqual([
      ['coins', true],
      ['daily_prices', true],
      ['market_chart', true],
      ['returns', true],
    ])
    const rows = await reader.runAndReadAll('SELECT count(*)::INTEGER FROM market_chart')
    expect(rows.getRows()[0]![0]).toBeGreaterThan(1)
  })

  test('the manifest describes each file', async () => {
    const { files, ...head } = await manifest()
    expect(head).toEqual({
      generator: 'coinlake',
      format: 1,
      run_id: '0190abcd-run',
      published_at: '2024-06-01T00:00:00.000Z',
      coinlake_version: '0.1.0',
      schema_version: 1,
      vanished: [],
    })
    expect(files).toHaveLength(4)
    const january = files.find((file: { month: string }) => file.month === '2024-01')
    const content = await readFile(join(tree, january.path))
    expect(january).toMatchObject({
      path: 'market_chart/2024-01.parquet',
      table: 'market_chart',
      rows: 2,
      load_id: 1,
      size_bytes: content.byteLength,
      sha256: createHash('sha256').update(content).digest('hex'),
      min: { coin_id: 'amp', ts: '2024-01-01T00:00:00.000Z' },
      max: { coin_id: 'bitcoin', ts: '2024-01-31T23:59:59.000Z' },
    })
  })

  test('only the month that a load changed is written again', async () => {
    const before = await fingerprint(tree)
    await store.load({ points: [['amp', '2024-02-02T00:00:00Z', 4]] })
    const report = await publication.publish(RUN)
    expect(report).toMatchObject({ changed: true, files: 4, rows: 5 })
    const after = await fingerprint(tree)
    const changed = Object.keys(after).filter((path) => after[path] !== before[path])
    expect(changed).toEqual(['market_chart/2024-02.parquet', 'market_chart_newest/all.parquet'])
  })

  test('a month whose rows vanished has no file, and is not written again', async () => {
    await store.empty('2024-01')
    expect((await publication.publish(RUN)).changed).toBe(true)
    expect(filesUnder(tree)).not.toContain('market_chart/2024-01.parquet')
    expect((await manifest()).vanished).toEqual([
      { table: 'market_chart', month: '2024-01', load_id: 2 },
    ])
    expect((await publication.publish(RUN)).changed).toBe(false)
  })

  test.each(['deleted', 'truncated'])('a file that was %s is written again', async (damage) => {
    const path = join(tree, 'market_chart/2024-01.parquet')
    if (damage === 'deleted') await rm(path)
    else await truncate(path, 10)
    expect((await publication.publish(RUN)).changed).toBe(true)
    await expectStored(store, (table) => readParquetTable(tree, table))
  })

  test.each(['no JSON', 'of another format'])('a manifest that is %s is repaired', async (how) => {
    const path = join(tree, 'manifest.json')
    const good = await manifest()
    if (how === 'no JSON') await writeFile(path, '{"files": [')
    if (how === 'of another format') await writeFile(path, JSON.stringify({ ...good, format: 2 }))
    expect((await publication.publish(RUN)).changed).toBe(true)
    expect(await manifest()).toEqual(good)
  })

  test('a changed description or Parquet version writes the files again', async () => {
    const common = { connection: store.connection, ...treePlace(root) }
    const reworded = [{ ...chart, description: 'Reworded.' }, coins]
    const before = await fingerprint(tree)
    await createParquetPublication({ ...common, tables: reworded, version: 'v2' }).publish(RUN)
    const between = await fingerprint(tree)
    expect(between['coins/all.parquet']).toBe(before['coins/all.parquet'])
    expect(between['market_chart/2024-01.parquet']).not.toBe(before['market_chart/2024-01.parquet'])
    await createParquetPublication({ ...common, tables: sampleTables, version: 'v1' }).publish(RUN)
    expect((await fingerprint(tree))['coins/all.parquet']).not.toBe(before['coins/all.parquet'])
    expect(await readParquetTable(tree, coins)).toEqual(await storeRows(store.connection, coins))
  })

  test('each file carries its description, units and types; times are UTC; nothing is HUGEINT', async () => {
    const file = await asyncBufferFromFile(join(tree, 'market_chart/2024-01.parquet'))
    const metadata = await parquetMetadataAsync(file)
    const pairs = metadata.key_value_metadata?.map(({ key, value }) => [key, value]) ?? []
    const facts = Object.fromEntries(pairs)
    expect(facts).toMatchObject({
      generator: 'coinlake',
      coinlake_version: '0.1.0',
      schema_version: '1',
      table: 'market_chart',
      description: chart.description,
      month: '2024-01',
    })
    const columns = JSON.parse(facts['columns'] ?? '')
    const leaves = metadata.schema.slice(1)
    expect(columns.map((column: { name: string }) => column.name)).toEqual(
      leaves.map((leaf) => leaf.name),
    )
    expect(columns[5]).toEqual({
      name: 'price',
      type: 'DOUBLE',
      unit: 'vs_currency',
      description: 'Price.',
    })
    const types = Object.fromEntries(
      columns.map((column: { name: string; type: string }) => [column.name, column.type]),
    )
    for (const leaf of leaves) {
      if (types[leaf.name] === 'TIMESTAMPTZ') {
        expect(leaf.logical_type).toMatchObject({ type: 'TIMESTAMP', isAdjustedToUTC: true })
      }
      if (types[leaf.name] === 'BIGINT') expect(leaf.type).toBe('INT64')
    }
    expect(metadata.row_groups[0]?.columns[0]?.meta_data?.codec).toBe('ZSTD')
  })

  test('a month that is none is refused before it becomes a file name', async () => {
    await store.run(`INSERT INTO _partitions VALUES ('market_chart', '../../x', 9)`)
    await expect(publication.publish(RUN)).rejects.toMatchObject({ code: 'STORE_DAMAGED' })
  })
})
