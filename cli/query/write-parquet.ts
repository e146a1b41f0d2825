import { createReadStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StatementType, type DuckDBConnection } from '@duckdb/node-api'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import type { Effects } from '../effects.ts'
import { runAllButLast } from './checked-statements.ts'
import {
  fileOf,
  isFileOrAbsent,
  notWritableError,
  makeTemporaryFolder,
  temporaryPath,
  writeOutput,
} from './output.ts'
import { QueryError, queryError } from './query-error.ts'

const VIEW = 'coinlake_query_result'
const HUGE: ReadonlySet<string> = new Set(['HUGEINT', 'UHUGEINT'])
/** A word, or a quoted name, in the text of a type. */
const HUGE_PATTERN = /"[^"]*"|'[^']*'|\w+/g

/** The place where DuckDB writes a Parquet file before its delivery. */
interface ParquetPlace {
  /** Absolute; nothing is there yet. */
  path: string
  /** Renames the file to its target, or copies it to standard output or a pipe. */
  deliver: () => Promise<void>
  remove: () => Promise<void>
}

/**
 * Chooses the place before the session is locked, because it is the only path that this session may write. Statements
 * of users cannot write there (checked-statements.ts).
 *
 * @throws SinkError OUTPUT_NOT_WRITABLE
 */
export async function parquetPlace(effects: Effects, target: string): Promise<ParquetPlace> {
  const file = target === '-' ? null : fileOf(effects.cwd, target)
  if (file !== null && isFileOrAbsent(file, target)) {
    const path = temporaryPath(file)
    return {
      path,
      deliver: () => rename(path, file),
      remove: () => rm(path, { force: true }),
    }
  }
  const folder = await makeTemporaryFolder('coinlake-query-')
  const path = join(folder, 'result.parquet')
  return {
    path,
    deliver: () =>
      writeOutput(effects, target, async (output) => {
        for await (const bytes of createReadStream(path)) await output.write(bytes as Uint8Array)
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/**
 * Writes the rows of a script's last SELECT as a Parquet file (zstd), by DuckDB itself. A view stands between, because
 * COPY fails on a statement that ends in a comment.
 *
 * @throws QueryError as `runAllButLast`, or PARQUET_NEEDS_SELECT when the last statement is no SELECT
 * @throws SinkError OUTPUT_NOT_WRITABLE
 */
export async function writeParquet(
  connection: DuckDBConnection,
  sql: string,
  place: ParquetPlace,
  target: string,
): Promise<void> {
  const { text, prepared } = await runAllButLast(connection, sql)
  const isSelect = prepared.statementType === StatementType.SELECT
  prepared.destroySync()
  if (!isSelect) throw needsSelectError()
  try {
    await connection.run(`CREATE OR REPLACE TEMP VIEW ${VIEW} AS ${text}`)
  } catch (error) {
    // DuckDB runs this statement, but makes no view of it.
    if (error instanceof Error && error.message.startsWith('Parser Error')) throw needsSelectError()
    throw queryError(error)
  }
  await copyTo(connection, place.path, target)
  await place.deliver()
}

async function copyTo(connection: DuckDBConnection, path: string, target: string): Promise<void> {
  try {
    const rows = await selectExactly(connection)
    await connection.run(
      `COPY (${rows}) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
    )
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (text.includes(path)) throw notWritableError(target, { code: text.split(': ').at(-1) })
    throw queryError(error)
  }
}

/** DuckDB writes 128-bit integers (sums of whole numbers) as DOUBLE, in lists and structs too; decimals keep them exact. */
async function selectExactly(connection: DuckDBConnection): Promise<string> {
  const shape = await connection.run(`FROM ${VIEW} LIMIT 0`)
  const [names, types] = [shape.columnNames(), shape.columnTypes()]
  const casts = names.flatMap((name, index) => {
    const type = String(types[index])
    const exact = type.replace(HUGE_PATTERN, (word) => (HUGE.has(word) ? 'DECIMAL(38, 0)' : word))
    return exact === type ? [] : [`${quoteName(name)}::${exact} AS ${quoteName(name)}`]
  })
  return casts.length === 0 ? `FROM ${VIEW}` : `SELECT * REPLACE (${casts.join(', ')}) FROM ${VIEW}`
}

function needsSelectError(): QueryError {
  return new QueryError('only a SELECT can be written as Parquet: the last is another statement', {
    code: 'PARQUET_NEEDS_SELECT',
    hint: 'End with a SELECT; DESCRIBE and SUMMARIZE work as `SELECT * FROM (DESCRIBE ...)`.',
  })
}
