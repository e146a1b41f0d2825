import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, inject, test } from 'vitest'
import { systemClock } from '../../config/clock.ts'
import { relations } from '../../cli/look/relations.ts'
import { openDuckLake } from '../../cli/query/open-lake.ts'
import { datasetByName, datasets } from '../../datasets/index.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { makeTables } from '../parts/make-tables.ts'
import { attachLake } from '../../sinks/duckdb-store/lake/attach-lake.ts'

test('a lake is shown as it is: deleted rows gone, new columns empty, nothing else to be read', async () => {
  const dir = tempDir()
  const lake = {
    catalog: `sqlite:${join(dir, 'catalog.sqlite')}`,
    data: join(dir, 'data'),
    extensionDir: inject('extensions'),
  }
  expect(await openDuckLake(lake)).toBeNull()
  const store = await openStore({
    file: { ...lake, tempDir: join(dir, 'tmp') },
    datasets,
    coinlakeVersion: '0.0.0',
    clock: systemClock,
  })
  const connection = await store.connect()
  await makeTables(connection, datasetByName('vs_currencies')!.tables)
  connection.closeSync()
  await store.close()
  const made = await DuckDBInstance.create(':memory:')
  const writer = await made.connect()
  await attachLake(writer, lake, 'write')
  const lineage = `1 AS list_ordinal, now() AS first_seen_at, now() AS last_seen_at, now() AS fetched_at, 's' AS slice_id, 1 AS load_id`
  for (const statement of [
    `INSERT INTO lake.vs_currencies BY NAME SELECT 'c' || range AS currency, ${lineage} FROM range(10)`,
    `DELETE FROM lake.vs_currencies WHERE currency = 'c3'`,
    `ALTER TABLE lake.vs_currencies ADD COLUMN note VARCHAR`,
    `INSERT INTO lake.vs_currencies BY NAME SELECT 'd' AS currency, 'new' AS note, ${lineage}`,
  ]) {
    await writer.run(statement)
  }
  const sql = (from: string): string => `SELECT currency, note FROM ${from} ORDER BY ALL`
  const expected = (await writer.runAndReadAll(sql('lake.vs_currencies'))).getRows()
  expect(expected).toHaveLength(10)
  writer.closeSync()
  made.closeSync()

  const instance = await openDuckLake(lake)
  const reader = await instance!.connect()
  expect((await reader.runAndReadAll(sql('vs_currencies'))).getRows()).toEqual(expected)
  // Nobody asked for `coins`, so there is none, as in the published file.
  const shown = await relations(reader)
  expect(shown.map(({ name }) => name)).toEqual(['vs_currencies', 'coverage'])
  for (const outside of [
    `FROM sqlite_scan('${join(dir, 'catalog.sqlite')}', 'ducklake_snapshot')`,
    `CALL sqlite_attach('${join(dir, 'catalog.sqlite')}')`,
    `ATTACH '${join(dir, 'catalog.sqlite')}' AS q (TYPE sqlite)`,
    `FROM read_blob('${join(dir, 'catalog.sqlite')}')`,
  ]) {
    await expect(reader.runAndReadAll(outside), outside).rejects.toThrow()
  }
  reader.closeSync()
  instance!.closeSync()
})
