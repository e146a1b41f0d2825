import type { DuckDBConnection, DuckDBDataChunk, DuckDBType } from '@duckdb/node-api'
import { StatementType } from '@duckdb/node-api'
import { count } from '../render/quantities.ts'
import { runAllButLast } from './checked-statements.ts'
import { interruptedError, QueryError, queryError } from './query-error.ts'

/** The rows of a statement, chunk by chunk, never all in memory. */
export interface QueryResult {
  /** Made unique: a second `a` is `a:1`. */
  names: readonly string[]
  types: readonly DuckDBType[]
  isPlan: boolean
  /** Time zone of the session, which SQL may have set. */
  zone: string
  chunks: AsyncIterable<DuckDBDataChunk>
}

/**
 * Runs one or more statements and streams the result of the last one; `stop` interrupts it.
 *
 * The client ends a failed stream like a complete one. So all runs in a transaction, which a failure aborts, and the
 * end of the stream checks the transaction.
 *
 * @throws QueryError with DuckDB's message; `chunks` also throws it
 */
export async function streamQuery(
  connection: DuckDBConnection,
  sql: string,
  stop?: AbortSignal,
): Promise<QueryResult> {
  stop?.addEventListener('abort', () => connection.interrupt(), { once: true })
  try {
    await connection.run('BEGIN TRANSACTION')
    const { prepared } = await runAllButLast(connection, sql)
    const zone = await zoneOf(connection)
    const result = await prepared.stream()
    return {
      names: result.deduplicatedColumnNames(),
      types: result.columnTypes(),
      isPlan: result.statementType === StatementType.EXPLAIN,
      zone,
      chunks: wholeStream(connection, sql, () => result.fetchChunk(), stop),
    }
  } catch (error) {
    throw queryError(error)
  }
}

async function zoneOf(connection: DuckDBConnection): Promise<string> {
  const reader = await connection.runAndReadAll("SELECT current_setting('TimeZone')")
  return String(reader.getRows()[0]?.[0])
}

async function* wholeStream(
  connection: DuckDBConnection,
  sql: string,
  fetch: () => Promise<DuckDBDataChunk | null>,
  stop: AbortSignal | undefined,
): AsyncGenerator<DuckDBDataChunk> {
  let rows = 0
  for (;;) {
    const chunk = await fetch().catch((error: unknown) => {
      throw queryError(error)
    })
    if (chunk === null || chunk.rowCount === 0) break
    rows += chunk.rowCount
    yield chunk
  }
  try {
    // COMMIT alone does not report an aborted transaction; any other statement does.
    await connection.run('SELECT 1')
    await connection.run('COMMIT')
  } catch (error) {
    if (stop?.aborted === true) throw interruptedError(error)
    throw await streamFailure(connection, sql, rows, error)
  }
}

/** The cause of a broken stream. Only a repetition without a stream reports it. */
async function streamFailure(
  connection: DuckDBConnection,
  sql: string,
  rows: number,
  aborted: unknown,
): Promise<Error> {
  try {
    await connection.run('ROLLBACK')
    const { prepared } = await runAllButLast(connection, sql)
    await prepared.run()
  } catch (error) {
    return queryError(error)
  }
  return new QueryError(`the query broke off after ${count(rows)} rows`, {
    code: 'QUERY_BROKE_OFF',
    hint: 'Run it again; the written rows are not all.',
    cause: aborted,
  })
}
