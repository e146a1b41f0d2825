import type { DuckDBConnection, DuckDBDataChunk, DuckDBType } from '@duckdb/node-api'
import { StatementType } from '@duckdb/node-api'
import { queryError } from './query-error.ts'

/** What a statement gives, chunk by chunk, never held as a whole. */
export interface QueryResult {
  /** Made unique: a second `a` is `a:1`. */
  names: readonly string[]
  types: readonly DuckDBType[]
  /** An EXPLAIN: its cells are drawings and not values. */
  isPlan: boolean
  chunks: AsyncIterable<DuckDBDataChunk>
}

/**
 * Runs one or more statements and streams what the last one gives.
 *
 * @throws QueryError with DuckDB's message; from `chunks`, too
 */
export async function streamQuery(connection: DuckDBConnection, sql: string): Promise<QueryResult> {
  try {
    const result = await connection.stream(sql)
    return {
      names: result.deduplicatedColumnNames(),
      types: result.columnTypes(),
      isPlan: result.statementType === StatementType.EXPLAIN,
      chunks: chunksOf(() => result.fetchChunk()),
    }
  } catch (error) {
    throw queryError(error)
  }
}

async function* chunksOf(
  fetch: () => Promise<DuckDBDataChunk | null>,
): AsyncGenerator<DuckDBDataChunk> {
  for (;;) {
    let chunk: DuckDBDataChunk | null
    try {
      chunk = await fetch()
    } catch (error) {
      throw queryError(error)
    }
    if (chunk === null || chunk.rowCount === 0) return
    yield chunk
  }
}
