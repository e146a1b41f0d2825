import { rowsOf } from '../rows-of.ts'
import { inTransaction } from '../in-transaction.ts'
import { chmod, stat } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { crashPoint } from '../../config/crash-point.ts'
import { runProgram } from '../../config/run-program.ts'
import { DAY_MS } from '../../config/values/duration.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { SCHEMA_VERSION } from '../ledger/row-tables.ts'
import type { Publication, PublishOutcome, PublishRun } from '../publication.ts'
import { renameDurably, syncFile, writeJsonDurably } from '../publish/durable-files.ts'
import { publishInTurn } from '../publish/publish-in-turn.ts'
import { storeMark } from '../publish/store-mark.ts'
import { moveLink, requireOwnLink, type VersionPlace } from '../publish/version-link.ts'
import { checkpoint } from './checkpoint.ts'
import { publishedTable } from './published-table.ts'
import { isLaidOut, layOut, readersLayout, type ReadersLayout } from './readers-layout.ts'
import { refreshNewest } from './refresh-newest.ts'
import { sortTail } from './sort-tail.ts'
import { currentVersion, factsPath, type VersionFacts } from './version-facts.ts'
import {
  newVersionPath,
  pruneVersions,
  moveForeignWalAside,
  sweepLeftovers,
  VERSION_NAME,
} from './version-files.ts'

/** The option of `cp` that shares the original's blocks where the file system can (XFS, Btrfs, APFS). */
const COPY: Partial<Record<NodeJS.Platform, string>> = { linux: '--reflink=auto', darwin: '-c' }

/** Nobody may write: a program that writes leaves a .wal behind. */
const PUBLISHED_MODE = 0o444

/** Facts of a copy that is not published yet. */
type Copied = Pick<VersionFacts, 'load_id' | 'ledger' | 'definition' | 'rows'>

export interface DuckdbPublicationOptions extends VersionPlace {
  /** A connection of the store's own instance. The store's file must not be opened a second time. */
  connection: DuckDBConnection
  /** Runs `work` while nobody else writes to the store. */
  alone: <T>(work: () => Promise<T>) => Promise<T>
  /** All tables of the datasets. The store may lack some. */
  tables: readonly TableSpec[]
}

/**
 * Publishes the DuckDB file for readers: a copy of the store's file. The views and tables for readers
 * (readers-layout.ts) stand in the store, too. Each publication is a new read-only file behind a symlink that moves in
 * one step. No reader meets a lock or a half-written file. Pooled readers see the new data at their next connection.
 */
