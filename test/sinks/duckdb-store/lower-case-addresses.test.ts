import { expect, test } from 'vitest'
import { DuckDBInstance } from '@duckdb/node-api'
import { frozenClock } from '../../../config/clock.ts'
import { COIN_PLATFORMS } from '../../../datasets/coins.ts'
import { datasets } from '../../../datasets/index.ts'
import { TOKEN_PRICE_QUOTES } from '../../../datasets/token-price-quotes.ts'
import { noteAllContentsSql } from '../../../sinks/duckdb-store/load/note-contents.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import type { Store } from '../../../sinks/duckdb-store/open-store.ts'
import { createDuckdbPublication } from '../../../sinks/publish-duckdb/duckdb-publication.ts'
import { createParquetPublication } from '../../../sinks/publish-parquet/parquet-publication.ts'
import { verifyTables } from '../../../sinks/verify/verify-tables.ts'
import { makeTables } from '../../parts/make-tables.ts'
import { storeContext } from './store-context.ts'
import { tempFolder } from './temp-folder.ts'

const NOW_MS = Date.UTC(2025, 5, 15)
const TABLES = [TOKEN_PRICE_QUOTES, COIN_PLATFORMS]
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const folder = tempFolder()

async function open(): Promise<Store> {
  const file = folder.path('store.duckdb')
  const clock = frozenClock(NOW_MS)
  return await openStore({ file, tables: TABLES, datasets, coinlakeVersion: '9', clock })
}

/** Publishes the store both ways, and says which addresses readers then meet. */
async function published(store: Store, runId: string): Promise<unknown> {
  const connection = await store.connect()
  const link = folder.path('coinlake.duckdb')
  const tree = { dir: folder.path('parquet-versions'), link: folder.path('parquet') }
  const common = { connection, tables: TABLES }
  const run = { runId, publishedAtMs: NOW_MS, coinlakeVersion: '9' }
  const file = { ...common, alone: store.alone, dir: folder.path('duckdb'), link }
  await createDuckdbPublication(file).publish(run)
  await createParquetPublication({ ...common, ...tree, version: 'v2' }).publish(run)
  connection.closeSync()
  const reader = await (await DuckDBInstance.create(':memory:')).connect()
  await reader.run(`ATTACH '${link}' AS published (READ_ONLY)`)
  const found = await Promise.all(
    TABLES.flatMap(({ name }) =>
      [`published.${name}`, `read_parquet('${tree.link}/${name}/*.parquet')`].map(
        async (relation) => {
          const sql = `SELECT DISTINCT contract_address FROM ${relation} ORDER BY ALL`
          return (await reader.runAndReadAll(sql)).getRowsJson().flat()
        },
      ),
    ),
  )
  reader.closeSync()
  return found
}

/** A store as an older coinlake left it: addresses as the source wrote them. */
async function olderStore(): Promise<void> {
  const store = await open()
  const connection = await store.connect()
  await makeTables(connection, TABLES)
  const lineage = `to_timestamp(0) AS fetched_at, 's' AS slice_id, 1 AS load_id`
  const quote = (address: string, hour: number, price: number, load: number): string =>
    `INSERT INTO token_price_quotes BY NAME SELECT * REPLACE (to_timestamp(${load}) AS fetched_at, ${load} AS load_id)
     FROM (SELECT 'ethereum' AS platform_id, '${address}' AS contract_address, 'usd' AS vs_currency,
       TIMESTAMPTZ '2025-05-31 00:00:00+00' + INTERVAL ${hour} HOUR AS observed_at,
       '2025-05-31'::DATE AS observed_date, ${price} AS price, ${lineage})`
  const platform = (address: string, seenAt: number): string =>
    `INSERT INTO coin_platforms BY NAME SELECT 'tether' AS coin_id, 'ethereum' AS platform_id,
       '${address}' AS contract_address, to_timestamp(${seenAt}) AS first_seen_at,
       to_timestamp(${seenAt + 10}) AS last_seen_at, ${lineage.replace('to_timestamp(0)', `to_timestamp(${seenAt})`)}`
  for (const sql of [
    quote(USDT, 1, 1, 1),
    quote(USDT, 40, 2, 1),
    // The same observation in both cases: the answer that was fetched last stays.
    quote(DAI, 1, 3, 1),
    quote(DAI.toLowerCase(), 1, 4, 2),
    quote(DAI.toLowerCase(), 2, 5, 2),
    quote(MINT, 1, 6, 1),
    platform(USDT, 100),
    platform(USDT.toLowerCase(), 200),
    ...TABLES.map(noteAllContentsSql),
    `INSERT INTO _partitions VALUES ('token_price_quotes', '2025-05', 2), ('token_price_quotes', '2025-06', 1),
       ('coin_platforms', 'all', 1)`,
    `INSERT INTO _loads BY NAME SELECT unnest([1, 2]) AS load_id, 'run' AS run_id, to_timestamp(0) AS loaded_at,
       1 AS slices, 1 AS rows_inserted, 0 AS rows_replaced, 0 AS rows_revised, 0 AS rows_duplicate,
       0 AS rows_quarantined, '1' AS coinlake_version`,
    `DELETE FROM _schema_versions WHERE change = 'addresses in lower case'`,
  ]) {
    await connection.run(sql)
  }
  connection.closeSync()
  const before = [MINT, USDT, DAI, DAI.toLowerCase()].toSorted()
  expect(await published(store, 'before')).toMatchObject([before, before, {}, {}])
  await store.close()
}

test('a store with addresses in checksum case gets them in lower case, and its readers too', async () => {
  await olderStore()
  for (const time of ['first', 'second']) {
    const store = await open()
    expect(
      await store.query(
        `SELECT contract_address AS address, price, load_id FROM token_price_quotes ORDER BY price`,
      ),
      time,
    ).toEqual([
      { address: USDT.toLowerCase(), price: 1, load_id: 3 },
      { address: USDT.toLowerCase(), price: 2, load_id: 3 },
      { address: DAI.toLowerCase(), price: 4, load_id: 3 },
      { address: DAI.toLowerCase(), price: 5, load_id: 2 },
      { address: MINT, price: 6, load_id: 1 },
    ])
    expect(
      await store.query(
        `SELECT contract_address AS address, epoch(first_seen_at)::INTEGER AS first,
           epoch(last_seen_at)::INTEGER AS last FROM coin_platforms`,
      ),
    ).toEqual([{ address: USDT.toLowerCase(), first: 100, last: 210 }])
    const differences = await verifyTables(storeContext(store), TABLES)
    // No slice stands behind the rows of this test.
    expect(differences.filter(({ check }) => check !== 'unknown_slice')).toEqual([])
    expect(await store.query('SELECT max(load_id) AS last FROM _loads')).toEqual([{ last: 3 }])
    const tokens = [DAI.toLowerCase(), USDT.toLowerCase(), MINT]
    const platforms = [USDT.toLowerCase()]
    const readers = await published(store, time)
    expect(readers).toEqual([tokens, tokens, platforms, platforms].map((all) => all.toSorted()))
    await store.close()
  }
})
