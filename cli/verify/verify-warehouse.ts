import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { quoteName } from '../../datasets/ddl.ts'
import { datasets } from '../../datasets/index.ts'
import type { RepairReport } from '../../sinks/duckdb-store/mark-damaged.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { openSession } from '../../sinks/duckdb-store/session.ts'
import { contentsTable } from '../../sinks/ledger/contents.ts'
import { currentVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import { shownVersion } from '../../sinks/publish-parquet/tree-versions.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { newestRelation, newestTablesOf } from '../../sinks/newest/newest-tables.ts'
import { checkNewest } from '../../sinks/verify/check-newest.ts'
import { difference } from '../../sinks/verify/verify-source.ts'
import type { Difference, VerifyContext, VerifySource } from '../../sinks/verify/verify-source.ts'
import { verifyTables } from '../../sinks/verify/verify-tables.ts'
import { verifyTree } from '../../sinks/verify/verify-tree.ts'
import type { Effects } from '../effects.ts'
import { hasStore, storeName, storeOf } from '../ledger/store-of.ts'
import { gonePublications } from '../query/gone-publications.ts'
import { openPublished } from '../query/open-published.ts'
import { coinlakeVersion } from '../version.ts'
import { withBucketCopy } from './bucket-copy.ts'

/** What a verification found. */
export interface Verification {
  differences: Difference[]
  /** The places that were looked at. */
  places: Difference['place'][]
  /** Those of them that were not compared with all that was loaded; a note says why. */
  partly: Difference['place'][]
  /** What was not looked at, or is not new enough to be compared: one sentence each. */
  notes: string[]
  /** null when nothing was to be marked. */
  repaired: RepairReport | null
}

const TABLES = datasets.flatMap((dataset) => dataset.tables)

/**
 * Reads the store and both publications anew and holds them against the ledger. While another process
 * holds the store, the publications are held against the ledger that was published.
 *
 * @throws SinkError STORE_LOCKED when `repair` is asked for and another process holds the store
 */
export async function verifyWarehouse(
  effects: Effects,
  config: Config,
  { repair, step }: { repair: boolean; step: (text: string) => void },
): Promise<Verification> {
  const paths = pathsOf(config)
  const done: Verification = { differences: [], places: [], partly: [], notes: [], repaired: null }
  if (!hasStore(paths) && !existsSync(paths.duckdbLink)) {
    throw new SinkError(`there is no warehouse in ${paths.root}`, {
      code: 'NO_WAREHOUSE',
      hint: 'Run `coinlake backfill` first, or name another one with `warehouse:`.',
    })
  }
  const store = await openStoreToRead(effects, paths, repair, done)
  try {
    if (store !== null) {
      step('reading the store ...')
      const rows = (sql: string) => store.query(sql)
      const present = await presentRelations(rows)
      const source: VerifySource = {
        rows,
        relation: ({ name }) => present.get(name) ?? null,
        ledger: quoteName,
      }
      const found = await verifyTables({ place: 'store', datasets, source }, TABLES)
      done.places.push('store')
      done.differences.push(...found)
      step('reading the Parquet files ...')
      await addTree(paths, source, done)
      if (repair && found.length > 0) done.repaired = await store.markDamaged(found)
    }
    if (existsSync(paths.duckdbLink)) {
      step('reading the published file ...')
      await addPublished(paths, done, store === null)
    }
    await addGone(paths, config, done)
  } finally {
    await store?.close()
  }
  return done
}

async function openStoreToRead(
  { clock }: Effects,
  paths: WarehousePaths,
  repair: boolean,
  done: Verification,
): Promise<Store | null> {
  const file = storeOf(paths)
  if (!hasStore(paths)) {
    done.notes.push(`there is no store ${storeName(paths)}: only the publications were looked at`)
    return null
  }
  try {
    return await openStore({ file, tables: TABLES, datasets, coinlakeVersion, clock })
  } catch (error) {
    const isHeld = error instanceof SinkError && error.code === 'STORE_LOCKED'
    if (!isHeld || repair || !existsSync(paths.duckdbLink)) throw error
    done.notes.push(`${error.message}: only the publications were looked at`)
    return null
  }
}

/** The published file carries a ledger of its own moment, so it needs no store. */
async function addPublished(
  paths: WarehousePaths,
  done: Verification,
  withTree: boolean,
): Promise<void> {
  done.places.push('duckdb')
  // Its session reads the Parquet files, too, where there is no store to do that.
  const dirs = withTree ? [paths.parquetLink, paths.parquetVersionsDir, paths.stateDir] : []
  const publication = await openPublished(paths, 'UTC', { dirs })
  try {
    const session = openSession(publication.connection, paths.duckdbLink)
    const present = await presentRelations((sql) => session.rows(sql))
    const source: VerifySource = {
      rows: (sql) => session.rows(sql),
      relation: ({ name }) => present.get(name) ?? null,
      ledger: quoteName,
    }
    const context: VerifyContext = { place: 'duckdb', datasets, source }
    const version = await currentVersion(paths.duckdbLink)
    if (version === null) {
      const what = paths.duckdbLink
      const [expected, found] = ['as it was published', 'written to by somebody else']
      done.differences.push(difference(context, { check: 'file', what, expected, found }))
    }
    if (!present.has(contentsTable.name)) {
      done.partly.push('duckdb')
      done.notes.push(
        'the published file is of an older coinlake: the next backfill writes it anew',
      )
      return
    }
    done.differences.push(...(await verifyTables(context, TABLES)))
    for (const newest of newestTablesOf(TABLES)) {
      done.differences.push(...(await checkNewest(context, newest)))
    }
    if (withTree) await addTree(paths, source, done)
  } finally {
    publication.close()
  }
}

/** What readers had and have no more differs from what was published. */
async function addGone(paths: WarehousePaths, config: Config, done: Verification): Promise<void> {
  for (const { sink: place, place: what } of await gonePublications(paths, config.sinks)) {
    done.places.push(place)
    const [expected, found] = ['what a run had published', 'nothing']
    done.differences.push(difference({ place }, { check: 'file', what, expected, found }))
  }
}

/** Where the tables of a store or a published file lie, as SQL; those of newest rows by the names of their Parquet files. */
async function presentRelations(rows: VerifySource['rows']): Promise<Map<string, string>> {
  const found = await rows(
    `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database()`,
  )
  const isThere = new Set(
    found.map((row) => `${row['schema_name']}.${quoteName(String(row['table_name']))}`),
  )
  const places = [
    ...[...TABLES, contentsTable].map(({ name }) => [name, `main.${quoteName(name)}`] as const),
    ...newestTablesOf(TABLES).map(
      ({ source, table }) => [table.name, newestRelation(source)] as const,
    ),
  ]
  return new Map(places.filter(([, place]) => isThere.has(place)))
}

async function addTree(
  paths: WarehousePaths,
  source: VerifySource,
  done: Verification,
): Promise<void> {
  const verified = (dir: string) => verifyTree({ dir, tables: TABLES, source })
  const { parquetBucket: bucket } = paths
  const tree =
    bucket === null
      ? await verified(await shownVersion(paths.parquetLink))
      : await withBucketCopy(bucket.place, paths.stateDir, verified)
  if (tree === null) return
  done.places.push('parquet')
  done.differences.push(...tree.differences)
  if (tree.behind.length === 0) return
  done.partly.push('parquet')
  const names = tree.behind.join(', ')
  done.notes.push(`Parquet files of another load than the ledger, not compared by slice: ${names}`)
}