export function createDuckdbPublication(options: DuckdbPublicationOptions): Publication {
  const { connection, alone, tables, ...place } = options

  /** Brings layout and newest rows up to date, and copies the store to `temp`. Nobody else may write meanwhile. */
  async function refreshAndCopy(
    layout: ReadersLayout,
    loadId: number,
    run: PublishRun,
    temp: string,
  ): Promise<Copied> {
    crashPoint('publish.build.before')
    await inTransaction(connection, async () => {
      await layOut(connection, layout, run)
      for (const newest of layout.newest) await refreshNewest(connection, newest, loadId)
      await connection.run(
        `DELETE FROM ${publishedTable.name};
         INSERT INTO ${publishedTable.name} SELECT ${quoteText(run.runId)} AS run_id,
           make_timestamptz(${BigInt(Math.round(run.publishedAtMs)) * 1000n}) AS published_at,
           ${quoteText(run.coinlakeVersion)} AS coinlake_version,
           ${SCHEMA_VERSION} AS schema_version, ${loadId} AS load_id`,
      )
    })
    crashPoint('publish.build.after')
    const [database] = await rowsOf(
      connection,
      'SELECT path FROM duckdb_databases() WHERE database_name = current_database()',
    )
    const file = String(database?.['path'])
    await checkpoint(connection, file)
    // The mark is read here, because the writes above changed it. Nothing changes before the copy.
    const mark = await storeMark(connection)
    const rows = await rowCount(connection, layout.existingTables)
    await copyInChild(file, temp)
    crashPoint('publish.build.after')
    return { load_id: mark.loadId, ledger: mark.ledger, definition: layout.definition, rows }
  }

  async function publish(run: PublishRun): Promise<PublishOutcome> {
    await requireOwnLink(place, VERSION_NAME)
    await sweepLeftovers(place.dir)
    const warnings = await moveForeignWalAside(place)
    const current = run.isAnew === true ? null : await currentVersion(place.link)
    const report = (facts: VersionFacts, changed: boolean): PublishOutcome => ({
      changed,
      files: 1,
      rows: facts.rows,
      sizeBytes: facts.size_bytes,
      ...(warnings.length > 0 && { warnings }),
    })
    const { definition, existingTables } = await readersLayout(connection, tables)
    // A first backfill comes series by series, so nothing is sorted before the first publication.
    if (await isLaidOut(connection, definition))
      for (const table of existingTables) await sortTail(connection, table, alone)
    const file = newVersionPath(place.dir, run.publishedAtMs)
    const temp = `${file}.tmp`
    const copied = await alone(async () => {
      const layout = await readersLayout(connection, tables)
      const mark = await storeMark(connection)
      const isShown =
        current?.facts.definition === layout.definition &&
        current.facts.load_id === mark.loadId &&
        current.facts.ledger === mark.ledger
      if (current !== null && isShown) {
        if (!(await isHeldByWriter(current.file))) return null
        warnings.push(
          `${current.file} is open for writing in another program, so nobody else can read it. A new file is published. Open published files read-only.`,
        )
      }
      return await refreshAndCopy(layout, mark.loadId, run, temp)
    }).catch(async (error: unknown) => {
      // Removes the half file at once, so that a full disk has room again.
      await sweepLeftovers(place.dir)
      throw error
    })
    if (copied === null) return report(current!.facts, false)
    await syncFile(temp)
    await chmod(temp, PUBLISHED_MODE)
    const { size: size_bytes, mtimeMs: written_at_ms } = await stat(temp)
    const facts: VersionFacts = { run_id: run.runId, ...copied, size_bytes, written_at_ms }
    await writeJsonDurably(factsPath(file), facts)
    crashPoint('publish.rename.before')
    await renameDurably(temp, file)
    crashPoint('publish.rename.after')
    warnings.push(...(await moveForeignWalAside(place)))
    crashPoint('publish.manifest.before')
    await moveLink(place.link, relative(dirname(place.link), file))
    crashPoint('publish.manifest.after')
    await pruneVersions(place.dir, file)
    return report(facts, true)
  }

  return publishInTurn('duckdb', connection, place.link, publish)
}

async function rowCount(
  connection: DuckDBConnection,
  tables: readonly TableSpec[],
): Promise<number> {
  if (tables.length === 0) return 0
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${quoteName(name)})`)
  const [row] = await rowsOf(connection, `SELECT ${counts.join(' + ')} AS row_count`)
  return Number(row?.['row_count'])
}

/** Whether another process has a published file open for writing. That locks readers out. */
async function isHeldByWriter(file: string): Promise<boolean> {
  try {
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
    instance.closeSync()
    return false
  } catch (error) {
    return error instanceof Error && /conflicting lock|could not set lock/i.test(error.message)
  }
}

/**
 * Copies a file in a child process. A closed descriptor of the store in this process would drop DuckDB's lock. Ctrl-C
 * does not reach the child. The child gets only PATH of the environment, because API keys are in there.
 *
 * @throws Error with the words of `cp`
 */
async function copyInChild(from: string, to: string): Promise<void> {
  const option = COPY[process.platform]
  const program = ['cp', ...(option === undefined ? [] : [option]), '--', from, to]
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  const { ok, reason } = await runProgram(program, { env, timeoutMs: DAY_MS })
  if (!ok) throw new Error(`cp ${reason}`)
}
