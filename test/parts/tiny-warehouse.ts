import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { warehousePaths, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { duckdbType, quoteText } from '../../datasets/table/ddl.ts'
import { allTables } from '../../datasets/index.ts'
import { lineageColumns } from '../../datasets/table/lineage.ts'
import { fillWithMarket } from './generated-market.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { MANIFEST, newManifest } from '../../sinks/publish-parquet/manifest.ts'
import { writeJsonDurably } from '../../sinks/publish/durable-files.ts'
import { moveLink } from '../../sinks/publish/version-link.ts'
import { analystViews } from '../../sinks/views/analyst-views.ts'
import { createNewestViews } from '../sinks/publish/newest-views.ts'
import { tempDir } from './temp-dir.ts'

/** Where the simulated market of the tests stands. */
export const TINY_NOW_MS = Date.UTC(2026, 0, 15, 12)

const LINEAGE: Readonly<Record<string, string>> = {
  is_provisional: 'false',
  is_moving: 'false',
  fetched_at: `TIMESTAMPTZ '2026-01-15 12:00:00+00'`,
  slice_id: `'a'`,
  load_id: '1',
}

/** A warehouse on disk as readers find it, of a small simulated market, with one publication; see tempDir for its end. */
export async function tinyWarehouse(
  publication: 'duckdb' | 'parquet',
  whenDone?: Parameters<typeof tempDir>[0],
): Promise<WarehousePaths> {
  const paths = warehousePaths(tempDir(whenDone))
  const instance = await DuckDBInstance.create(
    publication === 'duckdb' ? paths.duckdbLink : ':memory:',
  )
  const writer = await instance.connect()
  await fillWithMarket(writer, { ...MARKET_PRESETS.tiny, seed: 3, nowMs: TINY_NOW_MS })
  for (const table of allTables) {
    for (const { name, type } of lineageColumns(table)) {
      const value = LINEAGE[name] ?? 'NULL'
      await writer.run(
        `ALTER TABLE ${table.name} ADD COLUMN ${name} ${duckdbType(type)} DEFAULT ${value}`,
      )
    }
  }
  if (publication === 'duckdb') {
    await createNewestViews(writer, allTables)
    for (const view of analystViews.filter(({ needs }) => needs.every((one) => one[0] !== '_'))) {
      await writer.run(`CREATE VIEW ${view.name} AS ${view.sql}`)
    }
  } else {
    const dir = join(paths.parquetVersionsDir, '1')
    const files = []
    for (const { name } of allTables.filter((table) => table.name !== 'exchange_rates')) {
      const path = `${name}/all.parquet`
      const file = join(dir, path)
      await mkdir(dirname(file), { recursive: true })
      await writer.run(`COPY ${name} TO ${quoteText(file)} (FORMAT parquet)`)
      const { size } = await stat(file)
      const facts = { rows: 1, size_bytes: size, sha256: '', load_id: 1, definition: '' }
      files.push({ path, table: name, month: 'all', ...facts, min: {}, max: {} })
    }
    const run = { runId: 'r', publishedAtMs: TINY_NOW_MS, coinlakeVersion: '0' }
    await writeJsonDurably(join(dir, MANIFEST), newManifest(run, { files, vanished: [] }))
    await moveLink(paths.parquetLink, 'parquet-versions/1')
  }
  writer.closeSync()
  instance.closeSync()
  return paths
}
