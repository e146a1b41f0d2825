import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import { pathsOf, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { allTables, datasets } from '../../datasets/index.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { newestTablesOf } from '../../sinks/newest/newest-tables.ts'
import { currentVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import { shownVersion } from '../../sinks/publish-parquet/tree-versions.ts'
import { checkNewest } from '../../sinks/verify/check-newest.ts'
import { lacksColumns } from '../../sinks/verify/check-rows.ts'
import { readBlocks } from '../../sinks/verify/read-blocks.ts'
import type { Difference, VerifyContext, VerifySource } from '../../sinks/verify/verify-source.ts'
import { verifyTables } from '../../sinks/verify/verify-tables.ts'
import { verifyTree } from '../../sinks/verify/verify-tree.ts'
import { checkStagedAnswers } from '../../stage/check-staged-answers.ts'
import type { PageKey } from '../../stage/page-stage.ts'
import { isS3 } from '../../stage/s3-files.ts'
import { say, type Effects } from '../effects.ts'
import { requireNewestStore } from '../ledger/load-numbers.ts'
import { goneStoreError, noWarehouseError } from '../ledger/lost-store.ts'
import { isShut } from '../ledger/open-ledger.ts'
import { hasStore, openStoreAt, storeName, storePlaceOf } from '../ledger/store-of.ts'
import { gonePublications } from '../query/gone-publications.ts'
import { openPublished } from '../query/open-published.ts'
import { withBucketCopy } from './bucket-copy.ts'
import { deltaLogDifferences } from './delta-log-differences.ts'
import { repairWarehouse } from './repair-warehouse.ts'
import { verifySourceOf } from './verify-source-of.ts'
import { fileDifference, type Verification } from './verification.ts'
import { withOpen } from '../run/closing-after.ts'

/** Codes of files that are damaged or not the newest. */
const DAMAGES = [
  'STORE_DAMAGED',
  'STORE_NOT_DUCKDB',
  'STORE_BEHIND',
  'PUBLICATION_DAMAGED',
  'WAREHOUSE_NOT_DUCKDB',
]

/**
 * Compares the store, both publications and the kept answers with the ledger. While the store is shut, the publications
 * are compared with the published ledger.
 *
 * @param repair marks damaged slices, makes differing publications again, and moves damaged answers aside
 * @throws SinkError STORE_LOCKED, STORE_NOT_WRITABLE when `repair` needs a store that is shut
 */
export async function verifyWarehouse(
  effects: Effects,
  config: Config,
  { repair }: { repair: boolean },
): Promise<Verification> {
  const paths = pathsOf(config)
  const step = (text: string): void => {
    if (effects.isLive) say(effects, text)
  }
  const done: Verification = {
    differences: [],
    places: [],
    partly: [],
    notes: [],
    isStoreHeld: false,
    repaired: null,
  }
  if (!hasStore(paths) && goneStoreError(paths) === null) throw noWarehouseError(paths)
  await withOpen(openStoreToRead(effects, paths, repair, done), async (store) => {
    step('reading the store ...')
    const source = store === null ? null : await checkStore(store, paths, done)
    if (source !== null) {
      step('reading the Parquet files ...')
      await checkTree(paths, source, done)
    }
    if (existsSync(paths.duckdbLink)) {
      step('reading the published file ...')
      await noteDamage(done, 'duckdb', paths.duckdbLink, () =>
        checkPublishedFile(paths, done, source === null),
      )
    }
    for (const { sink, place } of await gonePublications(paths, config.sinks)) {
      done.places.push(sink)
      done.differences.push(fileDifference(sink, place, 'the publication of a run', 'nothing'))
    }
    step('reading the kept answers ...')
    const damaged = await checkKeptAnswers(paths, done)
    if (repair && store !== null && source !== null) {
      done.repaired = await repairWarehouse(config, { store, paths, damaged }, done.differences)
    }
  })
  return done
}

async function openStoreToRead(
  { clock }: Effects,
  paths: WarehousePaths,
  repair: boolean,
  done: Verification,
): Promise<Store | null> {
  const file = storePlaceOf(paths)
  if (!hasStore(paths)) {
    done.places.push('store')
    done.differences.push(fileDifference('store', storeName(paths), 'the store', 'nothing'))
    return null
  }
  try {
    return await noteDamage(done, 'store', storeName(paths), () => openStoreAt(file, clock))
  } catch (error) {
    if (!isShut(error) || repair || !existsSync(paths.duckdbLink)) throw error
    done.notes.push(`store not checked: ${error.message}`)
    done.isStoreHeld = true
    return null
  }
}

/** Runs work on a place. Damage becomes a difference, and the result null. */
async function noteDamage<T>(
  done: Verification,
  place: Difference['place'],
  what: string,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CoinlakeError) || !DAMAGES.includes(error.code)) throw error
    if (!done.places.includes(place)) done.places.push(place)
    done.differences.push(fileDifference(place, what, 'as it was written', error.message))
    return null
  }
}

