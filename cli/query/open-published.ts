import { existsSync } from 'node:fs'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { CoinlakeError, EXIT } from '../../config/coinlake-error.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { DAMAGE_MESSAGE, PUBLICATION_DAMAGE } from '../../sinks/duckdb-store/as-sink-error.ts'
import { isFileThere } from '../../sinks/is-there.ts'
import { openSession, type Session } from '../../sinks/duckdb-store/session.ts'
import type { ReadablePaths } from '../../service/warehouse/lock-to-reading.ts'
import { openPublishedFile } from '../../service/warehouse/open-published-file.ts'
import { openDuckLake } from './open-lake.ts'
import { openTree } from './open-tree.ts'
import { QueryError } from './query-error.ts'

export interface OpenPublication {
  /** Rows of a SELECT. The error for damaged bytes names the repair. */
  rows: Session['rows']
  connection: DuckDBConnection
  kind: 'duckdb' | 'parquet' | 'lake'
  close(): void
}

/**
 * Opens the published DuckDB file, else the lake, else the Parquet tree with a view for each table. The store of a
 * running worker stays shut. The session has the zone `zone`, and is locked (service/warehouse/lock-to-reading.ts).
 *
 * @throws QueryError NO_PUBLICATION, PUBLICATION_DAMAGED; SinkError WAREHOUSE_UNREADABLE
 * @throws ConfigError WAREHOUSE_NOT_DUCKDB and the like for a file that cannot be opened
 */
export async function openPublished(
  paths: WarehousePaths,
  zone: string,
  readable: ReadablePaths = {},
): Promise<OpenPublication> {
  const { root, lake, duckdbLink, parquetBucket } = paths
  const open = (instance: DuckDBInstance, kind: OpenPublication['kind'], name: string) =>
    publicationOf(instance, kind, name, zone)
  // A path may name the published file itself, as for `serve --warehouse`.
  if (isFileThere(root)) {
    return await open(await openPublishedFile(root, readable), 'duckdb', root)
  }
  // With a lake, such a file is left from an older coinlake and never renewed.
  if (lake === null && existsSync(duckdbLink)) {
    const instance = await openPublishedFile(duckdbLink, readable).catch((cause: unknown) => {
      throw cause instanceof CoinlakeError ? openFault(cause) : cause
    })
    return await open(instance, 'duckdb', duckdbLink)
  }
  const inLake = lake === null ? null : await openDuckLake(lake, readable)
  if (lake !== null && inLake !== null) return await open(inLake, 'lake', lake.catalog)
  const tree = await openTree(paths, readable)
  const bucket = parquetBucket?.place
  if (tree !== null) return await open(tree, 'parquet', bucket ?? paths.parquetLink)
  throw new QueryError(`nothing is published in ${bucket ?? root} yet`, {
    code: 'NO_PUBLICATION',
    hint: 'Run `coinlake backfill`: it publishes at its end, and meanwhile as `publish.every` says (15m). Or name another warehouse with --warehouse.',
  })
}

/** As openPublished, in UTC; null = nothing is published. */
export async function findPublished(paths: WarehousePaths): Promise<OpenPublication | null> {
  return await openPublished(paths, 'UTC').catch((error: unknown) => {
    if (error instanceof QueryError && error.code === 'NO_PUBLICATION') return null
    throw error
  })
}

/** Of unreadable files, only damaged ones get the hint to publish again. */
function openFault(cause: CoinlakeError): QueryError {
  const { code, message } = cause
  if (code === 'WAREHOUSE_HELD')
    return new QueryError(message, { code, hint: HELD, cause }, EXIT.busy)
  if (code !== 'WAREHOUSE_UNREADABLE') {
    const hint = code === 'WAREHOUSE_NEWER' ? cause.hint : PUBLICATION_DAMAGE.hint
    return new QueryError(message, { code, hint, cause })
  }
  const isDamaged = DAMAGE_MESSAGE.test(String(cause.cause))
  const facts = isDamaged ? PUBLICATION_DAMAGE : { code, hint: UNREADABLE }
  return new QueryError(message, { ...facts, cause })
}

const HELD =
  'A program has it open for writing, and published files are read-only. End that program, or run `coinlake backfill`, which publishes another file.'
const UNREADABLE =
  'It was not changed. Check the rights of the file and the memory of this machine, then run the same command again.'

async function publicationOf(
  instance: DuckDBInstance,
  kind: OpenPublication['kind'],
  name: string,
  zone: string,
): Promise<OpenPublication> {
  const connection = await instance.connect()
  await connection.run(`SET TimeZone = ${quoteText(zone)}`)
  const session = openSession(connection, name, PUBLICATION_DAMAGE)
  return {
    connection,
    kind,
    rows: session.rows,
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
