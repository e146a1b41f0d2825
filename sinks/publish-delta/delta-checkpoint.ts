import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quoteText } from '../../datasets/table/ddl.ts'
import type { DeltaAction } from './delta-actions.ts'

const TEXTS = 'MAP(VARCHAR, VARCHAR)'
/** Columns of a checkpoint, for coinlake's kinds of entries. */
const COLUMNS = {
  protocol: 'STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER)',
  metaData: `STRUCT(id VARCHAR, name VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options ${TEXTS}),
    schemaString VARCHAR, partitionColumns VARCHAR[], configuration ${TEXTS}, createdTime BIGINT)`,
  add: `STRUCT(path VARCHAR, partitionValues ${TEXTS}, size BIGINT, modificationTime BIGINT, dataChange BOOLEAN,
    stats VARCHAR, tags ${TEXTS})`,
  remove: 'STRUCT(path VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN)',
}

/** Turns entries of a log into the Parquet of a checkpoint. @param dir for temporary files of this process */
export async function checkpointOf(dir: string, actions: readonly DeltaAction[]): Promise<Buffer> {
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${name}: ${quoteText(type)}`)
  const lines = join(dir, 'checkpoint.json')
  const file = join(dir, 'checkpoint.parquet')
  await mkdir(dir, { recursive: true })
  await writeFile(lines, actions.map((action) => JSON.stringify(action)).join('\n'))
  await inMemory((connection) =>
    connection.run(
      `COPY (FROM read_json(${quoteText(lines)}, format = 'newline_delimited', columns = {${columns.join(', ')}}))
       TO ${quoteText(file)} (FORMAT parquet, USE_TMP_FILE false)`,
    ),
  )
  const content = await readFile(file)
  await Promise.all([rm(lines), rm(file)])
  return content
}

/** The entries of a checkpoint, one a line. @param dir as above */
export async function linesOfCheckpoint(dir: string, content: Buffer): Promise<string> {
  const file = join(dir, 'checkpoint.parquet')
  await mkdir(dir, { recursive: true })
  await writeFile(file, content)
  const rows = await inMemory((connection) =>
    rowsOf(
      connection,
      `SELECT to_json(entry)::VARCHAR AS line FROM read_parquet(${quoteText(file)}) entry`,
    ),
  )
  await rm(file)
  return rows.map(({ line }) => String(line)).join('\n')
}

/** Works in a database of its own, because the sessions of `verify` may read only published files. */
async function inMemory<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:')
  try {
    return await work(await instance.connect())
  } finally {
    instance.closeSync()
  }
}
