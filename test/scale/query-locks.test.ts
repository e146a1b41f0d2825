import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, inject, onTestFinished, test } from 'vitest'
import { runAllButLast } from '../../cli/query/checked-statements.ts'
import { openPublished } from '../../cli/query/open-published.ts'
import { systemClock } from '../../config/clock.ts'
import { warehousePaths, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { allTables, datasets } from '../../datasets/index.ts'
import { attachLake } from '../../sinks/duckdb-store/lake/attach-lake.ts'
import { inDuckdb } from '../parts/duckdb.ts'
import { makeTables } from '../parts/make-tables.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import { WHOLE_TABLE } from '../../sinks/ledger/row-tables.ts'
import { createDeltaPublication } from '../../sinks/publish-delta/delta-publication.ts'
import { s3Files } from '../../stage/s3-files.ts'
import { placeOf } from '../sinks/publish/publication-of.ts'
import { s3OfFile } from './parts/minio.ts'
import { startPostgres } from './parts/postgres.ts'
import { tempDir } from '../parts/temp-dir.ts'

const postgres = await startPostgres()
await s3OfFile()
const VS_CURRENCIES = allTables.filter(({ name }) => name === 'vs_currencies')
const versions = { coinlakeVersion: '0.0.0', clock: systemClock }
const ROW = `'usd' AS currency, 1 AS list_ordinal, now() AS first_seen_at, now() AS last_seen_at,
  now() AS fetched_at, 's' AS slice_id, 1 AS load_id`

async function opened(paths: WarehousePaths): Promise<DuckDBConnection> {
  const publication = await openPublished(paths, 'UTC')
  onTestFinished(() => publication.close())
  return publication.connection
}

/** The one row is read; nothing is that is not published, on the disk or in the same bucket. */
async function expectLocked(connection: DuckDBConnection, root: string): Promise<void> {
  const read = await connection.runAndReadAll('SELECT currency FROM vs_currencies')
  expect(read.getRows()).toEqual([['usd']])
  const own = join(root, 'own.csv')
  await writeFile(own, 'a\n1\n')
  const beside = `${placeOf(root)}-beside`
  await s3Files(beside).write('own.csv', 'a\n1\n')
  const neighbour = `${beside}/own.csv`
  for (const sql of [
    `FROM read_csv('${own}')`,
    `FROM read_text('${neighbour}')`,
    `FROM glob('${beside}/**')`,
    `COPY (SELECT 1 AS a) TO '${own}'`,
    `COPY (SELECT 1 AS a) TO '${neighbour}'`,
    `ATTACH '${join(root, 'new.duckdb')}' AS n`,
    `SET enable_external_access = true`,
    `CREATE SECRET (TYPE s3, KEY_ID 'k', SECRET 's')`,
    `INSTALL httpfs FROM 'http://127.0.0.1:9'`,
    `FROM read_text('http://127.0.0.1:9/x')`,
  ]) {
    const run = async (): Promise<unknown> => (await runAllButLast(connection, sql)).prepared.run()
    await expect(run(), sql).rejects.toThrow()
  }
}

test('a Parquet tree in a bucket: its own files are read, nothing else of the bucket or the disk is', async () => {
  const root = tempDir()
  const place = placeOf(root)
  const store = await openStore({ file: join(root, 'store.duckdb'), datasets, ...versions })
  const writer = await store.connect()
  await makeTables(writer, VS_CURRENCIES)
  await writer.run(`INSERT INTO vs_currencies BY NAME SELECT ${ROW}`)
  await writer.run(
    `INSERT INTO _partitions BY NAME SELECT 'vs_currencies' AS table_name, '${WHOLE_TABLE}' AS month, 1 AS load_id`,
  )
  const run = { runId: 'run', publishedAtMs: Date.now(), coinlakeVersion: '0.1.0' }
  const common = {
    connection: writer,
    tables: allTables,
    place,
    warehouse: 'locks',
    version: 'v2' as const,
  }
  await createDeltaPublication({ ...common, scratchDir: join(root, 'scratch') }).publish(run)
  writer.closeSync()
  await store.close()

  const connection = await opened({
    ...warehousePaths(root),
    parquetBucket: { place, extensionDir: inject('extensions') },
  })
  await expectLocked(connection, root)
})

test('a lake with its catalog in PostgreSQL and its data in a bucket: read, and nothing else is', async () => {
  const root = tempDir()
  const lake = {
    catalog: postgres.makeCatalog('query_locks'),
    data: placeOf(root),
    extensionDir: inject('extensions'),
    tempDir: join(root, 'tmp'),
  }
  const store = await openStore({ file: lake, datasets, ...versions })
  const maker = await store.connect()
  await makeTables(maker, VS_CURRENCIES)
  maker.closeSync()
  await store.close()
  await inDuckdb(':memory:', async (writer) => {
    await attachLake(writer, lake, 'write')
    await writer.run(`INSERT INTO lake.vs_currencies BY NAME SELECT ${ROW}`)
  })
  const connection = await opened({ ...warehousePaths(root), lake })
  await expectLocked(connection, root)
  await expect(
    connection.runAndReadAll(
      `FROM postgres_scan('${lake.catalog}', 'public', 'ducklake_snapshot')`,
    ),
  ).rejects.toThrow()
})