/** Checks the store. @returns its ledger for comparisons; null = unreadable */
async function checkStore(
  store: Store,
  paths: WarehousePaths,
  done: Verification,
): Promise<VerifySource | null> {
  done.places.push('store')
  return await noteDamage(done, 'store', storeName(paths), async () => {
    const source = await verifySourceOf((sql) => store.query(sql))
    await requireNewestStore(paths, source)
    done.differences.push(...(await verifyTables({ place: 'store', datasets, source }, allTables)))
    if (paths.lake === null) await readBlocks(source)
    return source
  })
}

/** Checks the published file with its own ledger. `withTree`: also the Parquet files with that ledger. */
async function checkPublishedFile(
  paths: WarehousePaths,
  done: Verification,
  withTree: boolean,
): Promise<void> {
  done.places.push('duckdb')
  // Without the store, this session also reads the Parquet files.
  const dirs = withTree ? [paths.parquetLink, paths.parquetVersionsDir, paths.stateDir] : []
  await withOpen(openPublished(paths, 'UTC', { dirs }), async ({ rows }) => {
    const source = await verifySourceOf(rows)
    const context: VerifyContext = { place: 'duckdb', datasets, source }
    if ((await currentVersion(paths.duckdbLink)) === null) {
      const [expected, found] = ['as it was published', 'changed by another program']
      done.differences.push(fileDifference('duckdb', paths.duckdbLink, expected, found))
    }
    if (!source.hasContents || (await isOlder(source))) {
      done.partly.push('duckdb')
      done.notes.push(
        'the published file is of an older coinlake; the next backfill writes it again',
      )
      return
    }
    done.differences.push(...(await verifyTables(context, allTables)))
    for (const newest of newestTablesOf(allTables)) {
      done.differences.push(...(await checkNewest(context, newest)))
    }
    await readBlocks(source)
    if (withTree) await checkTree(paths, source, done)
  })
}

async function isOlder(source: VerifySource): Promise<boolean> {
  for (const table of allTables) {
    if (await lacksColumns(source, table, source.relation(table))) return true
  }
  return false
}

async function checkTree(
  paths: WarehousePaths,
  source: VerifySource,
  done: Verification,
): Promise<void> {
  const verified = (dir: string) => verifyTree({ dir, tables: allTables, source })
  const { parquetBucket: bucket } = paths
  const place = bucket?.place ?? (await shownVersion(paths.parquetLink))
  const tree =
    bucket === null ? await verified(place) : await withBucketCopy(place, paths.stateDir, verified)
  if (tree === null) return
  done.places.push('parquet')
  done.differences.push(...tree.differences, ...(await deltaLogDifferences(paths)))
  if (tree.behind.length === 0) return
  done.partly.push('parquet')
  const names = tree.behind.join(', ')
  done.notes.push(
    `Parquet tables of another load than the ledger, or of an older coinlake, not compared by slice: ${names}`,
  )
}

/** Compares the kept answers with their checksums. @returns the keys of damaged answers */
async function checkKeptAnswers({ stageDir }: WarehousePaths, done: Verification) {
  const damaged: PageKey[] = []
  if (isS3(stageDir)) {
    done.notes.push(`the answers in ${stageDir} were not looked at`)
    return damaged
  }
  done.places.push('stage')
  for await (const { key, path, fault: found } of checkStagedAnswers(stageDir)) {
    if (found === null) continue
    damaged.push(key)
    done.differences.push(fileDifference('stage', path, 'as it was written', found))
  }
  return damaged
}
